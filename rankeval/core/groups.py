"""Classes of queries: what became of each group that shares a value of one metadata field.

A group's means are over its own eligible queries, so they are exploration beside the frozen denominator; the counts are
of the comparison as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean
from typing import Any

from rankeval.core.comparison import ComparisonRow
from rankeval.core.fingerprint import canonical_json
from rankeval.core.protocol import Protocol
from rankeval.core.scoring import Measure

_NO_GROUPS = {"text", "split"}
"""Fields of a query that are no class of queries: nearly every text is its own, and a split is scored alone."""


@dataclass(frozen=True, slots=True)
class Group:
    """The queries that share one value of a field.

    Attributes:
        value: the value as text; None where the queries do not have the field.
        rows: their rows, in the order given.
        regressions: on how many of them RR or Recall fell.
        improvements: on how many one rose and none fell.
        recall_delta: the mean of their Recall deltas, candidate minus baseline; None when all are null.
        rr_delta: the mean of their RR deltas; likewise.

    """

    value: str | None
    rows: tuple[ComparisonRow, ...]
    regressions: int
    improvements: int
    recall_delta: Fraction | None
    rr_delta: Fraction | None


def query_fields(protocol: Protocol) -> list[str]:
    """Name the metadata fields by which the split's queries can be grouped, in the order in which they first occur.

    A field within the field `metadata` is called `metadata.NAME`.
    """
    found: dict[str, None] = {}
    for query in protocol.split_queries:
        found |= dict.fromkeys(_flat(protocol.queries[query]))
    return list(found)


def value_of(protocol: Protocol, query: str, field: str) -> str | None:
    """Give a query's value of a field as text: a string as it is, anything else as JSON; None where it has none."""
    flat = _flat(protocol.queries[query])
    if field not in flat:
        return None
    value = flat[field]
    return value if isinstance(value, str) else canonical_json(value)


def groups(protocol: Protocol, rows: Sequence[ComparisonRow], field: str) -> list[Group]:
    """Group the rows of a comparison by a field, the group with the most regressions first, then as they first occur.

    Args:
        protocol: what the comparison stands on.
        rows: the rows to group, all or some.
        field: one of `query_fields`.

    """
    found: dict[str | None, list[ComparisonRow]] = {}
    for row in rows:
        found.setdefault(value_of(protocol, row.query, field), []).append(row)
    made = [_group(value, rows) for value, rows in found.items()]
    return sorted(made, key=lambda group: -group.regressions)


def _flat(metadata: Mapping[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in metadata.items() if name not in _NO_GROUPS | {"metadata"}}
    nested = metadata.get("metadata")
    inner = nested if isinstance(nested, Mapping) else {} if nested is None else {"": nested}
    return own | {
        f"metadata.{name}" if name else "metadata": value for name, value in inner.items() if name not in _NO_GROUPS
    }


def _group(value: str | None, rows: Sequence[ComparisonRow]) -> Group:
    return Group(
        value=value,
        rows=tuple(rows),
        regressions=sum(row.regression for row in rows),
        improvements=sum(row.improvement for row in rows),
        recall_delta=_mean(rows, Measure.RECALL),
        rr_delta=_mean(rows, Measure.RR),
    )


def _mean(rows: Sequence[ComparisonRow], measure: Measure) -> Fraction | None:
    deltas = [delta for row in rows if (delta := row.delta(measure)) is not None]
    return mean(deltas) if deltas else None
