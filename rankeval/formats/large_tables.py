"""Large tables (TREC, MS MARCO, CSV, TSV, Parquet), read piece by piece into columns by pyarrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    types = {name: pa.string() if role in {"document", "score"} else few for role, name in roles.items()}
    parse = csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False, escape_char=False)
    convert = csv.ConvertOptions(
        column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False
    )
    columns = TableColumns()
    notes = header.others(roles.values()) if header is not None else ()
    for number, content in enumerate(source.pieces(_PIECE)):
        piece = content if number else content.removeprefix(BYTE_ORDER_MARK)
        if header is not None and not number:
            piece = piece[piece.find(b"\n") + 1 :] if b"\n" in piece else b""
        if not piece:
            continue
        # pyarrow drops a byte-order mark at the start of whatever it is given; here it would be part of an ID.
        if piece.startswith(BYTE_ORDER_MARK):
            return None
        if (foreign is not None and foreign in piece) or piece.count(b"\r") != piece.count(b"\r\n"):
            return None
        table = csv.read_csv(
            pa.py_buffer(piece),
            read_options=csv.ReadOptions(column_names=list(names), block_size=BLOCK),
            parse_options=parse,
            convert_options=convert,
        )
        parts = {role: table[name] for role, name in roles.items()}
        if table.num_rows != piece.count(b"\n") + (not piece.endswith(b"\n")) or not columns.add(parts):
            return None
        if "tag" in parts and not notes:
            notes = (tag_note(source.name, parts["tag"][0].as_py()),)
    return columns.table(notes, first_line=1 if header is None else 2)


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
