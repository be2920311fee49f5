"""The proofs: the lemmas discharged by Z3, checked by cvc5, and what refutes one confirmed.

`prove(world)` gives a certificate. Importing this package imports Z3; importing radproof does not.
"""
