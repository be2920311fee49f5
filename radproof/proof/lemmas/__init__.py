"""The lemmas, by subject; `radproof.proof.catalogue` has them all in the order of the argument."""
