"""Pictures of one run: a page for a browser, trace events, a PNG, and lines for a terminal.

`story` works out once what happened, in whole numbers; the others draw it. `explained` goes from a
file to its story and its page.
"""

from radproof.pictures.explained import explained, page_of, write_beside
from radproof.pictures.story import Life, Mark, Story, tell

__all__ = ["Life", "Mark", "Story", "explained", "page_of", "tell", "write_beside"]
