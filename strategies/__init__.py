"""Hypothesis strategies for arrival paths: ``from radproof.strategies import paths``.

Lists of sessions do not work: Hypothesis draws short ones, and never 128 decodes at once. So a path
is drawn as run-length groups (count, gap, prompt, output), which reach hundreds of sessions in a
handful of choices and shrink one number at a time, and by directed families, each of which aims at
one situation of `radproof.search.situations`.
"""

from radproof.strategies.deployments import SMALLEST, cases, deployments
from radproof.strategies.paths import DIRECTED, paths
from radproof.strategies.small import small_paths

__all__ = ["DIRECTED", "SMALLEST", "cases", "deployments", "paths", "small_paths"]
