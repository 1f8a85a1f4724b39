"""Write docs/command-line.md from the parser, so that the two cannot drift apart.

.venv/bin/python tests/documented.py
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from rankeval.cli import parser

FILE = Path(__file__).parents[1] / "docs" / "command-line.md"
HEAD = """# Command line

`rankeval` is also `python -m rankeval`. Data goes to standard output, words to standard error; `-` is standard input.
The exit code is 0 when it is done, 1 when a gate failed, 2 when input or usage was refused, and then nothing was
printed or written.

This page is generated: `python tests/documented.py` writes it, and a test holds it to the parser.
"""


def command_line() -> str:
    """Give the page as it should be."""
    os.environ["COLUMNS"] = "100"
    return "\n".join([HEAD, *_sections("rankeval", parser())])


def _sections(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Give a section for each command, and after it for each of its own."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, command in action.choices.items():
                yield f"## {name} {word}\n\n```\n{command.format_help().rstrip()}\n```\n"
                yield from _sections(f"{name} {word}", command)


if __name__ == "__main__":
    FILE.write_text(command_line(), encoding="utf-8")
