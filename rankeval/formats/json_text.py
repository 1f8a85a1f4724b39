"""JSON read strictly: no repeated key, no NaN, no number where an ID belongs, and a line for every complaint."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Self

from rankeval.core.contract import Fault, Faults
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_places import Path, line_of_word, places, words_meant
from rankeval.formats.source import ZERO_BYTES

_LONG_NUMBER = re.compile(r"-?[0-9]{4000,}")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


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


def parse_json(text: str, file: str, first_line: int = 1, *, surrogates: bool = False) -> Any:
    """Parse one JSON value; numbers that are not whole come as `ExactNumber`.

    Args:
        text: all of it.
        file: the file's name, for messages.
        first_line: the number of the line that the text starts on.
        surrogates: whether an escape of half a character is let through, for a reader that has a rule of its own.

    Raises:
        FormatError: it is not JSON, repeats a key, holds NaN, Infinity or half a character, or is nested too deeply.

    """
    try:
        value = _decoder.decode(text)
    except _RepeatedKeyError:
        raise _repeated_keys(text, file, first_line) from None
    except _NotFiniteError:
        raise _not_finite(text, file, first_line) from None
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        if "\0" in text[error.pos : error.pos + 4]:
            raise refusal(Reading.ENCODING, file=file, line=line, detail=ZERO_BYTES) from None
        detail = f"column {error.colno}: {error.msg}"
        raise refusal(Reading.JSON, file=file, line=line, detail=detail) from None
    except RecursionError:
        raise refusal(Reading.TOO_DEEP, file=file) from None
    except ValueError:
        line = line_of_word(text, _LONG_NUMBER.fullmatch) + first_line - 1
        raise refusal(Reading.JSON, file=file, line=line, detail="a number of thousands of digits") from None
    if not surrogates and may_hold_half_characters(text):
        _refuse_half_characters(value, text, file, first_line)
    return value


def may_hold_half_characters(text: str) -> bool:
    """Whether JSON text has an escape that half a character would have; whole ones beyond U+FFFF have two of them."""
    return _SURROGATE.search(text) is not None


def _refuse_half_characters(value: Any, text: str, file: str, first_line: int) -> None:
    """Refuse what JSON can escape and UTF-8 cannot hold."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        line = line_of_word(text, _is_half_character) + first_line - 1
        detail = f"{error.object[error.start : error.end]!a} is half a character"
        raise refusal(Reading.ENCODING, file=file, line=line, detail=detail) from None
    except RecursionError:
        raise refusal(Reading.TOO_DEEP, file=file) from None


def _is_half_character(word: str) -> bool:
    if not word.startswith('"'):
        return False
    try:
        json.loads(word).encode()
    except UnicodeEncodeError:
        return True
    return False


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


_FLOAT = re.compile(r"(NaN|-?Infinity)|-?(?:0|[1-9][0-9]*)(?=[.eE])(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
"""What the decoder takes for a number that is not whole; it does not wait for what comes after it."""


def _not_finite(text: str, file: str, first_line: int) -> FormatError:
    """Name every number that is none, and every one that is past what most programs can hold."""
    faults = Faults()
    for word, line in words_meant(text, _is_not_finite):
        number = _FLOAT.match(word)
        assert number is not None
        detail = f"{number[0]} stands there"
        faults.add(Fault(Reading.NOT_FINITE, file=file, line=line + first_line - 1, detail=detail))
    return FormatError(faults.kept, faults.total)


def _is_not_finite(word: str) -> bool:
    number = _FLOAT.match(word)
    return number is not None and (number[1] is not None or not math.isfinite(float(number[0])))


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
