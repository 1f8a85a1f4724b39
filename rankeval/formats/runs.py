"""Runs in every format that DESIGN.md names, told apart by content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rankeval.core.run import Run
from rankeval.formats import records, tables, trec
from rankeval.formats.catalogue import Reading, refusal
from rankeval.formats.json_records import begins_json, is_json_lines, is_json_text, json_lines
from rankeval.formats.json_runs import read_json_run
from rankeval.formats.record_runs import json_record_run, ordered_run, record_run
from rankeval.formats.rows import UNDECLARED, Ordering
from rankeval.formats.source import LARGE, Source

_LONGEST_ROW = 2**16
"""A first line longer than this that looks like JSON is not looked at as a row of text."""


_LINES = 20
"""So many lines are looked at where the first fits no format."""


def read_run(
    given: Source | str | Path,
    *,
    name: str | None = None,
    ordering: Ordering = UNDECLARED,
    input_format: str | None = None,
) -> Run:
    """Read a run, or a chunk run, for exactly what its file says.

    Args:
        given: a path, `-` for standard input, or a `Source`.
        name: what to call the run; by default the file's own `name`, else the file's name without its endings.
        ordering: what is declared of the order of its rows.
        input_format: one of `RUN_FORMATS`, for a file that fits two.

    Raises:
        FormatError: the file cannot be read, or leaves its order open, or says something that no run can say.

    """
    source = Source.of(given)
    if input_format is not None and input_format not in RUN_FORMATS:
        detail = f"--input-format {input_format}; a run is one of {', '.join(RUN_FORMATS)}"
        raise refusal(Reading.OPTION, file=source.name, detail=detail)
    found = input_format or run_format(source)
    run = _large_run(source, found, ordering) or RUN_FORMATS[found](source, ordering)
    return replace(run, name=name or run.name or source.stem, source=source.name)


def _large_run(source: Source, found: str, ordering: Ordering) -> Run | None:
    """Read a file in columns, where that can be done beyond doubt and pays."""
    if source.size < LARGE and found != "parquet":
        return None
    from rankeval.formats.large import read_large_run  # noqa: PLC0415 - it loads pyarrow, which small text goes without

    return read_large_run(source, found, ordering)


def run_format(source: Source) -> str:
    """Tell which of `RUN_FORMATS` a file is in.

    Raises:
        FormatError: it is in none, or could be in two.

    """
    if tables.is_parquet(source):
        return "parquet"
    first = source.head(1)[0]
    if not begins_json(first):
        header = records.header_of(source)
        fits = _text_formats(first, header)
    elif is_json_lines(source):
        return "jsonl"
    else:
        fits = _text_formats(first, ()) if len(first) <= _LONGEST_ROW else []
        if not fits or is_json_text(source):
            fits.append("json")
    if len(fits) > 1:
        detail = f"--input-format {' or '.join(fits)}"
        raise refusal(Reading.TWO_FORMATS, file=source.name, line=1, detail=detail)
    return fits[0] if fits else _nearest_format(source, first, header)


def _text_formats(first: str, header: tuple[str, ...]) -> list[str]:
    return [
        name
        for name, fit in (
            ("trec", trec.looks_like_trec_run(first)),
            ("msmarco", trec.looks_like_msmarco_run(first)),
            (
                "tsv" if "\t" in first else "csv",
                records.names_columns(header, records.QUERY, records.DOCUMENT)
                and records.names_columns(header, records.RANK + records.SCORE),
            ),
        )
        if fit
    ]


def _nearest_format(source: Source, first: str, header: tuple[str, ...]) -> str:
    """Choose the format whose reader says best what is wrong with a file that fits none.

    Raises:
        FormatError: no reader could say anything of it.

    """
    source.refuse_other_encodings()
    fields = trec.fields_of(first)
    if records.names_columns(header, records.QUERY, records.DOCUMENT):
        return "tsv" if "\t" in first else "csv"
    if len(fields) == trec.RUN_FIELDS:
        return "trec"
    # Where only the first line is amiss, those after it tell what the file is.
    for line in source.head(_LINES):
        if trec.looks_like_trec_run(line):
            return "trec"
        if trec.looks_like_msmarco_run(line):
            return "msmarco"
    if any(each in first for each in "\t,;\r"):
        detail = "the first line names no query and document; a TREC run has 6 fields a line, MS MARCO 3"
        if "\r" in first:
            detail = "a carriage return stands in the first line; lines end at LF or CR LF"
        elif ";" in first:
            detail = "the first line has semicolons; fields are separated by commas or tabs"
        raise refusal(Reading.HEADER, file=source.name, line=1, detail=detail)
    counted = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
    detail = f"{counted}; a TREC run has {trec.RUN_FIELDS} a line, MS MARCO {trec.MSMARCO_FIELDS}"
    raise refusal(Reading.FIELD_COUNT, file=source.name, line=1, detail=detail)


def _trec_run(source: Source, ordering: Ordering) -> Run:
    ordered, tag = trec.read_trec_run(source, ordering)
    return ordered_run(ordered, ordering, (trec.tag_note(source.name, tag),))


def _msmarco_run(source: Source, ordering: Ordering) -> Run:
    return ordered_run(trec.read_msmarco_run(source, ordering), ordering)


def _table_run(read: Callable[[Source], records.Records]) -> Callable[[Source, Ordering], Run]:
    return lambda source, ordering: record_run(read(source), ordering)


def _json_lines_run(source: Source, ordering: Ordering) -> Run:
    return json_record_run(json_lines(source), ordering)


RUN_FORMATS: dict[str, Callable[[Source, Ordering], Run]] = {
    "json": read_json_run,
    "jsonl": _json_lines_run,
    "trec": _trec_run,
    "msmarco": _msmarco_run,
    "csv": _table_run(tables.csv_table),
    "tsv": _table_run(tables.tsv_table),
    "parquet": _table_run(tables.parquet_table),
}
