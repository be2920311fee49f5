"""The same run as `radproof.runs.run`, faster; and claims decided on whole stretches.

The cost of neither grows with the lengths of prompts and outputs.
"""
