"""Pictures of one run: a page for a browser, trace events, a PNG, and lines for a terminal.

`story` says once what happened, in whole numbers; the others draw it.
"""

from radproof.pictures.story import Life, Mark, Story, tell

__all__ = ["Life", "Mark", "Story", "tell"]
