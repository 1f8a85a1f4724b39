"""Records in JSON: one object a line, or a list of objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from rankeval.core.contract import Fault, Faults
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_text import parse_json
from rankeval.formats.records import Record, Records, names_columns, shown
from rankeval.formats.source import BYTE_ORDER_MARK, HEAD, Source

_SOMETHING = re.compile(rb"[^ \t\r\n]")


def begins_json(line: str) -> bool:
    """Whether a file whose first line this is may be JSON: an object, a list, or objects one a line."""
    return line.lstrip(" \t").startswith(("{", "["))


def is_json_text(source: Source) -> bool:
    """Whether a whole file is JSON: one that JSON refuses for what it says, not for how it is written, is."""
    try:
        parse_json(source.text(), source.name)
    except FormatError as error:
        return error.rule != Reading.JSON
    return True


def is_json_lines(source: Source) -> bool:
    """Whether a file holds a JSON object a line: more lines than one, of which the first is one."""
    first, *others = source.head(2)
    if not first.lstrip(" \t").startswith("{"):
        return False
    if not others and source.size > HEAD:
        first, *others = _first_two(source.data)
    if not others:
        return False
    try:
        parse_json(first, source.name)
    except FormatError as error:
        return error.rule != Reading.JSON
    return True


def _first_two(data: bytes) -> list[str]:
    """Give the first line, however long it is, and the beginning of the next; a file of one line gives none of it."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0 and not data[start:end].strip():
        start = end + 1
    if end < 0 or not (following := _SOMETHING.search(data, end)):
        return [""]
    return [data[start:end].removeprefix(BYTE_ORDER_MARK).decode(errors="replace"), str(following)]


def is_record(value: dict[str, Any], *roles: Sequence[str]) -> bool:
    """Whether a lone JSON object is a record, with a plain field for each role, rather than a whole by its IDs."""
    plain = [name for name, each in value.items() if not isinstance(each, dict | list)]
    return names_columns(plain, *roles)


def json_lines(source: Source) -> Records:
    """Read one JSON object a line.

    Raises:
        FormatError: no line is a JSON object.

    """
    faults = Faults()

    def rows() -> Iterator[tuple[int, Record]]:
        for line, text in source.lines():
            if not text.strip(" \t"):
                continue
            try:
                record = _object(text, source.name, line)
            except FormatError as error:
                faults.add_many(error.total, error.faults)
            else:
                yield line, record

    records = rows()
    first = next(records, None)
    if first is None:
        raise FormatError(faults.kept, faults.total)
    return Records(source.name, "line", tuple(first[1]), chain([first], records), faults=faults)


def json_array(values: list[Any], file: str) -> Records:
    """Read a list of JSON objects; places are positions in it.

    Raises:
        FormatError: an entry is not an object.

    """
    faults = Faults()
    for row, value in enumerate(values, 1):
        if not isinstance(value, dict):
            faults.add(Fault(Reading.SHAPE, file=file, row=row, detail=f"{shown(value)}, and an object was expected"))
    faults.refuse(FormatError)
    return Records(file, "row", tuple(values[0]) if values else (), enumerate(values, 1))


def _object(text: str, file: str, line: int) -> dict[str, Any]:
    value = parse_json(text, file, line)
    if not isinstance(value, dict):
        raise refusal(Reading.SHAPE, file=file, line=line, detail="one JSON object a line was expected")
    return value
