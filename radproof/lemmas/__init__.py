"""The lemmas: what is to be proved for paths of any length, built by calling rules and claims.

Each subject has a module. `obligations` defines what a lemma is, `catalogue` lists them all in the
order of the argument, `scenes` turns a model's numbers into a state that the machine can step from.
"""
