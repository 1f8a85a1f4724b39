"""What pages show, computed by the core, each figure once for all visitors.

A figure is kept under what it was computed from: fingerprints, never names.  So it cannot go stale, and who asks while
another visitor's script computes it waits for that one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from rankeval.core.chunk_budgets import BudgetPoint, Slots, TwoCuts, budget_curve, slots, two_cuts
from rankeval.core.comparison import Comparison, compare
from rankeval.core.exhibits import Exhibit, exhibits
from rankeval.core.gaps import GapPair, Gaps, gaps, gaps_side_by_side
from rankeval.core.overview import (
    Curves,
    Distribution,
    RunSummary,
    curves,
    distribution,
    regression_matrix,
    summary,
)
from rankeval.core.scoring import Measure
from rankeval.dashboard.library import LoadedChunkRun, LoadedProtocol, LoadedRun

_MOST = 1_000
"""How many figures are kept; the one that nobody has asked for longest goes first."""

_Figure = TypeVar("_Figure")


class Figures:
    """Figures by what they were computed from."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[Hashable, Future[Any]] = OrderedDict()

    def once(self, key: Hashable, compute: Callable[[], _Figure]) -> _Figure:
        """Give a figure, computed by whoever asks first; what a computation raises is raised, and not kept."""
        with self._lock:
            known: Future[_Figure] | None = self._known.get(key)
            if known is None:
                asked: Future[_Figure] = Future()
                self._known[key] = asked
                while len(self._known) > self._most:
                    self._known.popitem(last=False)
            else:
                self._known.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            asked.set_result(compute())
        except BaseException as error:
            with self._lock:
                self._known.pop(key, None)
            asked.set_exception(error)
            raise
        return asked.result()


_figures = Figures()


def comparison_of(entry: LoadedProtocol, a: LoadedRun, b: LoadedRun) -> Comparison:
    """Compare two runs of a protocol."""
    return _figures.once(("comparison", entry.key, a.key, b.key), lambda: compare(a.report, b.report))


def summary_of(entry: LoadedProtocol, run: LoadedRun, baseline: LoadedRun) -> RunSummary:
    """Sum up a run against a baseline."""
    return _figures.once(("summary", entry.key, run.key, baseline.key), lambda: summary(run.report, baseline.report))


def matrix_of(entry: LoadedProtocol, runs: Sequence[LoadedRun]) -> tuple[tuple[int, ...], ...]:
    """Count the regressions of every run, a column each, against every other, a row each."""
    keys = tuple(run.key for run in runs)
    return _figures.once(("matrix", entry.key, keys), lambda: regression_matrix([run.report for run in runs]))


def distribution_of(entry: LoadedProtocol, run: LoadedRun, measure: Measure) -> Distribution:
    """Say how a measure is spread over the queries of a run."""
    return _figures.once(("distribution", entry.key, run.key, measure), lambda: distribution(run.report, measure))


def curves_of(entry: LoadedProtocol, run: LoadedRun) -> Curves:
    """Give both means of a run at every cut-off up to k."""
    return _figures.once(("curves", entry.key, run.key), lambda: curves(entry.protocol, run.run))


def gaps_of(entry: LoadedProtocol, run: LoadedRun) -> Gaps:
    """Give what a run did not return."""
    return _figures.once(("gaps", entry.key, run.key), lambda: gaps(run.report))


def gaps_beside(entry: LoadedProtocol, a: LoadedRun, b: LoadedRun) -> tuple[GapPair, ...]:
    """Give what either of two runs did not return."""
    return _figures.once(("gaps beside", entry.key, a.key, b.key), lambda: gaps_side_by_side(a.report, b.report))


def budget_curve_of(
    entry: LoadedProtocol, received: LoadedChunkRun, budgets: tuple[int, ...]
) -> tuple[BudgetPoint, ...]:
    """Score a chunk run under several budgets, and under all its chunks at the end."""
    return _figures.once(
        ("budgets", entry.key, received.key, received.chunk_map.key, budgets),
        lambda: budget_curve(entry.protocol, received.run, received.chunk_map.chunk_to_doc, budgets),
    )


def two_cuts_of(entry: LoadedProtocol, received: LoadedChunkRun, budget: int) -> TwoCuts:
    """Cut a chunk run in both orders."""
    return _figures.once(
        ("two cuts", entry.key, received.key, received.chunk_map.key, budget),
        lambda: two_cuts(entry.protocol, received.run, received.chunk_map.chunk_to_doc, budget),
    )


def slots_of(entry: LoadedProtocol, received: LoadedChunkRun, budget: int) -> Slots:
    """Say which documents hold the first chunk slots."""
    return _figures.once(
        ("slots", entry.key, received.key, received.chunk_map.key, budget),
        lambda: slots(received.run, received.chunk_map.chunk_to_doc, budget),
    )


def exhibits_of(entry: LoadedProtocol, run: LoadedRun, received: LoadedChunkRun | None) -> tuple[Exhibit, ...]:
    """Give what looser scorers would have said of a run."""
    chunks = None if received is None else (received.run.rankings, received.chunk_map.chunk_to_doc)
    return _figures.once(
        ("exhibits", entry.key, run.key, run.run.from_chunks),
        lambda: exhibits(entry.protocol, run.run, run.report, chunks),
    )
