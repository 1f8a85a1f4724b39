"""Runs in every format that DESIGN.md names, told apart by content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankeval.core.contract import Fault, Faults, Place, Rule
from rankeval.core.provenance import Declaration
from rankeval.core.run import SYSTEM_FIELDS, FromChunks, Run
from rankeval.formats import records, trec
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_places import Lines
from rankeval.formats.json_text import ExactNumber, parse_json
from rankeval.formats.rows import UNDECLARED, Ordered, Ordering, Rows
from rankeval.formats.source import LARGE, Source

RUN_FORMAT = "rankeval-run/1"


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
    """Read a large file in columns, where that can be done beyond doubt."""
    if source.size < LARGE:
        return None
    from rankeval.formats.large import read_large_run  # noqa: PLC0415 - it loads pyarrow, worth it for a large file only

    return read_large_run(source, found, ordering)


def run_format(source: Source) -> str:
    """Tell which of `RUN_FORMATS` a file is in.

    Raises:
        FormatError: it is in none, or could be in two.

    """
    if source.beginning(len(records.PARQUET)) == records.PARQUET:
        return "parquet"
    first = source.head(1)[0]
    if first.lstrip(" \t").startswith(("{", "[")):
        return "jsonl" if records.is_json_lines(source) else "json"
    header = records.header_of(source)
    fits = [
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
    if len(fits) > 1:
        detail = f"--input-format {' or '.join(fits)}"
        raise refusal(Reading.TWO_FORMATS, file=source.name, line=1, detail=detail)
    return fits[0] if fits else _nearest_format(source, first, header)


def _nearest_format(source: Source, first: str, header: tuple[str, ...]) -> str:
    """Choose the format whose reader says best what is wrong with a file that fits none."""
    fields = trec.fields_of(first)
    if records.names_columns(header, records.QUERY, records.DOCUMENT):
        return "tsv" if "\t" in first else "csv"
    if len(fields) == trec.RUN_FIELDS:
        return "trec"
    if "\t" in first or "," in first:
        detail = "the first line names no query and document; a TREC run has 6 fields a line, MS MARCO 3"
        raise refusal(Reading.HEADER, file=source.name, line=1, detail=detail)
    detail = f"{len(fields)} fields; a TREC run has {trec.RUN_FIELDS} a line, MS MARCO {trec.MSMARCO_FIELDS}"
    raise refusal(Reading.FIELD_COUNT, file=source.name, line=1, detail=detail)


def _trec_run(source: Source, ordering: Ordering) -> Run:
    ordered, tag = trec.read_trec_run(source, ordering)
    return _run(ordered, ordering, (trec.tag_note(source.name, tag),))


def _msmarco_run(source: Source, ordering: Ordering) -> Run:
    return _run(trec.read_msmarco_run(source, ordering), ordering)


def _table_run(source: Source, ordering: Ordering) -> Run:
    return _record_run(records.table(source), ordering)


def _run(ordered: Ordered, ordering: Ordering, notes: tuple[str, ...] = ()) -> Run:
    return Run(ordered.rankings, "", declarations=ordering.declarations(), notes=notes, locate=ordered.locate)


def _json_lines_run(source: Source, ordering: Ordering) -> Run:
    content = records.json_lines(source)
    return _list_run(content) if "ranking" in content.fields else _record_run(content, ordering)


def _record_run(content: records.Records, ordering: Ordering) -> Run:
    """Read a run of one document a record."""
    query_field, document_field = content.needed_id(records.QUERY), content.needed_id(records.DOCUMENT)
    rank_field, score_field = content.named(records.RANK), content.named(records.SCORE)
    rows = Rows(content.file, content.unit, has_rank=rank_field is not None, has_score=score_field is not None)
    for where, record in content.rows:
        query, document = record.get(query_field), record.get(document_field)
        fault = records.id_fault(query, query_field, content.place(where))
        fault = fault or records.id_fault(document, document_field, content.place(where))
        if fault is not None:
            rows.faults.add(fault)
            continue
        own = rows.of(str(query))
        own.documents.append(str(document))
        own.where.append(where)
        if rank_field is not None:
            own.ranks.append(records.shown(record.get(rank_field)))
        if score_field is not None:
            own.scores.append(records.shown(record.get(score_field)))
    notes = content.others((query_field, document_field, rank_field, score_field))
    return _run(rows.ordered(ordering), ordering, notes)


def _list_run(content: records.Records) -> Run:
    """Read a run of one query a record, its documents a list."""
    query_field = content.needed_id(records.QUERY)
    faults = Faults()
    rankings: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    for where, record in content.rows:
        query, ranking = record.get(query_field), record.get("ranking")
        place = content.place(where)
        if fault := records.id_fault(query, query_field, place):
            faults.add(fault)
        elif query in rankings:
            faults.add(Fault(Reading.REPEATED_ID, query, detail=f"first on line {lines[str(query)]}", **place))
        else:
            rankings[str(query)] = ranking if isinstance(ranking, list) else []
            lines[str(query)] = where
            for fault in _list_faults(str(query), ranking):
                faults.add(replace(fault, **place))
    faults.refuse(FormatError)

    def locate(query: str, _position: int | None) -> Place:
        return Place(content.file, line=lines.get(query))

    return Run(rankings, "", notes=content.others((query_field, "ranking")), locate=locate)


def _json_run(source: Source, ordering: Ordering) -> Run:
    text = source.text()
    value = parse_json(text, source.name)
    if isinstance(value, list):
        return _record_run(records.json_array(value, source.name), ordering)
    if not isinstance(value, dict):
        raise refusal(Reading.SHAPE, file=source.name, detail="a run is an object: query -> list of documents")
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
    system = value.get("system") or {}
    if not isinstance(value.get("name", ""), str) or not isinstance(system, dict):
        raise refusal(Reading.SHAPE, file=file, detail="name must be text and system an object")
    run = _listed(value["rankings"], text, file, ("rankings",))
    stated = value.get("run_sha256")
    if stated is not None and stated != run.run_sha256:
        detail = f"run_sha256 is {shown_hash(stated)}, and the rankings have {shown_hash(run.run_sha256)}"
        raise refusal(Reading.FINGERPRINT, file=file, detail=detail)
    known = {"format", "name", "system", "rankings", "run_sha256", "declarations"}
    unused = [key for key in value if key not in known] + [key for key in system if key not in SYSTEM_FIELDS]
    return replace(
        run,
        name=value.get("name", ""),
        system={key: system[key] for key in SYSTEM_FIELDS if system.get(key) is not None},
        declarations=declarations_from(value.get("declarations"), file),
        notes=(f"{file}: not used: {', '.join(unused)}",) if unused else (),
    )


def shown_hash(stated: object) -> str:
    """Shorten a fingerprint for a message."""
    return f"{stated[:12]}..." if isinstance(stated, str) else repr(stated)


def declarations_from(value: object, file: str) -> tuple[Declaration, ...]:
    """Read the declarations that one of our own files records.

    Raises:
        FormatError: they are not as we write them.

    """
    if value is None:
        return ()
    try:
        if isinstance(value, list):
            return tuple(Declaration(**each) for each in value)
    except TypeError:
        pass
    raise refusal(Reading.SHAPE, file=file, detail="declarations must be a list of option, value and effect")


def _listed(rankings: Mapping[str, Any], text: str, file: str, way: tuple[str, ...]) -> Run:
    """Take an object of lists; the lines of its entries are looked for only when somebody asks."""
    faults = Faults()
    lines = Lines(text)
    for query, ranking in rankings.items():
        if not (isinstance(ranking, list) and all(isinstance(entry, str) for entry in ranking)):
            for fault in _list_faults(query, ranking):
                path: tuple[str | int, ...] = (*way, query) if fault.position is None else (*way, query, fault.position)
                faults.add(replace(fault, file=file, line=lines.of(path)))
    faults.refuse(FormatError)

    def locate(query: str, position: int | None) -> Place:
        return Place(file, line=lines.of((*way, query) if position is None else (*way, query, position)))

    return Run(dict(rankings), "", locate=locate)


def _list_faults(query: str, ranking: object) -> list[Fault]:
    """Say what keeps a value from being a list of IDs."""
    if not isinstance(ranking, list):
        return [Fault(Rule.RANKING, query, detail=f"{records.shown(ranking)!r} stands in place of a list")]
    return [
        Fault(
            Reading.NUMBER_AS_ID if isinstance(entry, int | float) else Rule.RANKING,
            query,
            position=position,
            detail=f"the entry is {records.shown(entry)}, which is no text",
        )
        for position, entry in enumerate(ranking, 1)
        if not isinstance(entry, str)
    ]


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
                rows.fault(
                    Reading.SCORE, find(query, document), f"the score is {records.shown(score)!r}", query, document
                )
    return _run(rows.ordered(ordering), ordering)


RUN_FORMATS: dict[str, Callable[[Source, Ordering], Run]] = {
    "json": _json_run,
    "jsonl": _json_lines_run,
    "trec": _trec_run,
    "msmarco": _msmarco_run,
    "csv": _table_run,
    "tsv": _table_run,
    "parquet": _table_run,
}
