"""Large tables (TREC, MS MARCO, CSV, TSV, Parquet), read piece by piece into columns by pyarrow."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa
from pyarrow import csv

from rankeval.formats.records import DOCUMENT, QUERY, RANK, SCORE, Records, header_of
from rankeval.formats.source import BYTE_ORDER_MARK, Source
from rankeval.formats.table_columns import Table, TableColumns
from rankeval.formats.trec import tag_note

BLOCK = 2 * 2**20
"""What pyarrow gives to a thread at a time."""

_THREADS = os.cpu_count() or 1
"""In so many stretches a file is read, each by a thread."""

_PIECE = 8 * 2**20
ROWS = 2**17
"""So many bytes of text or rows of Parquet are read at a time; what is made of them stays in the processor's cache."""

_POOL = pa.system_memory_pool()
"""It hands the memory of a piece on to the next, where pyarrow's default gives it back to the system and asks again."""

_Stretch = TypeVar("_Stretch")
_Read = TypeVar("_Read")

_TREC_COLUMNS = ("query", "iteration", "document", "rank", "score", "tag")
_MSMARCO_COLUMNS = ("query", "document", "rank")


def read_large_table(source: Source, run_format: str) -> Table | None:
    """Read a table that is plain beyond doubt; None for any other.

    Args:
        source: the file.
        run_format: `trec`, `msmarco`, `csv`, `tsv` or `parquet`.

    Raises:
        pyarrow.ArrowException: pyarrow finds that it is not.

    """
    if run_format == "parquet":
        return _parquet_table(source)
    if run_format in {"trec", "msmarco"}:
        names = _TREC_COLUMNS if run_format == "trec" else _MSMARCO_COLUMNS
        delimiter = "\t" if "\t" in source.head(1)[0] else " "
        # TREC is split at both, so that a file with both is left to the reader that does so.
        foreign = {" ": b"\t", "\t": b" " if run_format == "trec" else None}[delimiter]
        return _text_table(source, names, dict(zip(names, names, strict=True)), delimiter, foreign)
    if run_format not in {"csv", "tsv"}:
        return None
    header = Records(source.name, "line", header_of(source), ())
    delimiter, foreign = ("\t", None) if run_format == "tsv" else (",", b'"')
    return _text_table(source, header.fields, _roles(header), delimiter, foreign, header)


def _roles(header: Records) -> dict[str, str]:
    """Say which column plays which part."""
    names = {"query": QUERY, "document": DOCUMENT, "rank": RANK, "score": SCORE}
    return {role: name for role, each in names.items() if (name := header.named(each)) is not None}


def _text_table(
    source: Source,
    names: Sequence[str],
    roles: Mapping[str, str],
    delimiter: str,
    foreign: bytes | None,
    header: Records | None = None,
) -> Table | None:
    """Read separated text; `roles` says which column plays which part, and `foreign` is what may not occur in it."""
    if len(set(names)) != len(names) or not roles.keys() >= {"query", "document"}:
        return None
    few = pa.dictionary(pa.int32(), pa.string())
    types = {name: few if role == "query" else pa.string() for role, name in roles.items()}
    text = _Text(
        source,
        roles,
        foreign,
        header,
        csv.ReadOptions(column_names=list(names), block_size=BLOCK, use_threads=False),
        csv.ParseOptions(
            delimiter=delimiter, quote_char=False, double_quote=False, escape_char=False, ignore_empty_lines=False
        ),
        csv.ConvertOptions(column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False),
    )
    stretches = read_apart(text.columns, source.stretches(min(_THREADS, 1 + source.size // _PIECE)))
    if stretches is None:
        return None
    notes = header.others(roles.values()) if header is not None else ()
    if "tag" in roles:
        notes = (tag_note(source.name, source.head(1)[0].rsplit(delimiter, 1)[1]),)
    return TableColumns.table(stretches, notes, first_line=1 if header is None else 2)


def shares(count: int) -> list[slice]:
    """Cut so many things into a stretch for each thread."""
    each = -(-count // _THREADS) or 1
    return [slice(first, first + each) for first in range(0, count, each)]


def read_apart(read: Callable[[_Stretch], _Read | None], stretches: Sequence[_Stretch]) -> list[_Read] | None:
    """Read the stretches of a file, each in a thread of its own; None where one is not plain beyond doubt.

    pyarrow is told to use no threads inside: they would stand still between one call of it and the next.
    """
    with ThreadPoolExecutor(max(1, len(stretches))) as threads:
        columns = list(threads.map(read, stretches))
    plain = [each for each in columns if each is not None]
    return plain if len(plain) == len(columns) else None


@dataclass(frozen=True, slots=True)
class _Text:
    """Separated text, and how it is read.

    Attributes:
        source: the file.
        roles: which column plays which part.
        foreign: what may not occur in it.
        header: its first line, where that names the columns.
        reading: pyarrow's options.
        parsing: likewise.
        conversion: likewise.

    """

    source: Source
    roles: Mapping[str, str]
    foreign: bytes | None
    header: Records | None
    reading: csv.ReadOptions
    parsing: csv.ParseOptions
    conversion: csv.ConvertOptions

    def columns(self, stretch: tuple[int, int]) -> TableColumns | None:
        """Read the rows of a stretch of the file; None where they are not plain beyond doubt."""
        columns = TableColumns()
        start = stretch[0]
        for content in self.source.pieces(_PIECE, stretch):
            piece = content if start else self._without_head(content)
            start += len(content)
            if not piece:
                continue
            rows = self._rows(piece)
            if rows is None or not columns.add({role: rows[name] for role, name in self.roles.items()}):
                return None
        columns.close()
        return columns

    def _without_head(self, piece: bytes) -> bytes:
        """Take from the beginning of the file what is no row."""
        piece = piece.removeprefix(BYTE_ORDER_MARK)
        return piece if self.header is None else piece.partition(b"\n")[2]

    def _rows(self, piece: bytes) -> pa.Table | None:
        # pyarrow drops a byte-order mark at the start of whatever it is given; here it would be part of an ID.
        if piece.startswith(BYTE_ORDER_MARK) or (self.foreign is not None and self.foreign in piece):
            return None
        if b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n"):
            return None
        return csv.read_csv(
            pa.py_buffer(piece),
            read_options=self.reading,
            parse_options=self.parsing,
            convert_options=self.conversion,
            memory_pool=_POOL,
        )


def _parquet_table(source: Source) -> Table | None:
    from pyarrow import parquet  # noqa: PLC0415 - no other format needs it

    metadata = parquet.read_metadata(pa.BufferReader(source.data))
    header = Records(source.name, "row", tuple(metadata.schema.to_arrow_schema().names), ())
    roles = _roles(header)
    if not roles.keys() >= {"query", "document"}:
        return None

    def columns(groups: range) -> TableColumns | None:
        # The few queries come as dictionaries, which most files hold anyway; of the many documents a file holds part in
        # a dictionary and part as they are, and to make one of them takes longer than to number them all.
        file = parquet.ParquetFile(pa.BufferReader(source.data), metadata=metadata, read_dictionary=[roles["query"]])
        columns = TableColumns()
        for batch in file.iter_batches(ROWS, list(groups), list(roles.values()), use_threads=False):
            batch.validate(full=True)  # a damaged file may number what its dictionary does not hold
            if not columns.add({role: pa.chunked_array([batch[name]]) for role, name in roles.items()}):
                return None
        columns.close()
        return columns

    groups = range(metadata.num_row_groups)
    stretches = read_apart(columns, [groups[share] for share in shares(len(groups))])
    return None if stretches is None else TableColumns.table(stretches, header.others(roles.values()), None)
