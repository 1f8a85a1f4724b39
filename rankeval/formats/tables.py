"""Records in tables with a header: CSV, TSV and Parquet."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from itertools import dropwhile
from typing import Any

from rankeval.core.contract import Fault, Faults
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.csv_text import csv_rows
from rankeval.formats.records import Record, Records
from rankeval.formats.source import Source

_PARQUET = re.compile(rb"PAR[1E][\x00-\x08\x0e-\x1f]")
"""What follows the name of the format is no character of a text, even of one whose first ID is PAR1."""

_PARQUET_BEGINNING = 5

_FREE_ROWS = 1_000_000
_ROWS_A_BYTE = 200
"""Past the free rows, a Parquet file may hold this many rows for each of its bytes."""


def is_parquet(source: Source) -> bool:
    """Whether a file is Parquet."""
    return bool(_PARQUET.match(source.beginning(_PARQUET_BEGINNING)))


def table(source: Source) -> Records:
    """Read CSV, TSV or Parquet by its header.

    Raises:
        FormatError: the header is not one, or the table is damaged.

    """
    if is_parquet(source):
        return parquet_table(source)
    return tsv_table(source) if "\t" in source.head(1)[0] else csv_table(source)


def tsv_table(source: Source) -> Records:
    """Read TSV, also where nothing tells that it is.

    Raises:
        FormatError: it is none, or its header is not one.

    """
    lines = dropwhile(lambda line: not line[1].strip(" \t"), source.lines())
    number, first = next(lines)
    header = first.removesuffix("\t").split("\t")

    def fields() -> Iterator[tuple[int, list[str]]]:
        for number, line in lines:
            values = line.split("\t")
            if len(values) == len(header) + 1 and values[-1] == "":
                values.pop()
            yield number, values

    return _rectangular(source.name, number, header, fields())


def csv_table(source: Source) -> Records:
    """Read CSV, also where nothing tells that it is.

    Raises:
        FormatError: it is none, or its header is not one.

    """
    rows = dropwhile(lambda row: not any(value.strip(" ") for value in row[1]), csv_rows(source.text(), source.name))
    number, header = next(rows, (1, []))
    return _rectangular(source.name, number, header, rows)


def _rectangular(file: str, line: int, header: list[str], rows: Iterable[tuple[int, list[str]]]) -> Records:
    _refuse_repeated(header, file, line)
    faults = Faults()

    def records() -> Iterator[tuple[int, Record]]:
        for number, values in rows:
            if len(values) == len(header):
                yield number, dict(zip(header, values, strict=True))
            else:
                detail = f"{len(values)} fields, {len(header)} expected"
                faults.add(Fault(Reading.FIELD_COUNT, file=file, line=number, detail=detail))

    return Records(file, "line", tuple(header), records(), typed=False, faults=faults)


def _refuse_repeated(header: list[str], file: str, line: int | None) -> None:
    if repeated := {name for name in header if header.count(name) > 1}:
        raise refusal(Reading.HEADER, file=file, line=line, detail=f"two columns are called {min(repeated)!r}")


def parquet_table(source: Source) -> Records:
    """Read Parquet, also where nothing tells that it is.

    Raises:
        FormatError: it is none, or its header is not one.

    """
    import pyarrow as pa  # noqa: PLC0415 - half a second that only Parquet is worth
    from pyarrow import parquet  # noqa: PLC0415

    try:
        metadata = parquet.read_metadata(io.BytesIO(source.data))
        schema = metadata.schema.to_arrow_schema()
        _refuse_repeated(schema.names, source.name, None)
        if (rows := metadata.num_rows) > max(_FREE_ROWS, _ROWS_A_BYTE * source.size):
            raise refusal(Reading.COMPRESSION, file=source.name, detail=f"{rows} rows in {source.size} bytes")
        stored = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
        _refuse_expansion(stored, source)
        # Text comes as dictionaries: a page of one long text may stand for any number of rows.
        texts = [column.name for column in schema if _is_text(column.type)]
        content = parquet.ParquetFile(io.BytesIO(source.data), metadata=metadata, read_dictionary=texts).read()
        content.validate(full=True)
        content = _written_out(content, texts, source)
    except FormatError:
        raise
    except (pa.ArrowException, OSError, OverflowError, ValueError) as error:
        raise refusal(Reading.FORMAT, file=source.name, detail=f"damaged Parquet: {error}") from error

    def records() -> Iterator[tuple[int, Record]]:
        number = 0
        # Times are no part of anything here, and Python cannot hold all of them.
        columns = [column.name for column in content.schema if not pa.types.is_temporal(column.type)]
        for batch in content.select(columns).to_batches(max_chunksize=65_536):
            for row in _python_rows(batch, source.name):
                number += 1
                yield number, row

    not_text = {column.name: str(column.type) for column in content.schema if not _is_text(column.type)}
    return Records(source.name, "row", tuple(content.column_names), records(), not_text)


def _written_out(content: Any, texts: list[str], source: Source) -> Any:
    """Write dictionaries of text out as text, after looking at how much of it there would be."""
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import compute  # noqa: PLC0415

    size = 0
    for name in texts:
        for chunk in content[name].chunks:
            if pa.types.is_dictionary(chunk.type):
                lengths = compute.binary_length(chunk.dictionary).cast(pa.int64())
                size += compute.sum(lengths.take(chunk.indices)).as_py() or 0
    _refuse_expansion(size, source)
    for name in texts:
        if pa.types.is_dictionary(content.schema.field(name).type):
            at = content.schema.get_field_index(name)
            content = content.set_column(at, name, content[name].cast(pa.large_string()))
    return content


def _refuse_expansion(size: int, source: Source) -> None:
    if size > source.limit:
        raise refusal(Reading.COMPRESSION, file=source.name, detail=f"{size} bytes of text in {source.size}")


def _python_rows(batch: Any, file: str) -> list[dict[str, Any]]:
    try:
        rows: list[dict[str, Any]] = batch.to_pylist()
    except (ValueError, OverflowError, NotImplementedError) as error:
        raise refusal(Reading.FORMAT, file=file, detail=f"a value that cannot be read: {error}") from error
    return rows


def _is_text(arrow_type: Any) -> bool:
    from pyarrow import types  # noqa: PLC0415

    plain = arrow_type.value_type if types.is_dictionary(arrow_type) else arrow_type
    return bool(types.is_string(plain) or types.is_large_string(plain) or types.is_string_view(plain))
