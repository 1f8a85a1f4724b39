"""Changes of judgments to propose: from JSON lines or a table, a changed pair a record; and to JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rankeval.core.contract import Fault, Faults, Place, Rule
from rankeval.core.provenance import LabelChange
from rankeval.formats import records
from rankeval.formats.catalogue import FormatError, Reading
from rankeval.formats.collection import records_of
from rankeval.formats.judgments import shown_label
from rankeval.formats.source import Source
from rankeval.formats.spreadsheet import ADDED

LABEL = ("label", "relevance", "rel", "grade")
WHO = ("who", "annotator")
WHY = ("why", "reason")

_LABELS = {"0": 0, "1": 1}


def read_label_changes(given: Source | str | Path) -> tuple[LabelChange, ...]:
    """Read changes of judgments from JSON lines, a JSON list, CSV, TSV or Parquet.

    A record has a query, a document, the label that it is to have (0 or 1), who proposes it and why; other fields are
    left aside.

    Args:
        given: a path, `-` for standard input, or a `Source`.

    Raises:
        FormatError: the file cannot be read, an ID is not text, or a label is not 0 or 1.

    """
    content = records_of(Source.of(given))
    query_field, document_field = content.needed_id(records.QUERY), content.needed_id(records.DOCUMENT)
    label_field, who_field, why_field = content.needed(LABEL), content.needed(WHO), content.needed(WHY)
    faults = content.faults
    changes: list[LabelChange] = []
    for where, record in content:
        query, document = record.get(query_field), record.get(document_field)
        who, why = record.get(who_field), record.get(why_field)
        label = _label(record.get(label_field), typed=content.typed)
        place = content.place(where)
        found = Faults()
        _check_ids(found, {query_field: query, document_field: document}, record, place)
        for name, text in ((who_field, who), (why_field, why)):
            if not isinstance(text, str):
                found.add(Fault(Reading.SHAPE, detail=f"{name} is {records.shown(text)} and must be text", **place))
        if label is None:
            found.add(Fault(Rule.LABELS, detail=f"the label is {shown_label(record.get(label_field))}", **place))
        elif not found.total:
            changes.append(LabelChange(str(query), str(document), label, str(who), str(why), Place(**place)))
        faults.add_many(found.total, found.kept)
    faults.refuse(FormatError)
    return tuple(changes)


def label_changes_jsonl(changes: Iterable[LabelChange]) -> bytes:
    """Write changes as JSON lines, which read back as the same changes."""
    return "".join(json.dumps(change.as_dict(), ensure_ascii=False) + "\n" for change in changes).encode()


def _label(value: object, *, typed: bool) -> int | None:
    """Give a label, which in a file of text is a digit; None where it is neither 0 nor 1."""
    if not typed:
        return _LABELS.get(str(value))
    return value if type(value) is int and value in {0, 1} else None


def _check_ids(
    faults: Faults, identifiers: Mapping[str, object], record: records.Record, place: Mapping[str, Any]
) -> None:
    """Collect what is no ID, or was one until an apostrophe was put before it for a spreadsheet."""
    escaped = str(record.get(ADDED, "")).split(", ")
    for name, value in identifiers.items():
        if fault := records.id_fault(value, name, place):
            faults.add(fault)
        elif name in escaped:
            detail = f"{name} was changed for a spreadsheet, {value!r}; take the JSON lines of the same export"
            faults.add(Fault(Reading.SHAPE, detail=detail, **place))
