"""Corpus, queries and judgments, each from a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rankeval.core.contract import Fault
from rankeval.formats import records, tables, trec
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_places import Lines
from rankeval.formats.json_records import begins_json, is_json_lines, is_json_text, is_record, json_array, json_lines
from rankeval.formats.json_text import parse_json
from rankeval.formats.judgments import Judgments
from rankeval.formats.source import Source

_NOTHING = (None, "")

_LINES = 20
"""So many lines are looked at where the first fits no format."""


@dataclass(frozen=True, slots=True)
class Part:
    """The documents or the queries of a source.

    Attributes:
        file: its name.
        content: ID -> document, or ID -> metadata.
        notes: which of its fields are not used.
        splits: query ID -> every split that its own record states.

    """

    file: str
    content: dict[str, Any]
    notes: tuple[str, ...] = ()
    splits: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


def read_corpus(source: Source) -> Part:
    """Read documents: from records each becomes `{"title", "text"}`, or its text alone where there is no title.

    Raises:
        FormatError: the file cannot be read, or an ID is not text or stands twice.

    """
    if (value := _json_object(source, records.OWN_ID + records.DOCUMENT, ("text",))) is not None:
        return Part(source.name, value)

    content = records_of(source)
    text_field, title_field = content.needed(("text",)), content.called("title")

    def document(identifier: str, record: Mapping[str, Any], place: Mapping[str, Any]) -> Any:
        title, text = record.get(title_field), record[text_field]
        if title is not None and not isinstance(title, str):
            detail = f"title is {records.shown(title)} and must be text"
            content.faults.add(Fault(Reading.SHAPE, document=identifier, detail=detail, **place))
        return {"title": title, "text": text} if title else text

    return _part(content, records.DOCUMENT, text_field, document, (title_field,))


def read_queries(source: Source) -> Part:
    """Read queries: from records each becomes `{"text", "split"}`, and `group` where it has one.

    Raises:
        FormatError: the file cannot be read, or an ID is not text or stands twice.

    """
    if (value := _json_object(source, records.OWN_ID + records.QUERY, ("text",))) is not None:
        return queries_object(value, source.name)
    content = records_of(source)
    text_field = content.needed(("text",))
    split_field, group_field, metadata_field = map(content.called, ("split", "group", "metadata"))
    splits: dict[str, tuple[Any, ...]] = {}
    nested: dict[str, None] = {}

    def query(identifier: str, record: Mapping[str, Any], _place: Mapping[str, Any]) -> dict[str, Any]:
        metadata = record.get(metadata_field)
        splits[identifier] = _stated_splits(record.get(split_field), metadata)
        if isinstance(metadata, dict):
            nested.update(dict.fromkeys(f"metadata.{key}" for key in metadata if key != "split"))
        elif metadata not in _NOTHING:
            nested["metadata"] = None
        group = record.get(group_field)
        return {"text": record[text_field], **({"group": group} if group not in _NOTHING else {})}

    part = _part(content, records.QUERY, text_field, query, (split_field, group_field, metadata_field))
    notes = (f"{content.file}: not used: {', '.join(nested)}",) if nested else ()
    return replace(part, splits=splits, notes=part.notes + notes)


def queries_object(value: Mapping[str, Any], file: str) -> Part:
    """Take queries from an object: query -> metadata, or the text alone."""
    content = {query: {"text": each} if isinstance(each, str) else each for query, each in value.items()}
    splits = {
        query: _stated_splits(each.get("split"), each.get("metadata"))
        for query, each in content.items()
        if isinstance(each, dict)
    }
    return Part(file, content, splits=splits)


def read_qrels(source: Source) -> Judgments:
    """Read judgments from JSON, JSONL, TREC qrels, CSV, TSV or Parquet.

    Raises:
        FormatError: the file cannot be read, a label is no whole number, or a pair is judged twice.

    """
    if tables.is_parquet(source):
        return _judged_records(tables.table(source))
    first = source.head(1)[0]
    if begins_json(first) and not (trec.looks_like_trec_qrels(first) and not is_json_text(source)):
        value = _json_object(source, records.QUERY, records.DOCUMENT)
        if value is not None:
            return judged_object(value, source.text(), source.name)
        return _judged_records(records_of(source))
    if records.names_columns(records.header_of(source), records.QUERY, records.DOCUMENT):
        return _judged_records(tables.table(source))
    if len(trec.fields_of(first)) == trec.QRELS_FIELDS or any(map(trec.looks_like_trec_qrels, source.head(_LINES))):
        return trec.read_trec_qrels(source)
    source.refuse_other_encodings()
    detail = (
        "the first line names no query, document and label; only TREC judgments, of 4 fields a line, have no header"
    )
    raise refusal(Reading.HEADER, file=source.name, line=1, detail=detail)


def _json_object(source: Source, *roles: Sequence[str]) -> dict[str, Any] | None:
    """Give a file's content where it is one JSON object by ID; None where it is records of any kind."""
    if tables.is_parquet(source) or not source.head(1)[0].lstrip(" \t").startswith("{") or is_json_lines(source):
        return None
    value: dict[str, Any] = parse_json(source.text(), source.name)
    return None if is_record(value, *roles) else value


def records_of(source: Source) -> records.Records:
    """Read the records of a file: JSON lines, a JSON list or object, CSV, TSV or Parquet.

    Raises:
        FormatError: the file cannot be read, or has no records.

    """
    if tables.is_parquet(source) or not begins_json(source.head(1)[0]):
        return tables.table(source)
    if is_json_lines(source):
        return json_lines(source)
    value = parse_json(source.text(), source.name)
    return json_array(value if isinstance(value, list) else [value], source.name)


def _part(
    content: records.Records,
    names: Sequence[str],
    text_field: str,
    make: Callable[[str, Mapping[str, Any], Mapping[str, Any]], Any],
    used: Sequence[str],
) -> Part:
    """Gather records by ID."""
    id_field = content.needed_id(names, rather=records.OWN_ID)
    faults = content.faults
    gathered: dict[str, Any] = {}
    first: dict[str, int] = {}
    for where, record in content:
        identifier, place = record.get(id_field), content.place(where)
        if fault := records.id_fault(identifier, id_field, place):
            faults.add(fault)
        elif identifier in gathered:
            detail = f"{identifier!r}, first on {content.unit} {first[str(identifier)]}"
            faults.add(Fault(Reading.REPEATED_ID, detail=detail, **place))
        elif not isinstance(record.get(text_field), str):
            detail = f"{text_field} is {records.shown(record.get(text_field))} and must be text"
            faults.add(Fault(Reading.SHAPE, detail=detail, **place))
        else:
            gathered[str(identifier)] = make(str(identifier), record, place)
            first[str(identifier)] = where
    faults.refuse(FormatError)
    return Part(content.file, gathered, content.others((id_field, text_field, *used)))


def _stated_splits(split: Any, metadata: Any) -> tuple[Any, ...]:
    """Give the splits that a query states, in `split` and in `metadata.split`; an empty cell states none."""
    nested = metadata.get("split") if isinstance(metadata, dict) else None
    return tuple(each for each in (split, nested) if each not in _NOTHING)


def judged_object(value: object, text: str, file: str, way: tuple[str, ...] = ()) -> Judgments:
    """Take judgments from an object: query -> document -> label.

    Args:
        value: the object.
        text: the JSON text that it comes from, in which faults are looked for.
        file: the file's name.
        way: the keys that lead to it.

    Raises:
        FormatError: it is not of that shape.

    """
    lines = Lines(text)

    def find(query: str, document: str | None) -> int | None:
        return lines.of((*way, query) if document is None else (*way, query, document))

    judgments = Judgments(file, "line", find=find)
    if not isinstance(value, dict):
        raise refusal(Reading.SHAPE, file=file, detail="judgments are an object: query -> document -> label")
    for query, labels in value.items():
        judgments.labels[query] = {}
        if isinstance(labels, dict):
            for document, label in labels.items():
                judgments.add(query, document, label, None)
        else:
            judgments.fault(Reading.SHAPE, query, None, "its judgments are an object: document -> label")
    judgments.faults.refuse(FormatError)
    return judgments


def _judged_records(content: records.Records) -> Judgments:
    query_field, document_field = content.needed_id(records.QUERY), content.needed_id(records.DOCUMENT)
    label_field = content.needed(records.LABEL)
    judgments = Judgments(content.file, content.unit, faults=content.faults)
    for where, record in content:
        query, document, place = record.get(query_field), record.get(document_field), content.place(where)
        fault = records.id_fault(query, query_field, place) or records.id_fault(document, document_field, place)
        if fault is not None:
            judgments.faults.add(fault)
        elif content.typed:
            judgments.add(str(query), str(document), record.get(label_field), where)
        else:
            judgments.add_text(str(query), str(document), record[label_field], where)
    judgments.faults.refuse(FormatError)
    judgments.notes = content.others((query_field, document_field, label_field))
    return judgments
