"""Where in a JSON text something stands: made for messages, not for speed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

Path = tuple[str | int, ...]
"""The way to a value: keys of objects, 1-based positions in lists."""

_WORD = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)


def places(text: str, start: int = 0, line: int = 1) -> Iterator[tuple[Path, int]]:
    """Walk a JSON value and give the way to every key and list entry with its line.

    What follows the value is not looked at, and the walk ends where the text is no JSON.

    Args:
        text: the text that the value stands in.
        start: where it begins.
        line: the line there.

    """
    return ((step.path, step.line) for step in _walk(text, start, line) if step.is_place)


def line_of_word(text: str, is_meant: Callable[[str], object]) -> int:
    """Find the line of the first word of a JSON text that is meant; the first line where none is."""
    return next((line for _, line in words_meant(text, is_meant)), 1)


def words_meant(text: str, is_meant: Callable[[str], object]) -> Iterator[tuple[str, int]]:
    """Give the words of a JSON text that are meant, strings in their quotes, with their lines."""
    line, seen = 1, 0
    for word in _WORD.finditer(text):
        if is_meant(word[0]):
            line += text.count("\n", seen, word.start())
            seen = word.start()
            yield word[0], line


class Lines:
    """The lines of keys and list entries, found when somebody asks.

    A question takes the walk through the text, which notes where each object and list begins, as far as the one that
    is asked about, and a walk through that one.
    """

    def __init__(self, text: str) -> None:
        """Take the text; nothing is looked at yet."""
        self._text = text
        self._walk = _walk(text, 0, 1)
        self._containers: dict[Path, tuple[int, int]] = {}
        self._inside = lru_cache(maxsize=16)(self._lines_inside)

    def of(self, path: Path) -> int | None:
        """Find the line of a key or list entry; None where there is none."""
        return self._inside(path[:-1]).get(path[-1])

    def _lines_inside(self, path: Path) -> dict[str | int, int]:
        begins = self._containers.get(path) or self._walked_to(path)
        if begins is None:
            return {}
        return {inner[0]: line for inner, line in places(self._text, *begins) if len(inner) == 1}

    def _walked_to(self, path: Path) -> tuple[int, int] | None:
        """Go on with the walk until an object or list begins there, and say where and on which line."""
        for step in self._walk:
            if step.opens:
                self._containers[step.path] = (step.start, step.line)
                if step.path == path:
                    return self._containers[path]
        return None


class _Step(NamedTuple):
    """One key or value of a JSON text.  The value of a key has the same path as the key, and is no place of its own."""

    path: Path
    line: int
    start: int
    opens: bool
    is_place: bool


def _walk(text: str, start: int, line: int) -> Iterator[_Step]:
    stack: list[tuple[str, str | int]] = []
    seen, before = start, ""
    for word in _WORD.finditer(text, start):
        line += text.count("\n", seen, word.start())
        seen = word.start()
        opening, at = stack[-1] if stack else ("", "")
        if word[0] in {"}", "]"}:
            del stack[-1:]
        elif word[0] not in {",", ":"}:
            is_key = opening == "{" and before != ":"
            is_entry = isinstance(at, int)
            if is_key or is_entry:
                stack[-1] = (opening, _key(word[0]) if is_key else int(at) + 1)
            opens = word[0] in {"{", "["} and not is_key
            yield _Step(tuple(key for _, key in stack), line, seen, opens, is_key or is_entry)
            if opens:
                stack.append((word[0], 0 if word[0] == "[" else ""))
        if not stack:
            return
        before = word[0]


def _key(word: str) -> str:
    """Read a key; a word that is none ends the JSON, and what follows is of no use to anybody."""
    try:
        return str(json.loads(word))
    except ValueError:
        return word
