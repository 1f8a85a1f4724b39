"""Tables of a comparison as pandas frames: plain column names, one row a query, worst first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pandas as pd

from rankeval.core.about import need_of
from rankeval.core.comparison import Comparison, ComparisonRow, Status, worst_first
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.core.words import count_said, decimal, marked_status, signed, signed_rank
from rankeval.dashboard.language import beside, catalogue
from rankeval.dashboard.library import LoadedRun

FILTERS = (*(str(status) for status in Status), "missing_a", "missing_b", "regression", "improvement")
"""What the table can be narrowed to, in the order of the pills."""


def filter_label(name: str, counts: dict[str, int]) -> str:
    """Name a filter with its count, by shape and word where it is a status."""
    return count_said(name, counts[name], catalogue())


def shown_rows(comparison: Comparison, shown: str | None) -> list[ComparisonRow]:
    """Give the rows of a filter, worst first; all of them for None or a filter that there is not."""
    rows = worst_first(comparison.rows)
    match shown:
        case "missing_a" | "missing_b":
            return [row for row in rows if row.missing["ab".index(shown[-1])]]
        case "regression":
            return [row for row in rows if row.regression]
        case "improvement":
            return [row for row in rows if row.improvement]
        case _:
            return [row for row in rows if str(row.status) == shown] if shown in FILTERS else rows


def comparison_frame(rows: Sequence[ComparisonRow], protocol: Protocol) -> pd.DataFrame:
    """Give the per-query table."""
    words = catalogue()
    return pd.DataFrame(
        {
            "query": [row.query for row in rows],
            "status": [marked_status(row, words) for row in rows],
            "rank_a": pd.array([row.first_relevant_rank[0] for row in rows], dtype="Int64"),
            "rank_b": pd.array([row.first_relevant_rank[1] for row in rows], dtype="Int64"),
            "rank_delta": [signed_rank(row.rank_delta) for row in rows],
            "rr_delta": [signed(row.rr_delta) for row in rows],
            "recall_delta": [signed(row.recall_delta) for row in rows],
            "rr_a": [_exact(row.rr[0]) for row in rows],
            "rr_b": [_exact(row.rr[1]) for row in rows],
            "recall_a": [_exact(row.recall[0]) for row in rows],
            "recall_b": [_exact(row.recall[1]) for row in rows],
            "need": [need_of(protocol, row.query) for row in rows],
        }
    )


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


def _exact(value: object) -> str:
    return "null" if value is None else str(value)
