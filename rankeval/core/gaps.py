"""What a run did not return, and what that does to its means (SPEC.md, "Words", "Scores")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from rankeval.core.comparison import refuse_two_protocols
from rankeval.core.scoring import Measure, Report, Row, macro_average


class Returned(StrEnum):
    """How much a run returned for a query; whether anything is relevant to it is another matter (SPEC.md, "Words")."""

    MISSING = "missing"
    EMPTY = "empty"
    SHORT = "short"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class GapCounts:
    """How many queries of the split there are of each kind; a null query that is missing counts as both.

    Attributes:
        missing: the run has no entry; as in a report's `missing_queries`.
        empty: it has an entry, and the list is empty.
        short: it returned something, and fewer than k documents.
        null: no document is relevant, whatever was returned.

    """

    missing: int
    empty: int
    short: int
    null: int


@dataclass(frozen=True, slots=True)
class Gap:
    """One query that is missing, empty, short or null, and what it does to both means.

    A pull is the mean as it is minus the mean over the other eligible queries: below 0, the query drags the mean down.
    It is None for a null query, which is in no mean, and where no other query is eligible.  A headroom is how much the
    mean would rise if this query alone were answered as well as k allows: all its relevant documents within k for
    Recall, or k of them where there are more, and one at rank 1 for RR.  It is None for a null query.

    Attributes:
        query: its ID.
        state: how much was returned.
        returned: how many documents were returned, also past k.
        recall: its Recall@k; None where it is null.
        rr: its RR@k; likewise.
        recall_pull: what it does to Recall@k.
        mrr_pull: what it does to MRR@k.
        recall_headroom: how much Recall@k would rise at most.
        mrr_headroom: how much MRR@k would rise at most.
        null: whether no document is relevant to it.

    """

    query: str
    state: Returned
    returned: int
    recall: Fraction | None
    rr: Fraction | None
    recall_pull: Fraction | None
    mrr_pull: Fraction | None
    recall_headroom: Fraction | None
    mrr_headroom: Fraction | None
    null: bool


@dataclass(frozen=True, slots=True)
class Without:
    """The means as they would be without some of the eligible queries, beside the means as they are.

    Attributes:
        left_out: how many eligible queries were left out.
        scored: how many remain.
        recall: mean Recall@k over those that remain; None when none does.
        mrr: mean RR@k over them; likewise.
        recall_pull: Recall@k as it is minus `recall`; None where that is None.
        mrr_pull: MRR@k as it is minus `mrr`; likewise.
        wrong_way: whether missing queries are among what is left out: the first of SPEC.md's "Negative controls", to
            be labelled as wrong wherever it is shown.

    """

    left_out: int
    scored: int
    recall: Fraction | None
    mrr: Fraction | None
    recall_pull: Fraction | None
    mrr_pull: Fraction | None
    wrong_way: bool


@dataclass(frozen=True, slots=True)
class Gaps:
    """Every gap of a report, in the protocol's order; a null query stands under `null` and under what was returned.

    Attributes:
        counts: how many there are of each kind.
        missing: queries without an entry.
        empty: queries with an empty list.
        short: queries with fewer than k documents.
        null: queries to which no document is relevant; null is no pass (SPEC.md, "Scores").
        without_missing: the means without the missing: wrong.
        without_empty: the means without the empty.
        without_short: the means without the short.
        without_all: the means without all three: wrong.

    """

    counts: GapCounts
    missing: tuple[Gap, ...]
    empty: tuple[Gap, ...]
    short: tuple[Gap, ...]
    null: tuple[Gap, ...]
    without_missing: Without
    without_empty: Without
    without_short: Without
    without_all: Without


@dataclass(frozen=True, slots=True)
class GapPair:
    """One query that is missing, empty, short or null on either side.  Pairs are (A, B).

    Attributes:
        query: its ID.
        states: how much each side returned.
        returned: how many documents each side returned, also past k.
        recall: both Recall@k; None where the query is null.
        rr: both RR@k; likewise.
        null: whether no document is relevant to it, which is so on both sides or on neither.

    """

    query: str
    states: tuple[Returned, Returned]
    returned: tuple[int, int]
    recall: tuple[Fraction | None, Fraction | None]
    rr: tuple[Fraction | None, Fraction | None]
    null: bool


def state_of(row: Row, k: int) -> Returned:
    """Say how much was returned for a query (SPEC.md, "Words": missing, empty, short)."""
    if row.missing:
        return Returned.MISSING
    if not row.returned:
        return Returned.EMPTY
    return Returned.SHORT if row.returned < k else Returned.FULL


def gap_counts(report: Report) -> GapCounts:
    """Count the missing, empty, short and null queries of a report."""
    states = Counter(state_of(row, report.k) for row in report.rows)
    return GapCounts(
        missing=states[Returned.MISSING],
        empty=states[Returned.EMPTY],
        short=states[Returned.SHORT],
        null=len(report.no_relevant_queries),
    )


def gaps(report: Report) -> Gaps:
    """Find every missing, empty, short and null query of a report, and what each does to the means."""
    found = [
        _gap(row, state, report)
        for row in report.rows
        if (state := state_of(row, report.k)) is not Returned.FULL or not row.relevant
    ]

    def of(state: Returned) -> tuple[Gap, ...]:
        return tuple(gap for gap in found if gap.state is state)

    return Gaps(
        counts=gap_counts(report),
        missing=of(Returned.MISSING),
        empty=of(Returned.EMPTY),
        short=of(Returned.SHORT),
        null=tuple(gap for gap in found if gap.null),
        without_missing=_without(report, {Returned.MISSING}),
        without_empty=_without(report, {Returned.EMPTY}),
        without_short=_without(report, {Returned.SHORT}),
        without_all=_without(report, {Returned.MISSING, Returned.EMPTY, Returned.SHORT}),
    )


def gaps_side_by_side(report_a: Report, report_b: Report) -> tuple[GapPair, ...]:
    """Give each query that is missing, empty, short or null on either side, in A's order; queries are joined by ID.

    Raises:
        ComparisonError: the reports stand on two different protocols.

    """
    refuse_two_protocols((report_a, report_b))
    rows_b = {row.query: row for row in report_b.rows}
    pairs = (_pair(row_a, rows_b[row_a.query], report_a.k) for row_a in report_a.rows)
    return tuple(pair for pair in pairs if pair.null or pair.states != (Returned.FULL, Returned.FULL))


def _pair(a: Row, b: Row, k: int) -> GapPair:
    return GapPair(
        query=a.query,
        null=not a.relevant,
        states=(state_of(a, k), state_of(b, k)),
        returned=(a.returned, b.returned),
        recall=(a.recall, b.recall),
        rr=(a.rr, b.rr),
    )


def _gap(row: Row, state: Returned, report: Report) -> Gap:
    reachable = Fraction(min(row.relevant, report.k), row.relevant) if row.relevant else None
    return Gap(
        query=row.query,
        state=state,
        null=not row.relevant,
        returned=row.returned,
        recall=row.recall,
        rr=row.rr,
        recall_pull=_pull(Measure.RECALL, row, report),
        mrr_pull=_pull(Measure.RR, row, report),
        recall_headroom=_headroom(row.recall, reachable, report),
        mrr_headroom=_headroom(row.rr, Fraction(1), report),
    )


def _pull(measure: Measure, row: Row, report: Report) -> Fraction | None:
    """Give the mean m of n values minus the mean of the others: for a value x that comes to (x - m) / (n - 1)."""
    value, mean = measure.of(row), measure.mean(report)
    others = report.eligible_queries - 1
    return None if value is None or mean is None or not others else (value - mean) / others


def _headroom(value: Fraction | None, reachable: Fraction | None, report: Report) -> Fraction | None:
    return None if value is None or reachable is None else (reachable - value) / report.eligible_queries


def _without(report: Report, states: AbstractSet[Returned]) -> Without:
    kept = [row for row in report.rows if row.relevant and state_of(row, report.k) not in states]
    recall = macro_average(row.recall for row in kept)
    mrr = macro_average(row.rr for row in kept)
    return Without(
        left_out=report.eligible_queries - len(kept),
        scored=len(kept),
        recall=recall,
        mrr=mrr,
        recall_pull=_difference(report.recall_at_k, recall),
        mrr_pull=_difference(report.mrr_at_k, mrr),
        wrong_way=Returned.MISSING in states,
    )


def _difference(mean: Fraction | None, without: Fraction | None) -> Fraction | None:
    return None if mean is None or without is None else mean - without
