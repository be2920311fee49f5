"""The claims as property tests: what ``pytest -m claims`` runs."""
