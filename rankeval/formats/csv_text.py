"""CSV as RFC 4180 has it: fields between commas, in quotes where they hold commas, quotes or line ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rankeval.formats.catalogue import FormatError, Reading, refusal

# The ++ and *+ never give back what they took, so that a quote which is not closed costs one pass and no more.
_FIELD = re.compile(r'(?:"([^"]*+(?:""[^"]*+)*+)"|([^",\r\n]*+))(,|\r?\n|\Z)')
_STRAY = re.compile(r'["\r]')


def csv_rows(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Read rows, each with the number of the line that it begins on; empty lines are no rows.

    Args:
        text: all of it.
        file: the file's name, for messages.

    Raises:
        FormatError: a quote or a carriage return stands where it may not.

    """
    start, line = 0, 1
    while start < len(text):
        end = text.find("\n", start)
        at_end = end < 0
        raw = text[start:] if at_end else text[start:end]
        following, lines = (len(text) if at_end else end + 1), 1
        if '"' in raw:
            fields, following = _quoted_row(text, start, file, line)
            lines = text.count("\n", start, following)
        else:
            plain = raw if at_end else raw.removesuffix("\r")
            if "\r" in plain:
                raise _stray(plain, file, line)
            fields = plain.split(",") if plain else []
        if fields:
            yield line, fields
        start, line = following, line + lines


def csv_header(line: str) -> tuple[str, ...]:
    """Give the fields of a first line; nothing for one that is no row of its own."""
    try:
        return tuple(next(csv_rows(line, ""), (1, []))[1])
    except FormatError:
        return ()


def _quoted_row(text: str, start: int, file: str, line: int) -> tuple[list[str], int]:
    """Read a row that has quotes in it, over as many lines as it takes; the second result is where the next begins."""
    fields: list[str] = []
    separator = ","
    while separator == ",":
        field = _FIELD.match(text, start)
        if field is None:
            raise _stray(text[start:], file, line)
        quoted, plain, separator = field.groups()
        fields.append(plain if quoted is None else quoted.replace('""', '"'))
        start = field.end()
    return fields, start


def _stray(text: str, file: str, line: int) -> FormatError:
    """Refuse the field at the start of a text."""
    if text.startswith('"'):
        detail = "the row that begins here"
    elif "\r" in _STRAY.findall(text)[:1]:
        detail = "a carriage return stands in it, without quotes and without a line feed after it"
    else:
        detail = "a quote stands in an unquoted field"
    return refusal(Reading.QUOTING, file=file, line=line, detail=detail)
