"""Deployment files: a deployment's numbers as JSON, exact ints.

    {"schema": "radproof.deployment/1", "deployment": {"b_col": 128, ...}, "note": "..."}

A path file's field ``deployment`` has the same numbers.
"""

from __future__ import annotations

import json
from pathlib import Path as FilePath

import attrs

from radproof.errors import BadInput
from radproof.files.paths import read_text, write_text
from radproof.model import Deployment

SCHEMA = "radproof.deployment/1"


def read_deployment(file: FilePath) -> Deployment:
    """The deployment of a file. Raises BadInput with the file and the field that is wrong."""
    try:
        data = json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{file} is no JSON: {error}.") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise BadInput(f'{file}: field "schema" must be {SCHEMA!r}; radproof fit writes such files')
    fields = data.get("deployment")
    known = [a.name for a in attrs.fields(Deployment) if a.init]
    if not isinstance(fields, dict) or set(fields) - set(known):
        raise BadInput(f'{file}: field "deployment" must be an object of: {", ".join(known)}.')
    try:
        return Deployment(**fields)
    except BadInput as error:
        raise BadInput(f"{file}: {error}.") from None


def write_deployment(file: FilePath, deployment: Deployment, note: str) -> None:
    """Write a deployment file, whole or not at all."""
    numbers = {a.name: getattr(deployment, a.name) for a in attrs.fields(Deployment) if a.init}
    data = {"schema": SCHEMA, "note": note, "deployment": numbers}
    write_text(file, json.dumps(data, indent=1) + "\n")
