"""Files of one record after another: JSON lines, JSON arrays, CSV, TSV, Parquet; and what their fields are called."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankeval.core.contract import Fault, Faults
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_text import parse_json
from rankeval.formats.rows import Unit
from rankeval.formats.source import Source

QUERY = ("query", "query_id", "qid", "q_id", "query-id", "topic")
DOCUMENT = ("doc", "doc_id", "docid", "docno", "document", "document_id", "corpus-id", "corpus_id", "pid")
LABEL = ("label", "relevance", "rel", "grade", "score")
RANK = ("rank",)
SCORE = ("score", "sim")
CHUNK = ("chunk", "chunk_id")
OWN_ID = ("_id", "id")

PARQUET = b"PAR1"

LONGEST_RECORD = 2**20
"""A file of a single line longer than this is one JSON value; to parse it twice would only take time."""

_QUOTED_RECORD = re.compile(r'(?:(?:"(?:[^"]|"")*"|[^",]*)(?:,|$))+')

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a file, to be gone through once.

    Attributes:
        file: its name.
        unit: what its places are counted in.
        fields: the names of the fields; of JSON those of the first record.
        rows: line or row from 1, and the record there.
        not_text: the fields that the file declares to be of another type than text, and that type.
        typed: whether values have types of their own; where they have not, all are text.

    """

    file: str
    unit: Unit
    fields: tuple[str, ...]
    rows: Iterable[tuple[int, Record]]
    not_text: Mapping[str, str] = field(default_factory=dict)
    typed: bool = True

    def named(self, names: Sequence[str]) -> str | None:
        """Find the field that goes by one of several names, upper or lower case; None where there is none.

        Raises:
            FormatError: two fields go by those names.

        """
        found = [name for name in self.fields if name.casefold() in names]
        if len(found) > 1:
            detail = f"{' and '.join(map(repr, found))} could both be the {names[0]}"
            raise refusal(Reading.HEADER, file=self.file, detail=detail)
        return found[0] if found else None

    def needed(self, names: Sequence[str]) -> str:
        """Find a field like `named`, and refuse the file where there is none.

        Raises:
            FormatError: none or two fields go by those names.

        """
        name = self.named(names)
        if name is None:
            there = ", ".join(map(repr, self.fields)) or "nothing"
            detail = f"no {names[0]} column ({', '.join(names)}); the header has {there}"
            raise refusal(Reading.HEADER, file=self.file, detail=detail)
        return name

    def needed_id(self, names: Sequence[str]) -> str:
        """Find a field of IDs like `needed`, and refuse a file that declares it to be of another type than text.

        Raises:
            FormatError: none or two fields go by those names, or the field is not text.

        """
        name = self.needed(names)
        if name in self.not_text:
            detail = f"column {name!r} holds {self.not_text[name]}; write the IDs as text"
            raise refusal(Reading.NUMBER_AS_ID, file=self.file, detail=detail)
        return name

    def others(self, used: Iterable[str | None]) -> tuple[str, ...]:
        """Say which fields are not used, as notes."""
        unused = [name for name in self.fields if name not in set(used)]
        return (f"{self.file}: not used: {', '.join(unused)}",) if unused else ()

    def place(self, where: int) -> dict[str, Any]:
        """Give a line or row as a fault takes it."""
        return {"file": self.file, self.unit: where}


def id_fault(value: object, name: str, place: Mapping[str, Any]) -> Fault | None:
    """Say why a value cannot be an ID: it must be text, and not empty."""
    if isinstance(value, str):
        return None if value else Fault(Reading.EMPTY_ID, detail=f"{name} is empty", **place)
    return Fault(Reading.NUMBER_AS_ID, detail=f"{name} is {shown(value)} and must be text", **place)


def shown(value: object) -> str:
    """Write a value as its file would."""
    return "null" if value is None else str(getattr(value, "text", value))


def is_json_lines(source: Source) -> bool:
    """Whether a JSON file holds one record a line, rather than one value as a whole.

    Whole lines that are objects say so.  A single line says so when it names a field as records do, and its values are
    not all objects or lists, as those of a run, a corpus or judgments of one piece would be.
    """
    first, *others = source.head(2)
    if not others and len(first) > LONGEST_RECORD:
        return False
    try:
        value = parse_json(first, source.name)
    except FormatError:
        return False
    if not isinstance(value, dict):
        return False
    named = names_columns(value, QUERY + DOCUMENT + CHUNK + OWN_ID)
    return bool(others) or (named and not all(isinstance(each, dict | list) for each in value.values()))


def json_lines(source: Source) -> Records:
    """Read one JSON object a line.

    Raises:
        FormatError: a line is not a JSON object.

    """
    lines = source.lines()
    first_line, first_text = next(lines)
    first = _object(first_text, source.name, first_line)

    def rows() -> Iterator[tuple[int, Record]]:
        yield first_line, first
        for line, text in lines:
            if text.strip(" \t"):
                yield line, _object(text, source.name, line)

    return Records(source.name, "line", tuple(first), rows())


def json_array(values: list[Any], file: str) -> Records:
    """Read an array of JSON objects; places are positions in it.

    Raises:
        FormatError: an entry is not an object.

    """
    for row, value in enumerate(values, 1):
        if not isinstance(value, dict):
            raise refusal(Reading.SHAPE, file=file, row=row, detail="an object was expected")
    return Records(file, "row", tuple(values[0]) if values else (), enumerate(values, 1))


def table(source: Source) -> Records:
    """Read CSV, TSV or Parquet by its header.

    Raises:
        FormatError: the header is not one, or the table is damaged.

    """
    if source.data.startswith(PARQUET):
        return _parquet(source)
    return _tsv(source) if "\t" in _first_line(source) else _csv(source)


def header_of(source: Source) -> tuple[str, ...]:
    """Give the fields of a file's first line, as a table would have them; nothing for one that is not well-formed."""
    line = _first_line(source)
    if "\t" in line:
        return tuple(line.removesuffix("\t").split("\t"))
    # A lone carriage return ends no line, and csv would take it for an end.
    return tuple(next(csv.reader([line]), ())) if _QUOTED_RECORD.fullmatch(line) and "\r" not in line else ()


def names_columns(fields: Iterable[str], *roles: Sequence[str]) -> bool:
    """Whether some field goes by a name of each role: what tells a header from a first row."""
    lower = {field.casefold() for field in fields}
    return all(not lower.isdisjoint(role) for role in roles)


def _first_line(source: Source) -> str:
    return source.head(1)[0]


def _object(text: str, file: str, line: int) -> dict[str, Any]:
    value = parse_json(text, file, line)
    if not isinstance(value, dict):
        raise refusal(Reading.SHAPE, file=file, line=line, detail="one JSON object a line was expected")
    return value


def _tsv(source: Source) -> Records:
    lines = source.lines()
    header = next(lines)[1].removesuffix("\t").split("\t")

    def fields() -> Iterator[tuple[int, list[str]]]:
        for number, line in lines:
            values = line.split("\t")
            if len(values) == len(header) + 1 and values[-1] == "":
                values.pop()
            yield number, values

    return _rectangular(source.name, header, fields())


def _csv(source: Source) -> Records:
    lines = source.text().split("\n")
    reader = csv.reader((f"{line}\n" for line in lines), strict=True)

    def fields() -> Iterator[tuple[int, list[str]]]:
        start = 0
        while True:
            try:
                values = next(reader, None)
            except csv.Error as error:
                detail = "a carriage return stands in it" if "new-line" in str(error) else str(error)
                raise refusal(Reading.QUOTING, file=source.name, line=start + 1, detail=detail) from None
            if values is None:
                return
            raw = "\n".join(lines[start : reader.line_num]).removesuffix("\r")
            if '"' in raw and not _QUOTED_RECORD.fullmatch(raw):
                detail = "a quote stands in an unquoted field"
                raise refusal(Reading.QUOTING, file=source.name, line=start + 1, detail=detail)
            if values:
                yield start + 1, values
            start = reader.line_num

    rows = fields()
    return _rectangular(source.name, next(rows)[1], rows)


def _rectangular(file: str, header: list[str], rows: Iterator[tuple[int, list[str]]]) -> Records:
    if len(set(header)) != len(header):
        raise refusal(Reading.HEADER, file=file, line=1, detail="two columns have the same name")

    def records() -> Iterator[tuple[int, Record]]:
        faults = Faults()
        for number, values in rows:
            if len(values) == len(header):
                yield number, dict(zip(header, values, strict=True))
            else:
                detail = f"{len(values)} fields, {len(header)} expected"
                faults.add(Fault(Reading.FIELD_COUNT, file=file, line=number, detail=detail))
        faults.refuse(FormatError)

    return Records(file, "line", tuple(header), records(), typed=False)


def _parquet(source: Source) -> Records:
    import pyarrow as pa  # noqa: PLC0415 - half a second that only Parquet is worth
    from pyarrow import parquet  # noqa: PLC0415

    try:
        content = parquet.read_table(io.BytesIO(source.data))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise refusal(Reading.FORMAT, file=source.name, detail=f"damaged Parquet: {error}") from error

    def records() -> Iterator[tuple[int, Record]]:
        number = 0
        for batch in content.to_batches(max_chunksize=65_536):
            for row in batch.to_pylist():
                number += 1
                yield number, row

    not_text = {column.name: str(column.type) for column in content.schema if not _is_text(column.type)}
    return Records(source.name, "row", tuple(content.column_names), records(), not_text)


def _is_text(arrow_type: Any) -> bool:
    from pyarrow import types  # noqa: PLC0415

    plain = arrow_type.value_type if types.is_dictionary(arrow_type) else arrow_type
    return bool(types.is_string(plain) or types.is_large_string(plain) or types.is_string_view(plain))
