"""Two reports of one protocol, side by side: what moved on each query (DESIGN.md, "What a pair of rows is called")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from rankeval.core.contract import ComparisonError, Fault, Rule
from rankeval.core.scoring import Measure, Report, Row


class Status(StrEnum):
    """What became of a query's first relevant document within the first k, from baseline to candidate."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    ENTERED = "entered"
    LEFT = "left"
    NEITHER = "neither"
    NULL = "null"


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One query in both reports.  Pairs are (baseline, candidate); deltas are candidate minus baseline.

    Attributes:
        query: its ID.
        status: what it is called.
        first_relevant_rank: both first relevant ranks within k.
        rank_delta: their difference; None for a query that entered, left, has neither or is null.
        recall: both Recall@k.
        recall_delta: their difference; None where they are null.
        rr: both RR@k.
        rr_delta: their difference; likewise.
        missing: on which side the run has no entry for the query.

    """

    query: str
    status: Status
    first_relevant_rank: tuple[int | None, int | None]
    rank_delta: int | None
    recall: tuple[Fraction | None, Fraction | None]
    recall_delta: Fraction | None
    rr: tuple[Fraction | None, Fraction | None]
    rr_delta: Fraction | None
    missing: tuple[bool, bool]

    def delta(self, measure: Measure) -> Fraction | None:
        """Give the delta of a measure; None where it is null."""
        return self.recall_delta if measure is Measure.RECALL else self.rr_delta

    @property
    def fell_in_recall(self) -> bool:
        """Whether Recall fell."""
        return self.recall_delta is not None and self.recall_delta < 0

    @property
    def fell_in_rr(self) -> bool:
        """Whether RR fell."""
        return self.rr_delta is not None and self.rr_delta < 0

    @property
    def regression(self) -> bool:
        """Whether RR or Recall fell."""
        return self.fell_in_recall or self.fell_in_rr

    @property
    def improvement(self) -> bool:
        """Whether RR or Recall rose, and neither fell."""
        rose = any(delta is not None and delta > 0 for delta in (self.recall_delta, self.rr_delta))
        return rose and not self.regression

    def as_dict(self) -> dict[str, Any]:
        """Give DESIGN.md's keys in order; scores stay Fractions."""
        return {
            "query": self.query,
            "status": str(self.status),
            "first_relevant_rank": list(self.first_relevant_rank),
            "rank_delta": self.rank_delta,
            "recall": list(self.recall),
            "recall_delta": self.recall_delta,
            "rr": list(self.rr),
            "rr_delta": self.rr_delta,
            "missing": list(self.missing),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two reports of one protocol, and their queries row by row in its order.

    Attributes:
        baseline: the report of A.
        candidate: the report of B.
        recall_delta: candidate's mean Recall@k minus baseline's; None where they are null.
        mrr_delta: the same of MRR@k.
        rows: one for every query of the split, in the protocol's order.

    """

    baseline: Report
    candidate: Report
    recall_delta: Fraction | None
    mrr_delta: Fraction | None
    rows: tuple[ComparisonRow, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many rows there are of each status, of regressions and improvements, and missing on each side."""
        statuses = Counter(row.status for row in self.rows)
        return {str(status): statuses[status] for status in Status} | {
            "regression": sum(row.regression for row in self.rows),
            "improvement": sum(row.improvement for row in self.rows),
            "missing_a": sum(row.missing[0] for row in self.rows),
            "missing_b": sum(row.missing[1] for row in self.rows),
        }

    def regressions(self, measure: str = "any") -> int:
        """Count the rows that fell in `rr`, in `recall`, or in `any` of the two."""
        fell = {
            "rr": lambda row: row.fell_in_rr,
            "recall": lambda row: row.fell_in_recall,
            "any": lambda row: row.regression,
        }[measure]
        return sum(map(fell, self.rows))

    def as_dict(self) -> dict[str, Any]:
        """Give deltas, counts and rows as plain dicts and lists; scores stay Fractions."""
        return {
            "recall_delta": self.recall_delta,
            "mrr_delta": self.mrr_delta,
            "counts": self.counts,
            "rows": [row.as_dict() for row in self.rows],
        }


def compare(report_a: Report, report_b: Report) -> Comparison:
    """Compare a candidate, B, with a baseline, A; queries are joined by ID.

    Raises:
        ComparisonError: the reports stand on two different protocols.

    """
    refuse_two_protocols((report_a, report_b))
    rows_b = {row.query: row for row in report_b.rows}
    return Comparison(
        baseline=report_a,
        candidate=report_b,
        recall_delta=_delta(report_a.recall_at_k, report_b.recall_at_k),
        mrr_delta=_delta(report_a.mrr_at_k, report_b.mrr_at_k),
        rows=tuple(_compare_rows(row_a, rows_b[row_a.query]) for row_a in report_a.rows),
    )


def refuse_two_protocols(reports: Sequence[Report]) -> None:
    """Refuse reports that do not all stand on one protocol.

    Raises:
        ComparisonError: they stand on two or more.

    """
    for other in reports[1:]:
        if other.compact_sha256 != reports[0].compact_sha256:
            shown = f"{reports[0].protocol_sha256[:12]} and {other.protocol_sha256[:12]}"
            raise ComparisonError([Fault(Rule.TWO_PROTOCOLS, detail=f"{shown}; score both runs on one of them")])


def worst_first(rows: Sequence[ComparisonRow], measure: Measure = Measure.RR) -> list[ComparisonRow]:
    """Sort rows as people read them: a measure's delta rising, then the other's, then the order given, null last."""
    scored = [row for row in rows if row.status is not Status.NULL]
    null = [row for row in rows if row.status is Status.NULL]
    other = Measure.RR if measure is Measure.RECALL else Measure.RECALL
    return sorted(scored, key=lambda row: (row.delta(measure), row.delta(other))) + null


def _compare_rows(a: Row, b: Row) -> ComparisonRow:
    ranks = (a.first_relevant_rank, b.first_relevant_rank)
    return ComparisonRow(
        query=a.query,
        status=status_of(*ranks) if a.relevant else Status.NULL,
        first_relevant_rank=ranks,
        rank_delta=None if ranks[0] is None or ranks[1] is None else ranks[1] - ranks[0],
        recall=(a.recall, b.recall),
        recall_delta=_delta(a.recall, b.recall),
        rr=(a.rr, b.rr),
        rr_delta=_delta(a.rr, b.rr),
        missing=(a.missing, b.missing),
    )


def status_of(rank_a: int | None, rank_b: int | None) -> Status:
    """Name the way from one first relevant rank to the other, for a query that has relevant documents.

    >>> str(status_of(1, 2)), str(status_of(None, 3)), str(status_of(3, None))
    ('worse', 'entered', 'left')
    """
    if rank_a is None:
        return Status.NEITHER if rank_b is None else Status.ENTERED
    if rank_b is None:
        return Status.LEFT
    if rank_a == rank_b:
        return Status.SAME
    return Status.BETTER if rank_b < rank_a else Status.WORSE


def _delta(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    return None if a is None or b is None else b - a
