"""A workspace as plain JSON lines: everything that it holds, in an order that depends on nothing else.

What people call things by stands for what a database counts them by: a round is known by its address, an annotator by
the round and the name, a run by its number in the file.  So what is imported elsewhere is exported again as the same
bytes.  The last line says how many lines there are before it and what they hash to: a file that was cut short, or
altered, is known.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from rankeval.workspace.content import chunk_map_value, protocol_value, rankings_value
from rankeval.workspace.database import Database
from rankeval.workspace.moments import moment_text
from rankeval.workspace.schema import (
    AdjudicationRow,
    AnnotatorRow,
    AssignmentRow,
    ExposureRow,
    ItemRow,
    MapOfProtocolRow,
    MapRow,
    ProtocolRow,
    RankingsRow,
    RoundRow,
    RunRow,
    VerdictRow,
)

FORMAT = "rankeval-workspace/1"

Line = dict[str, Any]


def export_lines(database: Database) -> Iterator[bytes]:
    """Give every line of the export of one state of a workspace.

    Raises:
        WorkspaceError: it cannot be read, or what it holds is no longer what was put in.

    """
    digest, count = hashlib.sha256(), 0
    with database.reading() as session:
        for each in _records(session):
            line = _json_line(each)
            digest.update(line)
            count += 1
            yield line
    yield _json_line({"kind": "end", "lines": count, "sha256": digest.hexdigest()})


def _json_line(value: Line) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n".encode()


def _records(session: Session) -> Iterator[Line]:
    yield {"kind": "workspace", "format": FORMAT}
    yield from _protocols(session)
    yield from _received(session)
    numbers: dict[int, int] = {}
    yield from _named(session, numbers)
    for row in session.scalars(select(RoundRow).order_by(RoundRow.id)):
        yield from _round(session, row, numbers)
    exposed = select(ExposureRow)
    for entry in sorted(session.scalars(exposed), key=lambda each: (each.compact_sha256, each.split, each.run_sha256)):
        yield {
            "kind": "exposure",
            "compact_sha256": entry.compact_sha256,
            "split": entry.split,
            "run_sha256": entry.run_sha256,
            "first_at": moment_text(entry.first_at),
            "last_at": moment_text(entry.last_at),
            "times": entry.times,
        }


def _protocols(session: Session) -> Iterator[Line]:
    # One is read at a time: together they may be more than memory holds.
    keys = session.scalars(select(ProtocolRow.compact_sha256).order_by(ProtocolRow.place)).all()
    for key in keys:
        row = session.get_one(ProtocolRow, key)
        yield {
            "kind": "protocol",
            "label": row.label,
            "compact_sha256": key,
            "protocol_sha256": row.protocol_sha256,
            "content": protocol_value(row.content, key),
        }
        session.expunge(row)


def _received(session: Session) -> Iterator[Line]:
    for key in sorted(session.scalars(select(RankingsRow.run_sha256))):
        packed = session.scalars(select(RankingsRow.content).where(RankingsRow.run_sha256 == key)).one()
        yield {"kind": "rankings", "run_sha256": key, "rankings": rankings_value(packed, key)}
    for key in sorted(session.scalars(select(MapRow.adapter_sha256))):
        packed = session.scalars(select(MapRow.content).where(MapRow.adapter_sha256 == key)).one()
        yield {"kind": "chunk_map", "adapter_sha256": key, "chunk_to_doc": chunk_map_value(packed, key)}


def _named(session: Session, numbers: dict[int, int]) -> Iterator[Line]:
    for named in session.scalars(select(MapOfProtocolRow).order_by(MapOfProtocolRow.id)):
        yield {
            "kind": "chunk_map_of_protocol",
            "compact_sha256": named.compact_sha256,
            "adapter_sha256": named.adapter_sha256,
            "label": named.label,
        }
    for run in session.scalars(select(RunRow).order_by(RunRow.id)):
        numbers[run.id] = len(numbers) + 1
        yield {
            "kind": "run",
            "number": numbers[run.id],
            "compact_sha256": run.compact_sha256,
            "run_sha256": run.run_sha256,
            "received_sha256": run.received_sha256,
            "adapter_sha256": run.adapter_sha256,
            "budget": run.budget,
            "label": run.label,
            "replaced": run.replaced,
            "record": json.loads(run.record),
        }


def _round(session: Session, row: RoundRow, numbers: dict[int, int]) -> Iterator[Line]:
    of_round = {"round": row.token}
    queries = session.scalars(select(ItemRow.query).where(ItemRow.round_id == row.id).order_by(ItemRow.place)).all()
    yield {
        "kind": "review_round",
        "token": row.token,
        "name": row.name,
        "compact_sha256": row.compact_sha256,
        "baseline": _reviewed(row.baseline_run, row.baseline_sha256, row.baseline_name, numbers),
        "candidate": _reviewed(row.candidate_run, row.candidate_sha256, row.candidate_name, numbers),
        "statuses": json.loads(row.statuses),
        "queries": list(queries),
        "annotators_per_query": row.annotators_per_query,
        "blind": row.blind,
        "guidelines": row.guidelines,
        "seed": row.seed,
        "created_at": moment_text(row.created_at),
    }
    names: dict[int, str] = {}
    annotators = select(AnnotatorRow).where(AnnotatorRow.round_id == row.id).order_by(AnnotatorRow.id)
    for who in session.scalars(annotators):
        names[who.id] = who.name
        joined_at = moment_text(who.joined_at)
        yield {"kind": "annotator", **of_round, "name": who.name, "subject": who.subject, "joined_at": joined_at}
    assignments = select(AssignmentRow).where(AssignmentRow.round_id == row.id).order_by(AssignmentRow.id)
    for held in session.scalars(assignments):
        yield {
            "kind": "assignment",
            **of_round,
            "annotator": names[held.annotator_id],
            "query": held.query,
            "state": held.state,
            "changed_at": moment_text(held.changed_at),
        }
    for said in session.scalars(select(VerdictRow).where(VerdictRow.round_id == row.id).order_by(VerdictRow.id)):
        yield {
            "kind": "verdict",
            **of_round,
            "annotator": names[said.annotator_id],
            "query": said.query,
            "revision": said.revision,
            "verdict": said.verdict,
            "reason": said.reason,
            "note": said.note,
            "marks": json.loads(said.marks),
            "undoes": said.undoes,
            "client_token": said.client_token,
            "saved_at": moment_text(said.saved_at),
        }
    decisions = select(AdjudicationRow).where(AdjudicationRow.round_id == row.id).order_by(AdjudicationRow.id)
    for decided in session.scalars(decisions):
        yield {
            "kind": "adjudication",
            **of_round,
            "query": decided.query,
            "revision": decided.revision,
            "finding": decided.finding,
            "reason": decided.reason,
            "who": decided.who,
            "decided_at": moment_text(decided.decided_at),
        }


def _reviewed(run: int | None, sha256: str, name: str, numbers: dict[int, int]) -> Line:
    return {"run": None if run is None else numbers[run], "run_sha256": sha256, "name": name}
