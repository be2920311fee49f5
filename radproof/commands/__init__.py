"""The commands that take one path or search for one: run, check, replay, explain."""
