"""Large tables (TREC, MS MARCO, CSV, TSV, Parquet), read piece by piece into columns by pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa
from pyarrow import csv, parquet

from rankeval.formats.records import DOCUMENT, QUERY, RANK, SCORE, Records, header_of
from rankeval.formats.source import BYTE_ORDER_MARK, Source
from rankeval.formats.table_columns import Table, TableColumns
from rankeval.formats.trec import tag_note

BLOCK = 2 * 2**20
"""What pyarrow gives to a thread at a time."""

_PIECE = 16 * 2**20
_ROWS = 1_000_000

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
    data = source.data.removeprefix(BYTE_ORDER_MARK)
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        return None
    if run_format in {"trec", "msmarco"}:
        tabs = b"\t" in data
        if tabs and run_format == "trec" and b" " in data:
            return None
        names = _TREC_COLUMNS if run_format == "trec" else _MSMARCO_COLUMNS
        return _text_table(data, names, dict(zip(names, names, strict=True)), "\t" if tabs else " ", source.name)
    if run_format not in {"csv", "tsv"} or (run_format == "csv" and b'"' in data):
        return None
    header = Records(source.name, "line", header_of(source), ())
    delimiter = "\t" if run_format == "tsv" else ","
    return _text_table(data, header.fields, _roles(header), delimiter, source.name, header)


def _roles(header: Records) -> dict[str, str]:
    """Say which column plays which part."""
    names = {"query": QUERY, "document": DOCUMENT, "rank": RANK, "score": SCORE}
    return {role: name for role, each in names.items() if (name := header.named(each)) is not None}


def _text_table(
    data: bytes,
    names: Sequence[str],
    roles: Mapping[str, str],
    delimiter: str,
    file: str,
    header: Records | None = None,
) -> Table | None:
    """Read separated text; `roles` says which of the named columns plays which part."""
    if len(set(names)) != len(names) or not roles.keys() >= {"query", "document"}:
        return None
    few = pa.dictionary(pa.int32(), pa.string())
    types = {name: pa.string() if role in {"document", "score"} else few for role, name in roles.items()}
    convert = csv.ConvertOptions(
        column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False
    )
    parse = csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False, escape_char=False)
    columns = TableColumns()
    notes = header.others(roles.values()) if header is not None else ()
    view = memoryview(data)
    for start, end in _pieces(data, data.find(b"\n") + 1 if header is not None else 0):
        content = csv.read_csv(
            pa.py_buffer(view[start:end]),
            read_options=csv.ReadOptions(column_names=list(names), block_size=BLOCK),
            parse_options=parse,
            convert_options=convert,
        )
        lines = data.count(b"\n", start, end) + (data[end - 1] != ord("\n"))
        parts = {role: content[name] for role, name in roles.items()}
        if content.num_rows != lines or not columns.add(parts):
            return None
        if "tag" in parts and not notes:
            notes = (tag_note(file, parts["tag"][0].as_py()),)
    return columns.table(notes, first_line=1 if header is None else 2)


def _pieces(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Cut text into pieces of whole lines: what pyarrow makes of a piece is larger than the piece."""
    while start < len(data):
        end = data.find(b"\n", start + _PIECE) + 1 or len(data)
        yield start, end
        start = end


def _parquet_table(source: Source) -> Table | None:
    file = parquet.ParquetFile(pa.BufferReader(source.data))
    header = Records(source.name, "row", tuple(file.schema_arrow.names), ())
    roles = _roles(header)
    if not roles.keys() >= {"query", "document"}:
        return None
    columns = TableColumns()
    for batch in file.iter_batches(_ROWS, columns=list(roles.values())):
        if not columns.add({role: pa.chunked_array([batch[name]]) for role, name in roles.items()}):
            return None
    return columns.table(header.others(roles.values()), None)
