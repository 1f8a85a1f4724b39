"""Tables of the page Missing and null as pandas frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from rankeval.core.about import need_of
from rankeval.core.gaps import Gap, GapPair, Gaps, Returned
from rankeval.core.protocol import Protocol
from rankeval.core.scoring import Report
from rankeval.dashboard.frames import as_float
from rankeval.dashboard.language import _, mark

STATES: Mapping[Returned, str] = {
    Returned.MISSING: mark("✘ missing"),
    Returned.EMPTY: mark("○ empty"),
    Returned.SHORT: mark("◐ short"),
    Returned.FULL: mark("● full"),
}
"""How much was returned, by shape and word."""


def gaps_frame(gaps: Sequence[Gap], protocol: Protocol) -> pd.DataFrame:
    """Give queries that are missing, empty or short, with what each does to both means."""
    return pd.DataFrame(
        {
            "query": [gap.query for gap in gaps],
            "state": [_(STATES[gap.state]) for gap in gaps],
            "returned": [gap.returned for gap in gaps],
            "recall_pull": [as_float(gap.recall_pull) for gap in gaps],
            "mrr_pull": [as_float(gap.mrr_pull) for gap in gaps],
            "recall_headroom": [as_float(gap.recall_headroom) for gap in gaps],
            "need": [need_of(protocol, gap.query) for gap in gaps],
        }
    )


def pairs_frame(pairs: Sequence[GapPair], protocol: Protocol) -> pd.DataFrame:
    """Give every query that is missing, empty, short or null on either side."""
    return pd.DataFrame(
        {
            "query": [pair.query for pair in pairs],
            "state_a": [_(STATES[pair.states[0]]) for pair in pairs],
            "state_b": [_(STATES[pair.states[1]]) for pair in pairs],
            "returned_a": [pair.returned[0] for pair in pairs],
            "returned_b": [pair.returned[1] for pair in pairs],
            "null": [_("– null") if pair.null else "" for pair in pairs],
            "need": [need_of(protocol, pair.query) for pair in pairs],
        }
    )


def runs_frame(runs: Sequence[tuple[str, Gaps, Report]]) -> pd.DataFrame:
    """Give every run with its counts, its means, and the means that a scorer gives that drops missing queries."""
    return pd.DataFrame(
        {
            "run": [name for name, _gaps, _report in runs],
            "missing": [gaps.counts.missing for _name, gaps, _report in runs],
            "empty": [gaps.counts.empty for _name, gaps, _report in runs],
            "short": [gaps.counts.short for _name, gaps, _report in runs],
            "null": [gaps.counts.null for _name, gaps, _report in runs],
            "recall": [as_float(report.recall_at_k) for _name, _gaps, report in runs],
            "recall_wrong": [as_float(gaps.without_missing.recall) for _name, gaps, _report in runs],
            "mrr": [as_float(report.mrr_at_k) for _name, _gaps, report in runs],
            "mrr_wrong": [as_float(gaps.without_missing.mrr) for _name, gaps, _report in runs],
        }
    )
