"""Corpus, queries and judgments, each from a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rankeval.core.contract import Fault, Faults
from rankeval.formats import records, trec
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_places import Lines
from rankeval.formats.json_text import parse_json
from rankeval.formats.judgments import Judgments
from rankeval.formats.source import Source


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
    if (value := _json_object(source)) is not None:
        return Part(source.name, value)

    def document(_identifier: str, record: Mapping[str, Any]) -> Any:
        title = record.get("title")
        return {"title": title, "text": record["text"]} if title else record["text"]

    return _part(_records(source), records.DOCUMENT, document, ("title", "text"))


def read_queries(source: Source) -> Part:
    """Read queries: from records each becomes `{"text", "split"}`, and `group` where it has one.

    Raises:
        FormatError: the file cannot be read, or an ID is not text or stands twice.

    """
    value = _json_object(source)
    if value is not None:
        return queries_object(value, source.name)
    splits: dict[str, tuple[Any, ...]] = {}

    def query(identifier: str, record: Mapping[str, Any]) -> dict[str, Any]:
        splits[identifier] = _stated_splits(record)
        group = {"group": record["group"]} if record.get("group") is not None else {}
        return {"text": record["text"], **group}

    part = _part(_records(source), records.QUERY, query, ("text", "split", "group", "metadata"))
    return replace(part, splits=splits)


def queries_object(value: Mapping[str, Any], file: str) -> Part:
    """Take queries from an object: query -> metadata, or the text alone."""
    content = {query: {"text": each} if isinstance(each, str) else each for query, each in value.items()}
    splits = {query: _stated_splits(each) for query, each in content.items() if isinstance(each, dict)}
    return Part(file, content, splits=splits)


def read_qrels(source: Source) -> Judgments:
    """Read judgments from JSON, JSONL, TREC qrels, CSV, TSV or Parquet.

    Raises:
        FormatError: the file cannot be read, a label is no whole number, or a pair is judged twice.

    """
    if source.data.startswith(records.PARQUET):
        return _judged_records(records.table(source))
    if (value := _json_object(source)) is not None:
        return judged_object(value, source.text(), source.name)
    first = source.head(1)[0]
    if first.lstrip(" \t").startswith(("{", "[")):
        return _judged_records(_records(source))
    if records.names_columns(records.header_of(source), records.QUERY, records.DOCUMENT, records.LABEL):
        return _judged_records(records.table(source))
    if trec.looks_like_trec_qrels(first) or len(trec.fields_of(first)) == trec.QRELS_FIELDS:
        return trec.read_trec_qrels(source)
    detail = (
        "the first line names no query, document and label; only TREC judgments, of 4 fields a line, have no header"
    )
    raise refusal(Reading.HEADER, file=source.name, line=1, detail=detail)


def _json_object(source: Source) -> dict[str, Any] | None:
    """Give a file's content where it is one JSON object by ID; None where it is records of any kind."""
    if source.data.startswith(records.PARQUET) or not source.text().lstrip().startswith("{"):
        return None
    if records.is_json_lines(source):
        return None
    value: dict[str, Any] = parse_json(source.text(), source.name)
    return value


def _records(source: Source) -> records.Records:
    if not source.data.startswith(records.PARQUET):
        text = source.text().lstrip()
        if text.startswith("["):
            return records.json_array(parse_json(text, source.name), source.name)
        if text.startswith("{"):
            return records.json_lines(source)
    return records.table(source)


def _part(
    content: records.Records, names: Sequence[str], make: Callable[[str, Mapping[str, Any]], Any], used: Sequence[str]
) -> Part:
    """Gather records by ID."""
    id_field = content.named(records.OWN_ID) or content.needed_id(names)
    content.needed_id((id_field,))
    faults = Faults()
    gathered: dict[str, Any] = {}
    first: dict[str, int] = {}
    for where, record in content.rows:
        identifier, place = record.get(id_field), content.place(where)
        if fault := records.id_fault(identifier, id_field, place):
            faults.add(fault)
        elif identifier in gathered:
            detail = f"{identifier!r}, first on {content.unit} {first[str(identifier)]}"
            faults.add(Fault(Reading.REPEATED_ID, detail=detail, **place))
        elif not isinstance(record.get("text"), str):
            detail = f"text is {records.shown(record.get('text'))} and must be text"
            faults.add(Fault(Reading.SHAPE, detail=detail, **place))
        else:
            gathered[str(identifier)] = make(str(identifier), record)
            first[str(identifier)] = where
    faults.refuse(FormatError)
    return Part(content.file, gathered, content.others((id_field, *used)))


def _stated_splits(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """Give the splits that a query's record states, in `split` and in `metadata.split`."""
    metadata = record.get("metadata")
    nested = metadata.get("split") if isinstance(metadata, dict) else None
    return tuple(split for split in (record.get("split"), nested) if split is not None)


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
        if not isinstance(labels, dict):
            detail = "its judgments are an object: document -> label"
            raise refusal(Reading.SHAPE, file=file, query=query, detail=detail)
        judgments.labels[query] = {}
        for document, label in labels.items():
            judgments.add(query, document, label, None)
    judgments.faults.refuse(FormatError)
    return judgments


def _judged_records(content: records.Records) -> Judgments:
    query_field, document_field = content.needed_id(records.QUERY), content.needed_id(records.DOCUMENT)
    label_field = content.needed(records.LABEL)
    judgments = Judgments(content.file, content.unit)
    for where, record in content.rows:
        query, document, place = record.get(query_field), record.get(document_field), content.place(where)
        fault = records.id_fault(query, query_field, place) or records.id_fault(document, document_field, place)
        if fault is not None:
            judgments.faults.add(fault)
        elif content.typed:
            judgments.add(str(query), str(document), record.get(label_field), where)
        else:
            judgments.add_text(str(query), str(document), record[label_field], where)
    judgments.faults.refuse(FormatError)
    return judgments
