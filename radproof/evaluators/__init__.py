"""The same run as `radproof.runs.run`, faster; and claims decided on whole stretches.

The cost of either does not grow with the lengths of prompts and outputs.
"""
