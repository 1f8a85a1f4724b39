"""Runs of one JSON value: an object of lists or of scores, a named run, the output of collapse, or records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rankeval.core.contract import Faults, Place
from rankeval.core.run import SYSTEM_FIELDS, FromChunks, Run, placed
from rankeval.formats import records
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_places import Lines
from rankeval.formats.json_records import is_record, json_array
from rankeval.formats.json_text import ExactNumber, parse_json
from rankeval.formats.record_runs import json_record_run, list_faults, ordered_run
from rankeval.formats.recorded import declarations_from, hold_to
from rankeval.formats.rows import Ordering, Rows
from rankeval.formats.source import Source

RUN_FORMAT = "rankeval-run/1"


def read_json_run(source: Source, ordering: Ordering) -> Run:
    """Read a run of one JSON value.

    Raises:
        FormatError: it is none, or the order of a query is open or contradicts itself.

    """
    text = source.text()
    value = parse_json(text, source.name)
    if value == []:
        detail = "an empty list names no query; a run that answers nothing is {}"
        raise refusal(Reading.SHAPE, file=source.name, detail=detail)
    if isinstance(value, list):
        return json_record_run(json_array(value, source.name), ordering)
    if not isinstance(value, dict):
        raise refusal(Reading.SHAPE, file=source.name, detail="a run is an object: query -> list of documents")
    if is_record(value, records.QUERY):
        return json_record_run(json_array([value], source.name), ordering)
    if isinstance(value.get("format"), str):
        return _named_run(value, text, source.name)
    if isinstance(value.get("adapter_sha256"), str) and isinstance(value.get("document_runs"), dict):
        rankings = _listed(value["document_runs"], text, source.name, ("document_runs",))
        origin = FromChunks(None, value["adapter_sha256"], None)
        notes = (f"{source.name}: collapsed from chunks; the file does not say of which run, or under which budget",)
        return replace(rankings, from_chunks=origin, notes=notes)
    if value and all(isinstance(each, dict) for each in value.values()):
        return _scored_run(value, text, source.name, ordering)
    return _listed(value, text, source.name, ())


def _named_run(value: Mapping[str, Any], text: str, file: str) -> Run:
    """Read `rankeval-run/1`: rankings under a name, with what is recorded of the system."""
    if value["format"] != RUN_FORMAT:
        raise refusal(Reading.FORMAT, file=file, detail=f"format is {value['format']!r}; a run is {RUN_FORMAT!r}")
    if not isinstance(value.get("rankings"), dict):
        raise refusal(Reading.SHAPE, file=file, detail="rankings must be an object: query -> list of documents")
    system = {} if value.get("system") is None else value["system"]
    if not isinstance(value.get("name", ""), str) or not isinstance(system, dict):
        raise refusal(Reading.SHAPE, file=file, detail="name must be text and system an object")
    run = _listed(value["rankings"], text, file, ("rankings",))
    if value.get("run_sha256") is not None:
        hold_to(run.run_sha256, "run_sha256", value, file)
    known = {"format", "name", "system", "rankings", "run_sha256", "declarations", "from_chunks"}
    unused = [key for key in value if key not in known] + [key for key in system if key not in SYSTEM_FIELDS]
    return replace(
        run,
        name=value.get("name", ""),
        system={key: system[key] for key in SYSTEM_FIELDS if system.get(key) is not None},
        declarations=declarations_from(value.get("declarations"), file),
        notes=(f"{file}: not used: {', '.join(unused)}",) if unused else (),
        from_chunks=_origin(value.get("from_chunks"), file),
    )


def _origin(value: object, file: str) -> FromChunks | None:
    """Read from which chunk run a run was collapsed, as our own writer says it."""
    match value:
        case None:
            return None
        case {
            "chunk_run_sha256": (str() | None) as chunk_run,
            "adapter_sha256": str(adapter),
            "budget": (int() | None) as budget,
        }:
            return FromChunks(chunk_run, adapter, budget)
    raise refusal(Reading.SHAPE, file=file, detail="from_chunks must be chunk_run_sha256, adapter_sha256 and budget")


def _listed(rankings: Mapping[str, Any], text: str, file: str, way: tuple[str, ...]) -> Run:
    """Take an object of lists; the lines of its entries are looked for only when somebody asks."""
    faults = Faults()
    lines = Lines(text)

    def locate(query: str, position: int | None) -> Place:
        return Place(file, line=lines.of((*way, query) if position is None else (*way, query, position)))

    for query, ranking in rankings.items():
        if not (isinstance(ranking, list) and all(isinstance(entry, str) for entry in ranking)):
            found = list_faults(query, ranking)
            faults.add_many(len(found), (placed(fault, locate) for fault in found))
    faults.refuse(FormatError)
    return Run(dict(rankings), "", locate=locate)


def _scored_run(value: Mapping[str, Mapping[str, Any]], text: str, file: str, ordering: Ordering) -> Run:
    """Read `{query: {document: score}}`."""
    lines = Lines(text)

    def find(query: str, document: str | None) -> int | None:
        return lines.of((query,) if document is None else (query, document))

    rows = Rows(file, "line", has_rank=False, has_score=True, find=find)
    for query, scores in value.items():
        own = rows.of(query)
        for document, score in scores.items():
            if type(score) is int or isinstance(score, ExactNumber):
                own.documents.append(document)
                own.scores.append(records.shown(score))
            else:
                where = None if rows.faults.are_enough else find(query, document)
                rows.fault(Reading.SCORE, where, f"the score is {records.shown(score)}", query, document)
    return ordered_run(rows.ordered(ordering), ordering)
