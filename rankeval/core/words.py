"""Comparisons in words: the verdict line, the marks of statuses, and figures as people read them.

The command line and the dashboard say the same thing, so it is worded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rankeval.core.comparison import Comparison, ComparisonRow, Status

MARKS = {
    Status.BETTER: "▲",
    Status.WORSE: "▼",
    Status.SAME: "＝",
    Status.ENTERED: "⇥",
    Status.LEFT: "⇤",
    Status.NEITHER: "∅",
    Status.NULL: "–",
}
"""A shape for each status, so that it is never told by colour alone."""

NULL_NOTE = (
    "Null is not a pass: nothing relevant exists, so Recall and RR are undefined; whether the system rightly holds back"
    " needs an evaluation of its own."
)

_NAMED = 3
"""How many queries a sentence names before it gives their number instead."""


def verdict(name_a: str, name_b: str, comparison: Comparison) -> str:
    """Say in one line what became of B against A.

    For the published example: `fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3; q4 is
    missing in A; 1 null`.
    """
    counts = comparison.counts
    moved = [
        f"{counts[status]} {status}"
        for status in (Status.BETTER, Status.WORSE, Status.ENTERED, Status.LEFT)
        if counts[status]
    ]
    parts = [
        ", ".join(moved) or "no first relevant rank moved",
        f"Recall {signed(comparison.recall_delta)}, MRR {signed(comparison.mrr_delta)}",
    ]
    for side, index in (("A", 0), ("B", 1)):
        missing = [row.query for row in comparison.rows if row.missing[index]]
        if missing:
            parts.append(f"{_named(missing)} missing in {side}")
    if counts[Status.NULL]:
        parts.append(f"{counts[Status.NULL]} null")
    return f"{name_b} against {name_a}: {'; '.join(parts)}"


def movement(row: ComparisonRow, documents: tuple[str | None, str | None]) -> str:  # noqa: PLR0911 - a sentence a status
    """Say in one sentence what moved on a query.

    Args:
        row: the query in both reports.
        documents: the first relevant document of each side within k, None where there is none.

    The published example's q2 gives `d3 fell from 1 to 2`.
    """
    (rank_a, rank_b), (document_a, document_b) = row.first_relevant_rank, documents
    if row.status is Status.NULL:
        return "no document is relevant to this query, so there is nothing to find"
    if row.status is Status.NEITHER:
        return "neither side has a relevant document within the cut-off"
    if row.status is Status.ENTERED:
        return f"{document_b} entered at {rank_b}; A had no relevant document within the cut-off"
    if row.status is Status.LEFT:
        return f"{document_a} stood at {rank_a}; B has no relevant document within the cut-off"
    if document_a == document_b:
        if row.status is Status.SAME:
            return f"{document_a} stayed at {rank_a}" + _recall_too(row)
        verb = "fell" if row.status is Status.WORSE else "rose"
        return f"{document_a} {verb} from {rank_a} to {rank_b}" + _recall_too(row)
    return f"the first relevant document was {document_a} at {rank_a}, and is {document_b} at {rank_b}" + _recall_too(
        row
    )


def signed_rank(delta: int | None) -> str:
    """Write a difference of ranks with its sign; nothing where there is none.

    >>> signed_rank(1), signed_rank(-2), signed_rank(0), signed_rank(None)
    ('+1', '-2', '0', '')
    """
    return "" if delta is None else f"{delta:+d}" if delta else "0"


def signed(value: Fraction | None) -> str:
    """Write a difference with its sign: exactly where that is short, else as a decimal; `null` where there is none.

    >>> signed(Fraction(1, 3)), signed(Fraction(-1, 2)), signed(Fraction(0)), signed(None)
    ('+1/3', '-1/2', '0', 'null')
    >>> signed(Fraction(102913, 1000003))
    '+0.1029'
    """
    if value is None:
        return "null"
    if value == 0:
        return "0"
    sign = "+" if value > 0 else "-"
    size = abs(value)
    if size.denominator < _LONG_DENOMINATOR:
        return f"{sign}{size}"
    return f"{sign}<0.0001" if size < _SMALLEST_SHOWN else f"{sign}{decimal(size)}"


_LONG_DENOMINATOR = 1_000
_SMALLEST_SHOWN = Fraction(1, 10_000)


def decimal(value: Fraction | None, digits: int = 4) -> str:
    """Write a score as a decimal, rounded half to even from the exact value; `null` where there is none.

    >>> decimal(Fraction(5, 6)), decimal(Fraction(1)), decimal(None)
    ('0.8333', '1.0000', 'null')
    """
    if value is None:
        return "null"
    scaled = round(value * 10**digits)
    sign = "-" if scaled < 0 else ""
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}"


def _named(queries: Sequence[str]) -> str:
    if len(queries) > _NAMED:
        return f"{len(queries)} queries are"
    if len(queries) == 1:
        return f"{queries[0]} is"
    return f"{', '.join(queries[:-1])} and {queries[-1]} are"


def _recall_too(row: ComparisonRow) -> str:
    """Add what Recall did, where the first relevant rank does not tell it."""
    if not row.recall_delta:
        return ""
    return f"; Recall {'rose' if row.recall_delta > 0 else 'fell'} from {row.recall[0]} to {row.recall[1]}"
