"""Runs of records: one document a record, or one query with its list."""

from __future__ import annotations

from dataclasses import replace

from rankeval.core.contract import Fault, Place, Rule
from rankeval.core.run import Run
from rankeval.formats import records
from rankeval.formats.catalogue import FormatError, Reading
from rankeval.formats.rows import Ordered, Ordering, Rows


def ordered_run(ordered: Ordered, ordering: Ordering, notes: tuple[str, ...] = ()) -> Run:
    """Make a run, yet without a name, of rows that were put in order."""
    return Run(ordered.rankings, "", declarations=ordering.declarations(), notes=notes, locate=ordered.locate)


def json_record_run(content: records.Records, ordering: Ordering) -> Run:
    """Read a run of JSON records, which have either a list each or a document each.

    Raises:
        FormatError: a record is not as it must be, or the order of a query is open or contradicts itself.

    """
    return _list_run(content) if "ranking" in content.fields else record_run(content, ordering)


def record_run(content: records.Records, ordering: Ordering) -> Run:
    """Read a run of one document a record.

    Raises:
        FormatError: a record is not as it must be, or the order of a query is open or contradicts itself.

    """
    query_field, document_field = content.needed_id(records.QUERY), content.needed_id(records.DOCUMENT)
    rank_field, score_field = content.named(records.RANK), content.named(records.SCORE)
    rows = Rows(content.file, content.unit, has_rank=rank_field is not None, has_score=score_field is not None)
    rows.faults = content.faults
    for where, record in content:
        query, document = record.get(query_field), record.get(document_field)
        if not (isinstance(query, str) and query and isinstance(document, str) and document):
            place = content.place(where)
            fault = records.id_fault(query, query_field, place) or records.id_fault(document, document_field, place)
            assert fault is not None
            rows.faults.add(fault)
            continue
        own = rows.of(query)
        own.documents.append(document)
        own.where.append(where)
        if rank_field is not None:
            own.ranks.append(records.shown(record.get(rank_field)))
        if score_field is not None:
            own.scores.append(records.shown(record.get(score_field)))
    notes = content.others((query_field, document_field, rank_field, score_field))
    return ordered_run(rows.ordered(ordering), ordering, notes)


def _list_run(content: records.Records) -> Run:
    """Read a run of one query a record, its documents a list."""
    query_field = content.needed_id(records.QUERY)
    faults = content.faults
    rankings: dict[str, list[str]] = {}
    first: dict[str, int] = {}
    for where, record in content:
        query, ranking = record.get(query_field), record.get("ranking")
        place = content.place(where)
        if fault := records.id_fault(query, query_field, place):
            faults.add(fault)
        elif query in rankings:
            faults.add(Fault(Reading.REPEATED_ID, query, detail=f"first on {content.unit} {first[query]}", **place))
        else:
            rankings[str(query)] = ranking if isinstance(ranking, list) else []
            first[str(query)] = where
            for fault in list_faults(str(query), ranking):
                faults.add(replace(fault, **place))
    faults.refuse(FormatError)

    def locate(query: str, _position: int | None) -> Place:
        return Place(**content.place(first[query]))

    return Run(rankings, "", notes=content.others((query_field, "ranking")), locate=locate)


def list_faults(query: str, ranking: object) -> list[Fault]:
    """Say what keeps a value from being a list of IDs."""
    if not isinstance(ranking, list):
        return [Fault(Rule.RANKING, query, detail=f"{records.shown(ranking)} stands in place of a list")]
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
