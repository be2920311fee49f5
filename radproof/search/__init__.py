"""The search for a counterexample: draw paths, run them, judge them, make what breaks minimal."""
