"""Fixtures shared by the tests of the harness."""

pytest_plugins = ["pytester"]
