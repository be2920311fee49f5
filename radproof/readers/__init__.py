"""Who else reads a rule or a claim than Python's ints: classes of number that answer to the same
arithmetic (`radproof.number`).
"""
