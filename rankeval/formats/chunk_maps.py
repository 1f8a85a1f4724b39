"""Chunk maps: which document each chunk belongs to, from JSON or a table of two columns."""

from __future__ import annotations

from pathlib import Path

from rankeval.core.contract import Fault, Faults
from rankeval.formats import records, tables
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_places import Lines
from rankeval.formats.json_records import begins_json, is_json_lines, is_record, json_array, json_lines
from rankeval.formats.json_text import parse_json
from rankeval.formats.source import Source


def read_chunk_map(given: Source | str | Path) -> dict[str, str]:
    """Read a chunk map: chunk ID -> document ID.

    Args:
        given: a path, `-` for standard input, or a `Source`.

    Raises:
        FormatError: the file cannot be read, holds an ID that is not text, or maps a chunk twice.

    """
    source = Source.of(given)
    if not tables.is_parquet(source) and begins_json(source.head(1)[0]):
        return _from_json(source)
    return _from_records(tables.table(source))


def _from_json(source: Source) -> dict[str, str]:
    if is_json_lines(source):
        return _from_records(json_lines(source))
    text = source.text()
    value = parse_json(text, source.name)
    if isinstance(value, list):
        return _from_records(json_array(value, source.name))
    if is_record(value, records.CHUNK, records.DOCUMENT) and len(value) == len(("chunk", "document")):
        detail = "a record of one chunk, or a map of two; write it as a list: [{...}], or as a table"
        raise refusal(Reading.TWO_FORMATS, file=source.name, detail=detail)
    faults = Faults()
    lines = Lines(text)
    for chunk, document in value.items():
        place = {"file": source.name}
        if fault := records.id_fault(document, "the document", place):
            faults.add(Fault(fault.rule, chunk=chunk, detail=fault.detail, file=source.name, line=lines.of((chunk,))))
    faults.refuse(FormatError)
    return dict(value)


def _from_records(content: records.Records) -> dict[str, str]:
    chunk_field, document_field = content.needed_id(records.CHUNK), content.needed_id(records.DOCUMENT)
    faults = content.faults
    chunk_to_doc: dict[str, str] = {}
    first: dict[str, int] = {}
    for where, record in content:
        chunk, document = record.get(chunk_field), record.get(document_field)
        place = content.place(where)
        fault = records.id_fault(chunk, chunk_field, place) or records.id_fault(document, document_field, place)
        if fault is not None:
            faults.add(fault)
        elif chunk in chunk_to_doc:
            detail = f"first on {content.unit} {first[str(chunk)]}"
            faults.add(Fault(Reading.REPEATED_ID, chunk=str(chunk), detail=detail, **place))
        else:
            chunk_to_doc[str(chunk)] = str(document)
            first[str(chunk)] = where
    if others := content.others((chunk_field, document_field)):
        faults.add(Fault(Reading.HEADER, file=content.file, detail=f"a chunk map has two columns; {others[0]}"))
    faults.refuse(FormatError)
    return chunk_to_doc
