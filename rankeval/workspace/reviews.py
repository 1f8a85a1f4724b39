"""Reviews: rounds, who takes part, whose hands a query is in, and every word of what they said.

Verdicts and adjudications are only ever added.  What a method that saves returns is on the disk.  All changes are made
in the one writing transaction that a workspace has at a time, so that what was read of a round still holds when it is
written: no query is handed to more annotators than it needs, however many ask at once.
"""

from __future__ import annotations

import json
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from rankeval.core.review import Answer, Finding, Mark, Reason, Verdict
from rankeval.core.review_queue import Assignment, State, next_query
from rankeval.core.review_tables import Adjudication
from rankeval.workspace.database import Database
from rankeval.workspace.errors import (
    IN_OTHER_HANDS,
    NAME,
    NO_ROUND,
    NOT_IN_ROUND,
    NOTHING_TO_UNDO,
    ROUND,
    SENT_TWICE,
    WorkspaceError,
)
from rankeval.workspace.moments import utc_now
from rankeval.workspace.rounds import Annotator, ReviewedRun, Round, SavedAdjudication, SavedVerdict, sides_shown
from rankeval.workspace.schema import AdjudicationRow, AnnotatorRow, AssignmentRow, ItemRow, RoundRow, VerdictRow

ABANDONED = timedelta(days=1)
"""After this long without a verdict, a query in somebody's hands is handed to others again."""

LONGEST_NAME = 200
"""How many characters an annotator's name may have."""

Choose = Callable[[Sequence[str], Iterable[Assignment], str, int], str | None]
"""Chooses the next query for an annotator, as `rankeval.core.review_queue.next_query` does."""


class Reviews:
    """The review rounds of a workspace; threads may share the object."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], datetime] = utc_now,
        choose: Choose = next_query,
        abandoned_after: timedelta = ABANDONED,
    ) -> None:
        """Open the reviews of a workspace's database.

        Args:
            database: the workspace's.
            now: gives the time, aware of its zone.
            choose: who is handed which query.
            abandoned_after: how long a query stays in the hands of somebody who says nothing of it.

        """
        self._database = database
        self._now = now
        self._choose = choose
        self._abandoned_after = abandoned_after

    # Rounds.

    def create_round(
        self,
        *,
        name: str,
        compact_sha256: str,
        baseline: ReviewedRun,
        candidate: ReviewedRun,
        statuses: Sequence[str],
        queries: Sequence[str],
        guidelines: str,
        annotators_per_query: int = 1,
        blind: bool = True,
        seed: str | None = None,
    ) -> Round:
        """Make a round of a comparison whose protocol the workspace keeps.

        Args:
            name: what people call it.
            compact_sha256: the protocol.
            baseline: run A.
            candidate: run B.
            statuses: by what the queries were chosen.
            queries: their IDs, worst first.
            guidelines: what annotators go by.
            annotators_per_query: how many annotators each query needs.
            blind: whether sides are drawn and kept from the annotator.
            seed: what sides are drawn from; by default something that nobody can guess.

        Raises:
            WorkspaceError: it has no name, no queries or nobody to answer them, or it cannot be written.

        """
        if not name.strip() or not queries or annotators_per_query < 1:
            detail = f"{name!r} with {len(queries)} queries and {annotators_per_query} annotators for each"
            raise self._refusal(ROUND, detail)
        row = RoundRow(
            # No "-": a mail program may end a link before a last one, and a command takes a first one for a flag.
            token=secrets.token_hex(24),
            name=name,
            compact_sha256=compact_sha256,
            baseline_run=baseline.run,
            baseline_sha256=baseline.run_sha256,
            baseline_name=baseline.name,
            candidate_run=candidate.run,
            candidate_sha256=candidate.run_sha256,
            candidate_name=candidate.name,
            statuses=json.dumps(list(statuses)),
            annotators_per_query=annotators_per_query,
            blind=blind,
            guidelines=guidelines,
            seed=seed or secrets.token_hex(16),
            created_at=self._now(),
        )
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            session.add_all(
                ItemRow(round_id=row.id, query=query, place=place) for place, query in enumerate(queries, 1)
            )
            session.flush()
            return _round(session, row)

    def rounds(self, compact_sha256: str | None = None) -> list[Round]:
        """Give the rounds of a protocol, or all, in the order in which they were made."""
        wanted = select(RoundRow).order_by(RoundRow.id)
        if compact_sha256 is not None:
            wanted = wanted.where(RoundRow.compact_sha256 == compact_sha256)
        with self._database.reading() as session:
            return [_round(session, row) for row in session.scalars(wanted)]

    def round_by_token(self, token: str) -> Round:
        """Give the round at an address.

        Raises:
            WorkspaceError: there is none.

        """
        with self._database.reading() as session:
            return _round(session, self._round_row(session, token))

    # Who takes part.

    def join(self, token: str, name: str, subject: str | None = None) -> Annotator:
        """Let somebody take part under a name, or find them again.

        Names are told apart without regard to case, Unicode form and white space at the ends or repeated.  Without a
        login, whoever gives a name that was given before is taken for the same person.

        Args:
            token: the round's address.
            name: theirs.
            subject: who they are to the server's login; None where it has none.

        Raises:
            WorkspaceError: there is no such round, the name is empty or too long, or another login has it.

        """
        shown = unicodedata.normalize("NFC", " ".join(name.split()))
        if not 0 < len(shown) <= LONGEST_NAME:
            raise self._refusal(NAME, f"it may have 1 to {LONGEST_NAME} characters, and this has {len(shown)}")
        key = name_key(shown)
        with self._database.writing() as session:
            found = self._round_row(session, token)
            known = session.scalar(
                select(AnnotatorRow).where(AnnotatorRow.round_id == found.id, AnnotatorRow.subject == subject)
                if subject is not None
                else select(AnnotatorRow).where(AnnotatorRow.round_id == found.id, AnnotatorRow.name_key == key)
            )
            if known is not None and known.subject == subject:
                return _annotator(known)
            taken = select(AnnotatorRow.name).where(AnnotatorRow.round_id == found.id, AnnotatorRow.name_key == key)
            if (other := session.scalar(taken)) is not None:
                raise self._refusal(NAME, f"{other!r} takes part already, under another login; add something to it")
            row = AnnotatorRow(round_id=found.id, name=shown, name_key=key, subject=subject, joined_at=self._now())
            session.add(row)
            session.flush()
            return _annotator(row)

    def annotators(self, token: str) -> list[Annotator]:
        """Give all who take part in a round, in the order in which they came."""
        with self._database.reading() as session:
            found = self._round_row(session, token)
            rows = select(AnnotatorRow).where(AnnotatorRow.round_id == found.id).order_by(AnnotatorRow.id)
            return [_annotator(row) for row in session.scalars(rows)]

    # Whose hands a query is in.

    def hand_out(self, token: str, annotator: int) -> str | None:
        """Put the next query into an annotator's hands, or say again which one they have; None when there is none.

        Raises:
            WorkspaceError: there is no such round or annotator.

        """
        with self._database.reading() as session:
            found, who = self._round_and_annotator(session, token, annotator)
            rows = _assignments(session, found)
            names = _names(session, found)
            kept = [_assignment(row, names) for row in rows]
            chosen = self._choose(_queries(session, found), kept, who.name, found.annotators_per_query)
            if any((row.annotator_id, row.query, row.state) == (who.id, chosen, State.OPEN) for row in rows):
                # Nothing need be written, so a page that is shown again is shown also where nothing can be.
                return chosen
        with self._database.writing() as session:
            found, who = self._round_and_annotator(session, token, annotator)
            now = self._now()
            rows = _assignments(session, found)
            for row in rows:
                since = now - row.changed_at
                if row.state == State.OPEN and row.annotator_id != who.id and since >= self._abandoned_after:
                    row.state = State.SKIPPED
            names = _names(session, found)
            queries = _queries(session, found)
            kept = [_assignment(row, names) for row in rows]
            chosen = self._choose(queries, kept, who.name, found.annotators_per_query)
            if chosen is not None:
                _put(session, found, who, chosen, State.OPEN, now)
            return chosen

    def release(self, token: str, annotator: int, query: str) -> None:
        """Take a query that was not answered out of an annotator's hands: they skip it, or are not coming back.

        Raises:
            WorkspaceError: there is no such round or annotator.

        """
        with self._database.writing() as session:
            found, who = self._round_and_annotator(session, token, annotator)
            row = _in_hands(session, found, who, query)
            if row is not None and row.state == State.OPEN:
                row.state = State.SKIPPED
                row.changed_at = self._now()

    def assignments(self, token: str) -> list[Assignment]:
        """Give what is or was in whose hands, in the order in which it came about; progress is made of these."""
        with self._database.reading() as session:
            found = self._round_row(session, token)
            names = _names(session, found)
            return [_assignment(row, names) for row in _assignments(session, found)]

    # What they say.

    def save_verdict(
        self,
        token: str,
        annotator: int,
        query: str,
        verdict: Verdict,
        *,
        reason: Reason | None = None,
        note: str = "",
        marks: Mapping[str, Mark] | None = None,
        client_token: str | None = None,
    ) -> SavedVerdict:
        """Keep what an annotator says of a query, as a revision after all that they said of it before.

        What was ever in their hands is kept even when it has been handed on since: no work is thrown away.

        Args:
            token: the round's address.
            annotator: who.
            query: its ID.
            verdict: on X and Y.
            reason: why; None where they chose none.
            note: in their own words.
            marks: document ID -> what they think of it.
            client_token: the caller's own name for this act; the same again saves nothing and gives the same.

        Raises:
            WorkspaceError: there is no such round, annotator or query; the query was never theirs and others have it;
                the name of the act was used for another; or it cannot be written, and was not.

        """
        with self._database.writing() as session:
            found, who = self._round_and_annotator(session, token, annotator)
            self._refuse_unknown_query(session, found, query)
            if (before := self._sent_before(session, who, query, client_token, undo=False)) is not None:
                return _saved(before, found, who.name)
            if _in_hands(session, found, who, query) is None:
                self._refuse_in_other_hands(session, found, query)
            now = self._now()
            _put(session, found, who, query, State.ANSWERED, now)
            row = VerdictRow(
                round_id=found.id,
                query=query,
                annotator_id=who.id,
                revision=len(_said(session, found, who, query)) + 1,
                verdict=str(verdict),
                reason=None if reason is None else str(reason),
                note=note,
                marks=_marks_json(marks or {}),
                client_token=client_token,
                saved_at=now,
            )
            session.add(row)
            session.flush()
            return _saved(row, found, who.name)

    def undo(self, token: str, annotator: int, query: str, *, client_token: str | None = None) -> SavedVerdict:
        """Take back what an annotator last said of a query; what they had said before that counts again.

        This too is a revision of its own.  Where nothing was said before, the query is back in their hands.

        Raises:
            WorkspaceError: as for `save_verdict`, or there is nothing to take back.

        """
        with self._database.writing() as session:
            found, who = self._round_and_annotator(session, token, annotator)
            if (before := self._sent_before(session, who, query, client_token, undo=True)) is not None:
                return _saved(before, found, who.name)
            said = _said(session, found, who, query)
            standing = _standing(said)
            if not standing:
                raise self._refusal(NOTHING_TO_UNDO, f"{who.name!r} has said nothing of query {query!r}")
            earlier = standing[-2] if len(standing) > 1 else None
            now = self._now()
            row = VerdictRow(
                round_id=found.id,
                query=query,
                annotator_id=who.id,
                revision=len(said) + 1,
                verdict=earlier.verdict if earlier else None,
                reason=earlier.reason if earlier else None,
                note=earlier.note if earlier else "",
                marks=earlier.marks if earlier else "{}",
                undoes=standing[-1].revision,
                client_token=client_token,
                saved_at=now,
            )
            session.add(row)
            _put(session, found, who, query, State.ANSWERED if earlier else State.OPEN, now)
            session.flush()
            return _saved(row, found, who.name)

    def history(self, token: str, annotator: int | None = None, query: str | None = None) -> list[SavedVerdict]:
        """Give every revision of everything that was said, in the order in which it was.

        Args:
            token: the round's address.
            annotator: whose; None for all.
            query: of which query; None for all.

        """
        with self._database.reading() as session:
            found = self._round_row(session, token)
            wanted = select(VerdictRow).where(VerdictRow.round_id == found.id).order_by(VerdictRow.id)
            if annotator is not None:
                wanted = wanted.where(VerdictRow.annotator_id == annotator)
            if query is not None:
                wanted = wanted.where(VerdictRow.query == query)
            names = _names(session, found)
            return [_saved(row, found, names[row.annotator_id]) for row in session.scalars(wanted)]

    def verdicts(self, token: str, annotator: int | None = None, query: str | None = None) -> list[SavedVerdict]:
        """Give what counts: of each annotator and query the last revision, unless they took it back."""
        last = {(each.answer.annotator, each.answer.query): each for each in self.history(token, annotator, query)}
        return [each for each in last.values() if each.answer.verdict is not None]

    # What is decided.

    def adjudicate(
        self, token: str, query: str, finding: Finding | None, *, reason: str, who: str
    ) -> SavedAdjudication:
        """Keep a decision on a query, as a revision after all decisions on it before.

        Args:
            token: the round's address.
            query: its ID.
            finding: what is decided; None takes back what was.
            reason: why, in words.
            who: decides.

        Raises:
            WorkspaceError: there is no such round or query, or it cannot be written, and was not.

        """
        with self._database.writing() as session:
            found = self._round_row(session, token)
            self._refuse_unknown_query(session, found, query)
            earlier = select(func.max(AdjudicationRow.revision)).where(
                AdjudicationRow.round_id == found.id, AdjudicationRow.query == query
            )
            row = AdjudicationRow(
                round_id=found.id,
                query=query,
                revision=(session.scalar(earlier) or 0) + 1,
                finding=None if finding is None else str(finding),
                reason=reason,
                who=who,
                decided_at=self._now(),
            )
            session.add(row)
            session.flush()
            return _decided(row)

    def adjudications(self, token: str) -> list[SavedAdjudication]:
        """Give every decision on every query of a round, in the order in which they were made."""
        with self._database.reading() as session:
            found = self._round_row(session, token)
            rows = select(AdjudicationRow).where(AdjudicationRow.round_id == found.id).order_by(AdjudicationRow.id)
            return [_decided(row) for row in session.scalars(rows)]

    # What is refused.

    def _refusal(self, rule: str, detail: str) -> WorkspaceError:
        return WorkspaceError.of(rule, self._database.name, detail)

    def _round_row(self, session: Session, token: str) -> RoundRow:
        row = session.scalar(select(RoundRow).where(RoundRow.token == token))
        if row is None:
            raise self._refusal(NO_ROUND, "the address may be cut short; ask for it again")
        return row

    def _round_and_annotator(self, session: Session, token: str, annotator: int) -> tuple[RoundRow, AnnotatorRow]:
        found = self._round_row(session, token)
        who = session.get(AnnotatorRow, annotator)
        if who is None or who.round_id != found.id:
            raise self._refusal(NOT_IN_ROUND, "this annotator takes no part in it; give a name again")
        return found, who

    def _refuse_unknown_query(self, session: Session, found: RoundRow, query: str) -> None:
        if session.get(ItemRow, (found.id, query)) is None:
            raise self._refusal(NOT_IN_ROUND, f"it has no query {query!r}")

    def _refuse_in_other_hands(self, session: Session, found: RoundRow, query: str) -> None:
        held = select(func.count()).where(
            AssignmentRow.round_id == found.id, AssignmentRow.query == query, AssignmentRow.state != State.SKIPPED
        )
        if (session.scalar(held) or 0) >= found.annotators_per_query:
            raise self._refusal(IN_OTHER_HANDS, f"query {query!r} was never handed to this annotator")

    def _sent_before(
        self, session: Session, who: AnnotatorRow, query: str, client_token: str | None, *, undo: bool
    ) -> VerdictRow | None:
        if client_token is None:
            return None
        row = session.scalar(
            select(VerdictRow).where(VerdictRow.annotator_id == who.id, VerdictRow.client_token == client_token)
        )
        if row is not None and (row.query, row.undoes is not None) != (query, undo):
            raise self._refusal(SENT_TWICE, f"it was query {row.query!r} then, and is {query!r} now")
        return row


def name_key(name: str) -> str:
    """Give what tells a name apart from others.

    >>> name_key("ZOE\u0308") == name_key("zo\u00eb")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _round(session: Session, row: RoundRow) -> Round:
    return Round(
        token=row.token,
        name=row.name,
        compact_sha256=row.compact_sha256,
        baseline=ReviewedRun(row.baseline_sha256, row.baseline_name, row.baseline_run),
        candidate=ReviewedRun(row.candidate_sha256, row.candidate_name, row.candidate_run),
        statuses=tuple(json.loads(row.statuses)),
        queries=tuple(_queries(session, row)),
        annotators_per_query=row.annotators_per_query,
        blind=row.blind,
        guidelines=row.guidelines,
        seed=row.seed,
        created_at=row.created_at,
    )


def _queries(session: Session, found: RoundRow) -> Sequence[str]:
    return session.scalars(select(ItemRow.query).where(ItemRow.round_id == found.id).order_by(ItemRow.place)).all()


def _annotator(row: AnnotatorRow) -> Annotator:
    return Annotator(row.id, row.name, row.subject, row.joined_at)


def _names(session: Session, found: RoundRow) -> dict[int, str]:
    rows = session.execute(select(AnnotatorRow.id, AnnotatorRow.name).where(AnnotatorRow.round_id == found.id))
    return {row.id: row.name for row in rows}


def _assignments(session: Session, found: RoundRow) -> Sequence[AssignmentRow]:
    rows = select(AssignmentRow).where(AssignmentRow.round_id == found.id)
    return session.scalars(rows.order_by(AssignmentRow.changed_at, AssignmentRow.id)).all()


def _assignment(row: AssignmentRow, names: Mapping[int, str]) -> Assignment:
    return Assignment(names[row.annotator_id], row.query, State(row.state))


def _in_hands(session: Session, found: RoundRow, who: AnnotatorRow, query: str) -> AssignmentRow | None:
    return session.scalar(
        select(AssignmentRow).where(
            AssignmentRow.round_id == found.id, AssignmentRow.annotator_id == who.id, AssignmentRow.query == query
        )
    )


def _put(session: Session, found: RoundRow, who: AnnotatorRow, query: str, state: State, now: datetime) -> None:
    """Put a query into somebody's hands, or say what has become of it there; what is so already keeps its time."""
    row = _in_hands(session, found, who, query)
    if row is None:
        row = AssignmentRow(round_id=found.id, query=query, annotator_id=who.id)
        session.add(row)
    if row.state != state:
        row.state = state
        row.changed_at = now
    session.flush()


def _said(session: Session, found: RoundRow, who: AnnotatorRow, query: str) -> Sequence[VerdictRow]:
    rows = select(VerdictRow).where(
        VerdictRow.round_id == found.id, VerdictRow.annotator_id == who.id, VerdictRow.query == query
    )
    return session.scalars(rows.order_by(VerdictRow.revision)).all()


def _standing(said: Sequence[VerdictRow]) -> list[VerdictRow]:
    """Leave out what was taken back; the last that remains is what counts."""
    standing: list[VerdictRow] = []
    for row in said:
        if row.undoes is None:
            standing.append(row)
        else:
            standing.pop()
    return standing


def _saved(row: VerdictRow, found: RoundRow, annotator: str) -> SavedVerdict:
    answer = Answer(
        annotator=annotator,
        query=row.query,
        revision=row.revision,
        verdict=None if row.verdict is None else Verdict(row.verdict),
        shown=sides_shown(found.seed, annotator, row.query, blind=found.blind),
        reason=None if row.reason is None else Reason(row.reason),
        note=row.note,
        marks={document: Mark(mark) for document, mark in json.loads(row.marks).items()},
    )
    return SavedVerdict(answer, row.saved_at, row.undoes)


def _marks_json(marks: Mapping[str, Mark]) -> str:
    return json.dumps({document: str(mark) for document, mark in marks.items()}, ensure_ascii=False)


def _decided(row: AdjudicationRow) -> SavedAdjudication:
    finding = None if row.finding is None else Finding(row.finding)
    return SavedAdjudication(Adjudication(row.query, row.who, row.revision, finding, row.reason), row.decided_at)
