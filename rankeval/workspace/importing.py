"""Reading an export into a workspace, all of it or nothing.

Everything is held to its fingerprint on the way.  What is there already, by fingerprint, address or revision, stays as
it is; where the same name stands for something else the file is refused, except that a run or map keeps both names
apart.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from rankeval.core.contract import ContractError, Fault
from rankeval.core.protocol import Protocol
from rankeval.core.review import Finding, Mark, Reason, Verdict
from rankeval.core.review_queue import State
from rankeval.formats.json_text import parse_json
from rankeval.workspace import content
from rankeval.workspace.checks import check_fit
from rankeval.workspace.database import Database
from rankeval.workspace.errors import DIFFERS, NO_EXPORT, WorkspaceError
from rankeval.workspace.exporting import FORMAT
from rankeval.workspace.reviews import name_key
from rankeval.workspace.schema import (
    AdjudicationRow,
    AnnotatorRow,
    AssignmentRow,
    Base,
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

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did.

    Attributes:
        added: how many lines of each kind are new to the workspace.
        already_there: how many it held already.

    """

    added: Counter[str] = field(default_factory=Counter)
    already_there: Counter[str] = field(default_factory=Counter)


def import_lines(database: Database, name: str, lines: Iterable[bytes]) -> Imported:
    """Read an export.

    Args:
        database: of the workspace that it goes into.
        name: the file's, for messages.
        lines: the file's, each with its line end.

    Raises:
        ContractError: it is no whole export, does not verify, or contradicts what is there; nothing was changed.

    """
    with database.writing() as session:
        reader = _Reader(session)
        digest = hashlib.sha256()
        number, ended = 0, False
        for number, line in enumerate(lines, 1):
            if ended:
                raise _refusal(NO_EXPORT, name, number, "there is something after its end")
            value = _value(line, name, number)
            if value["kind"] == "end":
                ended = True
                if value != {"kind": "end", "lines": number - 1, "sha256": digest.hexdigest()}:
                    raise _refusal(NO_EXPORT, name, number, "the lines before are not those that were written")
            elif (number == 1) != (value == {"kind": "workspace", "format": FORMAT}):
                raise _refusal(NO_EXPORT, name, number, f"its first line, and no other, must say {FORMAT!r}")
            elif number > 1:
                _take(reader, value, name, number)
            digest.update(line)
        if not ended:
            raise _refusal(NO_EXPORT, name, number, "it ends here, and its last line is missing")
        return reader.done


def _value(line: bytes, name: str, number: int) -> Line:
    try:
        value = parse_json(line.decode().rstrip("\n"), name, number)
    except UnicodeDecodeError as error:
        raise _refusal(NO_EXPORT, name, number, "it is not text in UTF-8") from error
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        raise _refusal(NO_EXPORT, name, number, "it has no kind")
    return value


def _take(reader: _Reader, value: Line, name: str, number: int) -> None:
    """Take one line, and name it where it is refused."""
    kind = value.pop("kind")
    try:
        take = reader.kinds[kind]
        is_new = take(value)
        reader.session.flush()
    except ContractError as error:
        first = error.faults[0]
        raise _refusal(error.rule, name, number, ": ".join(filter(None, (first.query, first.detail)))) from error
    except IntegrityError as error:
        raise _refusal(NO_EXPORT, name, number, f"{kind}: it refers to what is not there, or stands twice") from error
    except KeyError as error:
        raise _refusal(NO_EXPORT, name, number, f"{kind}: {error} is missing, or is nothing known") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise _refusal(NO_EXPORT, name, number, f"{kind}: {error}") from error
    (reader.done.added if is_new else reader.done.already_there)[kind] += 1


def _refusal(rule: str, file: str, line: int, detail: str) -> WorkspaceError:
    return WorkspaceError([Fault(rule, file=file, line=line, detail=detail)])


class _Reader:
    """Takes lines, each kind by its own method, which says whether it was new."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.done = Imported()
        self.kinds = {
            "protocol": self._protocol,
            "rankings": self._rankings,
            "chunk_map": self._chunk_map,
            "chunk_map_of_protocol": self._chunk_map_of_protocol,
            "run": self._run,
            "review_round": self._review_round,
            "annotator": self._annotator,
            "assignment": self._assignment,
            "verdict": self._verdict,
            "adjudication": self._adjudication,
            "exposure": self._exposure,
        }
        self._protocol_at_hand: Protocol | None = None
        self._runs: dict[int, int] = {}
        self._rounds: dict[str, int] = {}
        self._annotators: dict[tuple[str, str], int] = {}
        # What was there before: the file may say the same twice, as the workspace that it came from did.
        self._runs_before = list(session.scalars(select(RunRow).order_by(RunRow.id)))
        self._maps_before = list(session.scalars(select(MapOfProtocolRow).order_by(MapOfProtocolRow.id)))

    # Content.

    def _protocol(self, value: Line) -> bool:
        key = _text(value["compact_sha256"])
        packed = content.packed_json(value["content"])
        protocol = content.protocol_from(packed, key)
        if protocol.protocol_sha256 != value["protocol_sha256"]:
            raise WorkspaceError.damaged("protocol", str(value["protocol_sha256"]))
        if self.session.get(ProtocolRow, key) is not None:
            return False
        last = self.session.scalar(select(func.max(ProtocolRow.place))) or 0
        row = ProtocolRow(
            compact_sha256=key,
            protocol_sha256=protocol.protocol_sha256,
            content=packed,
            label=_text(value["label"]),
            place=last + 1,
        )
        return self._add(row)

    def _rankings(self, value: Line) -> bool:
        key, packed = _text(value["run_sha256"]), content.packed_json(value["rankings"])
        content.rankings_from(packed, key)
        if self.session.get(RankingsRow, key) is not None:
            return False
        return self._add(RankingsRow(run_sha256=key, content=packed))

    def _chunk_map(self, value: Line) -> bool:
        key, packed = _text(value["adapter_sha256"]), content.packed_json(value["chunk_to_doc"])
        content.map_from(packed, key)
        if self.session.get(MapRow, key) is not None:
            return False
        return self._add(MapRow(adapter_sha256=key, content=packed))

    def _chunk_map_of_protocol(self, value: Line) -> bool:
        row = MapOfProtocolRow(**_only(MapOfProtocolRow, value, "compact_sha256", "adapter_sha256", "label"))
        of_protocol = [each for each in self._maps_before if each.compact_sha256 == row.compact_sha256]
        for each in of_protocol:
            if (each.label, each.adapter_sha256) == (row.label, row.adapter_sha256):
                self._maps_before.remove(each)
                return False
        if row.label in {each.label for each in of_protocol}:
            row.label = f"{row.label} (imported, {row.adapter_sha256[:8]})"
        return self._add(row)

    def _run(self, value: Line) -> bool:
        number, record = _whole(value.pop("number")), value.pop("record")
        row = RunRow(**_only(RunRow, value, *_RUN), record=json.dumps(record, ensure_ascii=False))
        if row.adapter_sha256 is None and row.budget is not None:
            raise ValueError("a budget counts chunks, and the run has no map")
        content.recorded_run({}, row.label, row.record, None)  # it can be read again
        check_fit(self.session, self._protocol_of(row.compact_sha256), row)
        of_protocol = [each for each in self._runs_before if each.compact_sha256 == row.compact_sha256]
        for each in of_protocol:
            if _made_with(each) == _made_with(row) and each.label == row.label:
                self._runs_before.remove(each)
                self._runs[number] = each.id
                return False
        if not row.replaced and row.label in {each.label for each in of_protocol}:
            row.label = f"{row.label} (imported, {row.run_sha256[:8]})"
        self._add(row)
        self._runs[number] = row.id
        return True

    def _protocol_of(self, key: str) -> Protocol:
        if self._protocol_at_hand is None or self._protocol_at_hand.compact_sha256 != key:
            packed = self.session.scalar(select(ProtocolRow.content).filter_by(compact_sha256=key))
            if packed is None:
                raise WorkspaceError.damaged("protocol", key)
            self._protocol_at_hand = content.protocol_from(packed, key)
        return self._protocol_at_hand

    # Reviews.

    def _review_round(self, value: Line) -> bool:
        queries = [_text(query) for query in value.pop("queries")]
        row = RoundRow(
            **_only(RoundRow, value, *_ROUND),
            **self._reviewed("baseline", value["baseline"]),
            **self._reviewed("candidate", value["candidate"]),
            statuses=json.dumps([_text(status) for status in value["statuses"]]),
            created_at=_moment(value["created_at"]),
        )
        there = self.session.scalar(select(RoundRow).filter_by(token=row.token))
        if there is not None:
            of_it = select(ItemRow.query).filter_by(round_id=there.id).order_by(ItemRow.place)
            _hold_equal(row, there, f"review round {row.name!r}", "id")
            if list(self.session.scalars(of_it)) != queries:
                raise _differs(f"review round {row.name!r}")
            self._rounds[row.token] = there.id
            return False
        self._add(row)
        self.session.add_all(ItemRow(round_id=row.id, query=each, place=at) for at, each in enumerate(queries, 1))
        self._rounds[row.token] = row.id
        return True

    def _reviewed(self, side: str, value: Line) -> Line:
        number = value["run"]
        return {
            f"{side}_run": None if number is None else self._runs[number],
            f"{side}_sha256": _text(value["run_sha256"]),
            f"{side}_name": _text(value["name"]),
        }

    def _annotator(self, value: Line) -> bool:
        token, name = value["round"], _text(value["name"])
        row = AnnotatorRow(
            round_id=self._rounds[token],
            name=name,
            name_key=name_key(name),
            **_only(AnnotatorRow, value, "subject"),
            joined_at=_moment(value["joined_at"]),
        )
        there = self.session.scalar(select(AnnotatorRow).filter_by(round_id=row.round_id, name_key=row.name_key))
        if there is not None:
            _hold_equal(row, there, f"annotator {name!r}", "id", "joined_at")
            self._annotators[token, name] = there.id
            return False
        self._add(row)
        self._annotators[token, name] = row.id
        return True

    def _assignment(self, value: Line) -> bool:
        row = AssignmentRow(**self._of_annotator(value), state=str(State(value["state"])))
        row.changed_at = _moment(value["changed_at"])
        mine = {"round_id": row.round_id, "annotator_id": row.annotator_id, "query": row.query}
        there = self.session.scalar(select(AssignmentRow).filter_by(**mine))
        if there is None:
            return self._add(row)
        if row.state == State.ANSWERED and there.state != State.ANSWERED:
            there.state, there.changed_at = row.state, row.changed_at
        return False

    def _verdict(self, value: Line) -> bool:
        revision, undoes = _whole(value["revision"]), value["undoes"]
        if undoes is not None and not 1 <= _whole(undoes) < revision:
            raise ValueError(f"revision {revision} cannot undo {undoes}")
        row = VerdictRow(
            **self._of_annotator(value),
            revision=revision,
            verdict=None if value["verdict"] is None else str(Verdict(value["verdict"])),
            reason=None if value["reason"] is None else str(Reason(value["reason"])),
            note=_text(value["note"]),
            marks=json.dumps({key: str(Mark(mark)) for key, mark in value["marks"].items()}, ensure_ascii=False),
            undoes=undoes,
            **_only(VerdictRow, value, "client_token"),
            saved_at=_moment(value["saved_at"]),
        )
        mine = {"round_id": row.round_id, "annotator_id": row.annotator_id, "query": row.query}
        return self._add_revision(row, VerdictRow, mine, f"verdict of {value['annotator']!r} on query {row.query!r}")

    def _adjudication(self, value: Line) -> bool:
        row = AdjudicationRow(
            round_id=self._rounds[value["round"]],
            query=_text(value["query"]),
            revision=_whole(value["revision"]),
            finding=None if value["finding"] is None else str(Finding(value["finding"])),
            reason=_text(value["reason"]),
            who=_text(value["who"]),
            decided_at=_moment(value["decided_at"]),
        )
        of_query = {"round_id": row.round_id, "query": row.query}
        return self._add_revision(row, AdjudicationRow, of_query, f"decision on query {row.query!r}")

    def _of_annotator(self, value: Line) -> Line:
        token = value["round"]
        annotator = self._annotators[token, value["annotator"]]
        return {"round_id": self._rounds[token], "annotator_id": annotator, "query": _text(value["query"])}

    def _add_revision(
        self, row: VerdictRow | AdjudicationRow, table: type[VerdictRow | AdjudicationRow], of: Line, what: str
    ) -> bool:
        """Add the next revision, or find the same one there."""
        last = self.session.scalar(select(func.max(table.revision)).filter_by(**of)) or 0
        if row.revision > last + 1:
            raise ValueError(f"revision {last + 1} of the {what} is missing")
        if row.revision == last + 1:
            return self._add(row)
        there = self.session.scalars(select(table).filter_by(**of, revision=row.revision)).one()
        _hold_equal(row, there, what, "id")
        return False

    # The ledger.

    def _exposure(self, value: Line) -> bool:
        key = tuple(_text(value[name]) for name in ("compact_sha256", "split", "run_sha256"))
        first_at, last_at, times = _moment(value["first_at"]), _moment(value["last_at"]), _whole(value["times"])
        there = self.session.get(ExposureRow, key)
        if there is None:
            row = ExposureRow(compact_sha256=key[0], split=key[1], run_sha256=key[2])
            row.first_at, row.last_at, row.times = first_at, last_at, times
            return self._add(row)
        there.first_at, there.last_at = min(there.first_at, first_at), max(there.last_at, last_at)
        there.times = max(there.times, times)
        return False

    def _add(self, row: Base) -> bool:
        self.session.add(row)
        self.session.flush()
        return True


_RUN = ("compact_sha256", "run_sha256", "received_sha256", "adapter_sha256", "budget", "label", "replaced")
_ROUND = ("token", "name", "compact_sha256", "annotators_per_query", "blind", "guidelines", "seed")


def _made_with(row: RunRow) -> tuple[str, str | None, int | None]:
    return (row.received_sha256, row.adapter_sha256, row.budget)


def _only(table: type[Base], value: Line, *names: str) -> Line:
    """Give the fields that go into a row as they are, if they are of its kind."""
    for name in names:
        column = table.__table__.c[name]
        is_left_out = value[name] is None and column.nullable
        if not is_left_out and type(value[name]) is not column.type.python_type:
            raise TypeError(f"{name} is {value[name]!r}")
    return {name: value[name] for name in names}


def _hold_equal(row: Base, there: Base, what: str, *but: str) -> None:
    for column in type(row).__table__.columns.keys():  # noqa: SIM118 - the collection gives columns, not names
        if column not in but and getattr(row, column) != getattr(there, column):
            raise _differs(what)


def _differs(what: str) -> WorkspaceError:
    return WorkspaceError([Fault(DIFFERS, detail=f"{what}: one of the two was altered, or they went different ways")])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value


def _moment(value: object) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone")
    return moment
