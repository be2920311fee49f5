"""The other readers of a rule or a claim: classes of number with the same arithmetic.

`base` defines the operators once. Terms keep the text, affine numbers cover a whole stretch,
intervals stand for numbers that a log does not show, arrays for many cases at once.
"""
