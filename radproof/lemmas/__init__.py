"""The lemmas: what is to be proved for paths of any length, built by calling rules and claims.

A module for each subject; `obligations` says what a lemma is, `catalogue` has them all in the order
of the argument, `scenes` turns a model's numbers into a state that the machine can step from.
"""
