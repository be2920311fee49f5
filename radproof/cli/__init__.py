"""The command line: one module a command, and what several of them share."""
