"""What the answers of a review round come to: verdicts query by query, where they differ, what they settle, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rankeval.core.agreement import Ratings
from rankeval.core.protocol import Protocol
from rankeval.core.provenance import LabelChange
from rankeval.core.review import Answer, Finding, Mark, Reason


@dataclass(frozen=True, slots=True)
class QueryVerdicts:
    """What was said of one query.

    Attributes:
        query: its ID.
        answers: the one that counts of each annotator who gave one, in the order of the annotators' names.

    """

    query: str
    answers: tuple[Answer, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The different things that were found, in the order of `Finding`."""
        found = {answer.finding for answer in self.answers}
        return tuple(each for each in Finding if each in found)

    @property
    def disagree(self) -> bool:
        """Whether annotators found different things."""
        return len(self.findings) > 1


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What somebody decided of a query after having seen what was said of it; of several the last revision counts.

    Attributes:
        query: its ID.
        adjudicator: who.
        revision: its place among all decisions on the query, rising.
        finding: what was decided; None where a decision was taken back.
        reason: why, in words.

    """

    query: str
    adjudicator: str
    revision: int
    finding: Finding | None
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a query came to.

    Attributes:
        query: its ID.
        finding: what was decided, else what all annotators found; None where they differ, or nobody answered.
        adjudication: the decision that counts; None where there is none.

    """

    query: str
    finding: Finding | None
    adjudication: Adjudication | None


@dataclass(frozen=True, slots=True)
class Cause:
    """Why queries are as they are, as annotators say.

    Attributes:
        finding: what they found.
        reason: the reason they gave for it; None where they gave none.
        answers: how many answers say so.
        queries: on which queries, in the round's order.

    """

    finding: Finding
    reason: Reason | None
    answers: int
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """A judgment that somebody would have otherwise.

    Attributes:
        query: its query.
        document: its document.
        label: the judgment as it stands, 0 or 1.
        relevant: who marked the document as relevant.
        not_relevant: who marked it as not relevant.

    """

    query: str
    document: str
    label: int
    relevant: tuple[str, ...]
    not_relevant: tuple[str, ...]

    @property
    def otherwise(self) -> tuple[str, ...]:
        """Who would have it otherwise."""
        return self.not_relevant if self.label else self.relevant

    def change(self, why: str) -> LabelChange:
        """Give the change that those people ask for, to be proposed for a reason."""
        return LabelChange(self.query, self.document, 1 - self.label, ", ".join(self.otherwise), why)


def final_answers(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """Give of each annotator and query the last revision, unless it takes the answer back; by query, then annotator."""
    last: dict[tuple[str, str], Answer] = {}
    for answer in sorted(answers, key=lambda answer: answer.revision):
        last[answer.query, answer.annotator] = answer
    return tuple(last[key] for key in sorted(last) if last[key].verdict is not None)


def verdict_table(queries: Sequence[str], answers: Iterable[Answer]) -> tuple[QueryVerdicts, ...]:
    """Give what was said of some queries, in their order, those included of which nothing was said.

    Args:
        queries: those of the round, or such as the regressions among them.
        answers: every revision of every answer; those to other queries are left out.

    """
    by_query: dict[str, list[Answer]] = {query: [] for query in queries}
    for answer in final_answers(answers):
        if answer.query in by_query:
            by_query[answer.query].append(answer)
    return tuple(QueryVerdicts(query, tuple(own)) for query, own in by_query.items())


def disagreements(table: Iterable[QueryVerdicts]) -> tuple[QueryVerdicts, ...]:
    """Give the queries of a table on which annotators differ."""
    return tuple(row for row in table if row.disagree)


def finding_counts(table: Iterable[QueryVerdicts]) -> dict[Finding, int]:
    """Count the answers of a table by what they found, those included that nobody found."""
    counted = Counter(answer.finding for row in table for answer in row.answers)
    return {each: counted[each] for each in Finding}


def ratings_of(table: Iterable[QueryVerdicts]) -> Ratings:
    """Give each annotator's findings, by which agreement is measured: those on X and Y would be of the draw."""
    ratings: dict[str, dict[str, str]] = {}
    for row in table:
        for answer in row.answers:
            ratings.setdefault(answer.annotator, {})[row.query] = str(answer.finding)
    return ratings


def outcomes(table: Iterable[QueryVerdicts], adjudications: Iterable[Adjudication]) -> tuple[Outcome, ...]:
    """Say what every query of a table came to, given every revision of every decision."""
    decided: dict[str, Adjudication] = {}
    for each in sorted(adjudications, key=lambda each: each.revision):
        decided[each.query] = each
    return tuple(_outcome(row, decided.get(row.query)) for row in table)


def _outcome(row: QueryVerdicts, adjudication: Adjudication | None) -> Outcome:
    if adjudication is not None and adjudication.finding is not None:
        return Outcome(row.query, adjudication.finding, adjudication)
    found = row.findings
    return Outcome(row.query, found[0] if len(found) == 1 else None, None)


def causes(table: Iterable[QueryVerdicts]) -> tuple[Cause, ...]:
    """Count the answers of a table by finding and reason: those on most queries first, then in the lists' order."""
    on: dict[tuple[Finding, Reason | None], list[str]] = {}
    for row in table:
        for answer in row.answers:
            assert answer.finding is not None
            on.setdefault((answer.finding, answer.reason), []).append(row.query)
    found = (
        Cause(each, reason, len(on[each, reason]), tuple(dict.fromkeys(on[each, reason])))
        for each in Finding
        for reason in (*Reason, None)
        if (each, reason) in on
    )
    return tuple(sorted(found, key=lambda cause: -len(cause.queries)))


def disputed_judgments(protocol: Protocol, table: Iterable[QueryVerdicts]) -> tuple[Dispute, ...]:
    """Give every judgment that a mark contradicts, in the order of the table, then of document IDs.

    Args:
        protocol: whose judgments.
        table: the answers with the marks.

    """
    disputes: list[Dispute] = []
    for row in table:
        marked = sorted({document for answer in row.answers for document in answer.marks})
        for document in marked:
            label = int(document in protocol.relevant[row.query])
            relevant, not_relevant = (_who_marked(row, document, each) for each in (Mark.RELEVANT, Mark.NOT_RELEVANT))
            dispute = Dispute(row.query, document, label, relevant, not_relevant)
            if dispute.otherwise:
                disputes.append(dispute)
    return tuple(disputes)


def _who_marked(row: QueryVerdicts, document: str, mark: Mark) -> tuple[str, ...]:
    return tuple(answer.annotator for answer in row.answers if answer.marks.get(document) is mark)
