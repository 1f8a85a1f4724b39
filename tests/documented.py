"""Write docs/command-line.md from the parser, so that the two cannot drift apart.

.venv/bin/python tests/documented.py
"""

from __future__ import annotations

import argparse
import os
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
    root = parser()
    (commands,) = (action for action in root._actions if isinstance(action, argparse._SubParsersAction))
    parts = [HEAD]
    for name, command in commands.choices.items():
        parts.append(f"## rankeval {name}\n\n```\n{command.format_help().rstrip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(command_line(), encoding="utf-8")
