"""Tables of a comparison as pandas frames: plain column names, one row a query, worst first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler

from rankeval.core.about import need_of
from rankeval.core.comparison import ComparisonRow, Status
from rankeval.core.contract import ContractError
from rankeval.core.groups import Group
from rankeval.core.protocol import Protocol
from rankeval.core.scoring import Measure
from rankeval.core.words import count_said, decimal, marked_status, signed, signed_decimal, signed_rank
from rankeval.dashboard.language import _, beside, catalogue
from rankeval.dashboard.library import LoadedRun

FILTERS = (*(str(status) for status in Status), "missing_a", "missing_b", "regression", "improvement")
"""What the table can be narrowed to, in the order of the pills."""


def filter_label(name: str, counts: dict[str, int]) -> str:
    """Name a filter with its count, by shape and word where it is a status."""
    return count_said(name, counts[name], catalogue())


def shown_rows(rows: list[ComparisonRow], shown: str | None) -> list[ComparisonRow]:
    """Give the rows of a filter; all of them for None or a filter that there is not."""
    match shown:
        case "missing_a" | "missing_b":
            return [row for row in rows if row.missing["ab".index(shown[-1])]]
        case "regression":
            return [row for row in rows if row.regression]
        case "improvement":
            return [row for row in rows if row.improvement]
        case _:
            return [row for row in rows if str(row.status) == shown] if shown in FILTERS else rows


def found_rows(protocol: Protocol, rows: Sequence[ComparisonRow], wanted: str) -> list[ComparisonRow]:
    """Give the rows whose query has a text in its ID or in its information need, in upper or lower case."""
    folded = wanted.casefold()
    return [row for row in rows if folded in row.query.casefold() or folded in need_of(protocol, row.query).casefold()]


def comparison_frame(rows: Sequence[ComparisonRow], protocol: Protocol) -> pd.DataFrame:
    """Give the per-query table; scores are floats, by which it can be sorted."""
    words = catalogue()
    return pd.DataFrame(
        {
            "query": [row.query for row in rows],
            "status": [marked_status(row, words) for row in rows],
            "rank_a": pd.array([row.first_relevant_rank[0] for row in rows], dtype="Int64"),
            "rank_b": pd.array([row.first_relevant_rank[1] for row in rows], dtype="Int64"),
            "rank_delta": pd.array([row.rank_delta for row in rows], dtype="Int64"),
            **{name: pd.array(list(map(as_float, values)), dtype="Float64") for name, values in _scores(rows).items()},
            "need": [need_of(protocol, row.query) for row in rows],
        }
    )


def written(frame: pd.DataFrame, rows: Sequence[ComparisonRow], *, exactly: bool) -> Styler:
    """Write the figures of `comparison_frame` as people read them; the table is still sorted by their values."""
    write_delta, write = (signed, str) if exactly else (signed_decimal, decimal)
    texts: dict[str, Any] = {"rank_delta": signed_rank}
    for name, values in _scores(rows).items():
        write_one = write_delta if name.endswith("_delta") else write
        texts[name] = {as_float(value): write_one(value) for value in values if value is not None}.__getitem__
    return frame.style.format(texts, na_rep="–")


WRITTEN_ROWS = 500
"""How many rows are written so at most: each cell of such a table is written on its own, which takes its time."""


def _scores(rows: Sequence[ComparisonRow]) -> dict[str, list[Fraction | None]]:
    return {
        "rr_delta": [row.rr_delta for row in rows],
        "recall_delta": [row.recall_delta for row in rows],
        "rr_a": [row.rr[0] for row in rows],
        "rr_b": [row.rr[1] for row in rows],
        "recall_a": [row.recall[0] for row in rows],
        "recall_b": [row.recall[1] for row in rows],
    }


def glance_frame(rows: Sequence[ComparisonRow], protocol: Protocol, measure: Measure) -> pd.DataFrame:
    """Give every eligible query with its delta, worst first, for the picture of all at a glance."""
    words = catalogue()
    scored = [row for row in rows if row.delta(measure) is not None]
    return pd.DataFrame(
        {
            "place": range(1, len(scored) + 1),
            "query": [row.query for row in scored],
            "delta": [as_float(row.delta(measure)) for row in scored],
            "exact": [signed(row.delta(measure)) for row in scored],
            "status": [marked_status(row, words) for row in scored],
            "need": [need_of(protocol, row.query)[:_HINT] for row in scored],
        }
    )


_HINT = 120
"""How many characters of an information need a tooltip shows."""


def groups_frame(found: Sequence[Group]) -> pd.DataFrame:
    """Give groups of queries, a row each."""
    return pd.DataFrame(
        {
            "value": [group_label(group.value) for group in found],
            "queries": [len(group.rows) for group in found],
            "regressions": [group.regressions for group in found],
            "improvements": [group.improvements for group in found],
            "rr_delta": pd.array([as_float(group.rr_delta) for group in found], dtype="Float64"),
            "recall_delta": pd.array([as_float(group.recall_delta) for group in found], dtype="Float64"),
        }
    )


def group_label(value: str | None) -> str:
    """Name a group by its value; those without one too."""
    return _("(without)") if value is None else value


def runs_frame(runs: Sequence[LoadedRun]) -> pd.DataFrame:
    """Give the runs of a protocol with their means."""
    return pd.DataFrame(
        {
            "name": [run.name for run in runs],
            "recall": [decimal(run.report.recall_at_k) for run in runs],
            "mrr": [decimal(run.report.mrr_at_k) for run in runs],
            "missing": [len(run.report.missing_queries) for run in runs],
            "file": [run.run.source or "" for run in runs],
            "fingerprint": [run.key for run in runs],
        }
    )


def fault_frame(error: ContractError) -> pd.DataFrame:
    """Give the faults of a refusal, as many as were kept; columns in which nothing stands are left out.

    Rules stand in English, as everywhere, and in the visitor's language beside it.
    """
    frame = pd.DataFrame(
        {
            "file": [fault.file or "" for fault in error.faults],
            "line": pd.array(
                [fault.line if fault.line is not None else fault.row for fault in error.faults], dtype="Int64"
            ),
            "query": [fault.query or "" for fault in error.faults],
            "document": [fault.document or fault.chunk or "" for fault in error.faults],
            "position": pd.array([fault.position for fault in error.faults], dtype="Int64"),
            "detail": [fault.detail for fault in error.faults],
            "translated": [beside(str(fault.rule)) for fault in error.faults],
            "rule": [str(fault.rule) for fault in error.faults],
        }
    )
    there = [column for column in frame if frame[column].notna().any() and (frame[column] != "").any()]
    return frame[there]


def as_float(value: Fraction | None) -> float | None:
    """Give a score as a float, which is for showing and sorting only."""
    return None if value is None else float(value)
