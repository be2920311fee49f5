"""The Lean bridge: what radproof finds, as test terms that a Lean checks.

`definitions` writes the mirror, `twin` is the mirror's machine in Python, `export` and `cti_terms`
make documents, `tokens`, `reader` and `interpret` read and evaluate Lean's text, `roundtrip` checks
a file by it, `drift` the mirror itself; `fixtures` keeps lean_mirror/ up to date, `verify` runs a
Lean. docs/lean.md is the guide.
"""

from radproof.lean.sources import Exported, export, export_file, write_term_beside

__all__ = ["Exported", "export", "export_file", "write_term_beside"]
