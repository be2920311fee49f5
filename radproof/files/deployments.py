"""Deployment files: a deployment's numbers as JSON, exact ints.

    {"schema": "radproof.deployment/1", "deployment": {"b_col": 128, ...}, "note": "..."}

A path file's field ``deployment`` has the same numbers.
"""

from __future__ import annotations

import json
from pathlib import Path as FilePath

import attrs

from radproof.files.json import content, loads, structure, unstructure
from radproof.files.text import read_as, write_text
from radproof.model import Deployment

SCHEMA = "radproof.deployment/1"


@attrs.frozen
class _DeploymentFile:
    deployment: Deployment
    note: str | None = None


def read_deployment(file: FilePath) -> Deployment:
    """The deployment of a file. Raises BadInput with the file and the field that is wrong."""
    return read_as(file, _parse)


def _parse(text: str) -> Deployment:
    fields = content(loads(text), SCHEMA, remedy="radproof fit writes such files.")
    return structure(_DeploymentFile, fields).deployment


def write_deployment(file: FilePath, deployment: Deployment, note: str) -> None:
    """Write a deployment file, whole or not at all."""
    numbers = unstructure(_DeploymentFile(deployment))["deployment"]
    data = {"schema": SCHEMA, "note": note, "deployment": numbers}
    write_text(file, json.dumps(data, indent=1) + "\n")
