"""A hook of mkdocs: the page of the commands is written from click's own help.

The line ``<!-- every command -->`` of a page is replaced by a section for each command, with what
``--help`` prints, so that the site and the program show the same options.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

HERE = "<!-- every command -->"
WIDTH = 80


def on_page_markdown(markdown: str, **facts: object) -> str:
    """The Markdown of a page, with the commands inserted."""
    if HERE not in markdown:
        return markdown
    from radproof.cli.main import main

    return markdown.replace(HERE, "\n".join(sections(main, "radproof")))


def sections(
    command: click.Command, name: str, parent: click.Context | None = None
) -> Iterator[str]:
    """The section of a command, then those of its subcommands."""
    with click.Context(
        command,
        info_name=name.split()[-1],
        parent=parent,
        terminal_width=WIDTH,
        **command.context_settings,
    ) as context:
        yield f"## {name}\n\n```text\n{command.get_help(context)}\n```\n"
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                found = command.get_command(context, each)
                assert found is not None
                yield from sections(found, f"{name} {each}", context)
