"""JSON read strictly: no repeated key, no NaN, no number where an ID belongs, and a line for every complaint."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Self

from rankeval.core.contract import Fault, Faults
from rankeval.formats.catalogue import FormatError, Reading, refusal

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)

Path = tuple[str | int, ...]
"""The way to a value: keys of objects, 1-based positions in lists."""


class _RepeatedKeyError(Exception):
    pass


class ExactNumber(float):
    """A number with a fraction or exponent as JSON wrote it: no digit of `text` is lost."""

    __slots__ = ("text",)

    def __new__(cls, text: str) -> Self:
        """Read the number, and keep its text."""
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str


def parse_json(text: str, file: str, first_line: int = 1) -> Any:
    """Parse one JSON value; numbers that are not whole come as `ExactNumber`.

    Args:
        text: all of it.
        file: the file's name, for messages.
        first_line: the number of the line that the text starts on.

    Raises:
        FormatError: it is not JSON, repeats a key, holds NaN or Infinity, or is nested too deeply.

    """
    try:
        return _decoder.decode(text)
    except _RepeatedKeyError:
        raise _repeated_keys(text, file, first_line) from None
    except _NotFiniteError as error:
        raise refusal(Reading.NOT_FINITE, file=file, detail=f"{error} stands there") from None
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        detail = f"column {error.colno}: {error.msg}"
        raise refusal(Reading.JSON, file=file, line=line, detail=detail) from None
    except RecursionError:
        raise refusal(Reading.TOO_DEEP, file=file) from None
    except ValueError as error:
        raise refusal(Reading.JSON, file=file, detail=str(error)) from None


def places(text: str) -> Iterator[tuple[Path, int]]:
    """Walk a JSON text and give the way to every key and list entry with its line; made for messages, not for speed."""
    stack: list[list[Any]] = []
    line, seen = 1, 0
    expect_key = False
    for token in _TOKEN.finditer(text):
        line += text.count("\n", seen, token.start())
        seen = token.start()
        word = token[0]
        if word in {"}", "]"}:
            stack.pop()
            expect_key = False
        elif word == ",":
            expect_key = bool(stack) and stack[-1][0] == "{"
        elif word == ":":
            expect_key = False
        else:
            if expect_key:
                stack[-1][1] = json.loads(word)
            elif stack and stack[-1][0] == "[":
                stack[-1][1] += 1
            if stack and (expect_key or stack[-1][0] == "["):
                yield tuple(at for _, at in stack), line
            if word in {"{", "["}:
                stack.append([word, 0 if word == "[" else ""])
                expect_key = word == "{"


def line_of(text: str, path: Path) -> int | None:
    """Find the line of a key or list entry."""
    return next((line for each, line in places(text) if each == path), None)


class _NotFiniteError(Exception):
    pass


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise _RepeatedKeyError
    return unique


def _finite(text: str) -> ExactNumber:
    value = ExactNumber(text)
    if not math.isfinite(value):
        raise _NotFiniteError(text)
    return value


def _refuse_constant(name: str) -> float:
    raise _NotFiniteError(name)


_decoder = json.JSONDecoder(object_pairs_hook=_unique_object, parse_float=_finite, parse_constant=_refuse_constant)


def _repeated_keys(text: str, file: str, first_line: int) -> FormatError:
    """Name every repeated key with both its lines; what is inside a repeated value is not looked at."""
    faults = Faults()
    lines: dict[Path, int] = {}
    repeated: set[Path] = set()
    for path, line in places(text):
        if any(path[:length] in repeated for length in range(1, len(path))):
            continue
        if path in lines:
            repeated.add(path)
            where = f" within {'/'.join(map(str, path[:-1]))!r}" if len(path) > 1 else ""
            detail = f"key {path[-1]!r}{where}, first on line {lines[path] + first_line - 1}"
            faults.add(Fault(Reading.REPEATED_KEY, file=file, line=line + first_line - 1, detail=detail))
        lines.setdefault(path, line)
    return FormatError(faults.kept, faults.total)
