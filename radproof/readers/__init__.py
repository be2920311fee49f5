"""The other readers of a rule or a claim: classes of number that answer to the same arithmetic.

`base` has the operators once; terms keep the text, affine numbers stand for a whole stretch,
intervals for what a log does not show, arrays for many cases at once.
"""
