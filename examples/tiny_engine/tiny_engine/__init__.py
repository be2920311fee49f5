"""A small engine's scheduler."""
