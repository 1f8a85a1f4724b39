"""Every run at a glance: against a baseline, against each other, and how its scores are spread (SPEC.md, "Scores")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from rankeval.core.comparison import Status, compare, refuse_two_protocols
from rankeval.core.gaps import GapCounts, gap_counts
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run, top_of
from rankeval.core.running_means import running_means
from rankeval.core.scoring import Denominator, Measure, Report, accepted_rankings, denominator


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run against a baseline.  Deltas are the run's minus the baseline's.

    Attributes:
        recall_at_k: its mean Recall@k; None when no query is eligible.
        mrr_at_k: its mean RR@k; likewise.
        recall_delta: against the baseline; likewise.
        mrr_delta: against the baseline; likewise.
        statuses: how many queries there are of every status, those of which there are none included.
        regressions: queries on which RR or Recall fell.
        improvements: queries on which one rose and none fell.
        gaps: missing, empty, short and null queries of the run.
        denominator: what its means are divided by.

    """

    recall_at_k: Fraction | None
    mrr_at_k: Fraction | None
    recall_delta: Fraction | None
    mrr_delta: Fraction | None
    statuses: Mapping[Status, int]
    regressions: int
    improvements: int
    gaps: GapCounts
    denominator: Denominator


@dataclass(frozen=True, slots=True)
class Bin:
    """How many queries have a value from `low` to `high`.

    The values 0 and 1 have a bin each, `low == high`.  The bins between them hold their `low` and not their `high`, but
    for the first, which does not hold 0.
    """

    low: Fraction
    high: Fraction
    queries: int


@dataclass(frozen=True, slots=True)
class Distribution:
    """How one measure is spread over the eligible queries of a report.

    Attributes:
        measure: which.
        values: each exact value that occurs, rising, and how many queries have it.
        bins: the same in fixed bins, rising, empty ones included.

    """

    measure: Measure
    values: tuple[tuple[Fraction, int], ...]
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Both means at another cut-off: exploration beside the frozen k."""

    cutoff: int
    recall: Fraction
    mrr: Fraction


@dataclass(frozen=True, slots=True)
class Curves:
    """Recall@j and MRR@j for j = 1, 2, ... up to k.

    Attributes:
        k: the frozen cut-off; only its figures are a report's.
        points: one for each j; none when no query is eligible.  They end at k, or where the longest ranking ends: from
            there on nothing changes, so the last point is the report's means in either case.

    """

    k: int
    points: tuple[CurvePoint, ...]


def summary(report: Report, baseline: Report) -> RunSummary:
    """Sum up a run against a baseline, which may be the run itself.

    Raises:
        ComparisonError: the reports stand on two different protocols.

    """
    comparison = compare(baseline, report)
    counts = comparison.counts
    return RunSummary(
        recall_at_k=report.recall_at_k,
        mrr_at_k=report.mrr_at_k,
        recall_delta=comparison.recall_delta,
        mrr_delta=comparison.mrr_delta,
        statuses={status: counts[status] for status in Status},
        regressions=counts["regression"],
        improvements=counts["improvement"],
        gaps=gap_counts(report),
        denominator=denominator(report),
    )


def regression_matrix(reports: Sequence[Report]) -> tuple[tuple[int, ...], ...]:
    """Count regressions of every run against every other: cell [a][b] is on how many queries b fell against a.

    A regression is what `ComparisonRow.regression` says: RR or Recall fell.  For one query that is decided by two
    integers, since a greater first relevant rank is a smaller RR, and fewer hits a smaller Recall.

    Raises:
        ComparisonError: the reports do not all stand on one protocol.

    """
    refuse_two_protocols(reports)
    queries = [row.query for row in reports[0].rows] if reports else []
    found = [_hits_and_ranks(report, queries) for report in reports]
    return tuple(tuple(sum(map(_fell, found_a, found_b)) for found_b in found) for found_a in found)


def distribution(report: Report, measure: Measure, inner_bins: int = 10) -> Distribution:
    """Say how many eligible queries have which value of a measure.

    Args:
        report: whose.
        measure: Recall@k or RR@k.
        inner_bins: into how many bins of equal width the values between 0 and 1 are put.

    """
    scored = Counter(value for row in report.rows if (value := measure.of(row)) is not None)
    binned: Counter[int] = Counter()
    for value, queries in scored.items():
        if value:
            binned[value.numerator * inner_bins // value.denominator] += queries
    inner = (
        Bin(Fraction(index, inner_bins), Fraction(index + 1, inner_bins), binned[index]) for index in range(inner_bins)
    )
    zero, one = Fraction(0), Fraction(1)
    return Distribution(
        measure=measure,
        values=tuple(sorted(scored.items())),
        bins=(Bin(zero, zero, scored[zero]), *inner, Bin(one, one, binned[inner_bins])),
    )


def curves(protocol: Protocol, run: Run | Mapping[str, list[str]]) -> Curves:
    """Give the exact means of a run at every cut-off up to k, from one pass over the ranks of relevant documents.

    Raises:
        RunError: the run breaks a rule; it is refused as a whole, as by `score`.

    """
    rankings = accepted_rankings(protocol, run)
    hits: list[tuple[int, int]] = []
    firsts: list[tuple[int, int]] = []
    eligible, longest = 0, 1
    for query in protocol.split_queries:
        relevant = protocol.relevant[query]
        if not relevant:
            continue
        eligible += 1
        top = top_of(rankings, query, protocol.k)
        longest = max(longest, len(top))
        ranks = [rank for rank, document in enumerate(top, 1) if document in relevant]
        hits += [(rank, len(relevant)) for rank in ranks]
        firsts += [(rank, rank) for rank in ranks[:1]]
    cutoffs = range(1, longest + 1) if eligible else ()
    recall, mrr = running_means(hits, eligible, cutoffs), running_means(firsts, eligible, cutoffs)
    return Curves(protocol.k, tuple(map(CurvePoint, cutoffs, recall, mrr)))


def _fell(a: tuple[int, float], b: tuple[int, float]) -> bool:
    """Whether a query has fewer hits in B than in A, or a greater first relevant rank."""
    return b[0] < a[0] or b[1] > a[1]


def _hits_and_ranks(report: Report, queries: Sequence[str]) -> list[tuple[int, float]]:
    """Give each query's hits and first relevant rank, a rank past all others where there is none."""
    rows = {row.query: row for row in report.rows}
    return [(rows[query].hits, rows[query].first_relevant_rank or inf) for query in queries]
