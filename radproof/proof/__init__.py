"""The proofs: per-step lemmas for every path of any length, discharged by Z3, checked by cvc5.

`prove(world)` gives a certificate. Importing this package imports Z3; importing radproof does not.
"""
