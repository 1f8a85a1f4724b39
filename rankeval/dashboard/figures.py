"""What pages show, computed by the core, each figure once for all visitors."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

from rankeval.core.chunk_budgets import BudgetPoint, Slots, TwoCuts, budget_curve, cut, received_chunks, slots
from rankeval.core.chunks import DocumentEvidence, evidence_of
from rankeval.core.comparison import Comparison, ComparisonRow, compare, worst_first
from rankeval.core.contract import ContractError
from rankeval.core.exhibits import Exhibit, exhibits
from rankeval.core.gaps import GapPair, Gaps, gaps, gaps_side_by_side
from rankeval.core.groups import Group, groups, query_fields
from rankeval.core.overview import (
    Curves,
    Distribution,
    RunSummary,
    curves,
    distribution,
    regression_matrix,
    summary,
)
from rankeval.core.run import Run
from rankeval.core.scoring import Measure
from rankeval.dashboard.library import Library, LoadedChunkRun, LoadedProtocol, LoadedRun
from rankeval.dashboard.once import Once

_figures = Once(1_000)

USUAL_BUDGET = 2
"""How many chunks are taken at first: the published example's number, at which its two cuts differ."""


def make_ready(library: Library, entry: LoadedProtocol) -> None:
    """Compute behind the page what pages show of all runs of a protocol, so that nobody need wait for each.

    Once for the same runs; what cannot be read is left to who looks at it, and is told.
    """
    runs = library.runs(entry)

    def compute_each() -> None:
        for run in runs:
            with suppress(ContractError):
                gaps_of(entry, run)
                curves_of(entry, run)
        with suppress(ContractError):
            matrix_of(entry, runs)
            for run in runs:
                # The first run is the baseline that an address without one is shown with.
                summary_of(entry, run, runs[0])
        with suppress(ContractError):
            received = library.chunk_runs(entry)
            for each in received[:1]:
                two_cuts_of(entry, each, USUAL_BUDGET)
                budget_curves_of(entry, received, each, USUAL_BUDGET)

    def start() -> threading.Thread:
        thread = threading.Thread(target=compute_each, name="make-ready", daemon=True)
        thread.start()
        return thread

    _figures.get(("ready", entry.key, tuple(run.key for run in runs)), start)


def comparison_of(entry: LoadedProtocol, a: LoadedRun, b: LoadedRun) -> Comparison:
    """Compare two runs of a protocol."""
    return _figures.get(("comparison", entry.key, a.key, b.key), lambda: compare(a.report, b.report))


def worst_first_of(entry: LoadedProtocol, a: LoadedRun, b: LoadedRun, measure: Measure) -> list[ComparisonRow]:
    """Sort every query of a comparison as people read it."""
    return _figures.get(
        ("worst-first", entry.key, a.key, b.key, measure),
        lambda: worst_first(comparison_of(entry, a, b).rows, measure),
    )


def fields_of(entry: LoadedProtocol) -> list[str]:
    """Name the metadata fields by which queries can be grouped."""
    return _figures.get(("fields", entry.protocol.compact_sha256), lambda: query_fields(entry.protocol))


def groups_of(entry: LoadedProtocol, a: LoadedRun, b: LoadedRun, field: str) -> list[Group]:
    """Say what became of each group of queries."""
    return _figures.get(
        ("groups", entry.key, a.key, b.key, field),
        lambda: groups(entry.protocol, comparison_of(entry, a, b).rows, field),
    )


def evidence_of_query(entry: LoadedProtocol, run: LoadedRun, query: str) -> Mapping[str, DocumentEvidence]:
    """Say which chunks stood for each document of a query; nothing for a run of documents."""
    received = run.library.received(entry, run.run)
    origin = run.run.from_chunks
    if received is None or origin is None:
        return {}
    chunks = received.run.rankings.get(query, [])[: origin.budget]
    found = evidence_of(chunks, received.chunk_map.chunk_to_doc)
    return {each["document_id"]: each for each in found["documents"]}


def summary_of(entry: LoadedProtocol, run: LoadedRun, baseline: LoadedRun) -> RunSummary:
    """Sum up a run against a baseline."""
    return _figures.get(("summary", entry.key, run.key, baseline.key), lambda: summary(run.report, baseline.report))


def matrix_of(entry: LoadedProtocol, runs: Sequence[LoadedRun]) -> tuple[tuple[int, ...], ...]:
    """Count the regressions of every run, a column each, against every other, a row each."""
    keys = tuple(run.key for run in runs)
    return _figures.get(("matrix", entry.key, keys), lambda: regression_matrix([run.report for run in runs]))


def distribution_of(entry: LoadedProtocol, run: LoadedRun, measure: Measure) -> Distribution:
    """Say how a measure is spread over the queries of a run."""
    return _figures.get(("distribution", entry.key, run.key, measure), lambda: distribution(run.report, measure))


def curves_of(entry: LoadedProtocol, run: LoadedRun) -> Curves:
    """Give both means of a run at every cut-off up to k."""
    return _figures.get(("curves", entry.key, run.key), lambda: curves(entry.protocol, run.run))


def gaps_of(entry: LoadedProtocol, run: LoadedRun) -> Gaps:
    """Give what a run did not return."""
    return _figures.get(("gaps", entry.key, run.key), lambda: gaps(run.report))


def gaps_beside(entry: LoadedProtocol, a: LoadedRun, b: LoadedRun) -> tuple[GapPair, ...]:
    """Give what either of two runs did not return."""
    return _figures.get(("gaps-beside", entry.key, a.key, b.key), lambda: gaps_side_by_side(a.report, b.report))


def budget_curves_of(
    entry: LoadedProtocol, received: Sequence[LoadedChunkRun], chosen: LoadedChunkRun, budget: int
) -> list[tuple[str, tuple[BudgetPoint, ...]]]:
    """Score the chosen chunk run, and all others of its map, by name, under several budgets and under all chunks."""
    same_map = [each for each in received if each.chunk_map.key == chosen.chunk_map.key]
    shown = _shown_budgets([each.run for each in same_map], budget)
    return [
        (
            each.name,
            _figures.get(
                ("budgets", entry.key, each.key, each.chunk_map.key, shown),
                partial(budget_curve, entry.protocol, each.run, each.chunk_map.chunk_to_doc, shown),
            ),
        )
        for each in same_map
    ]


def _shown_budgets(runs: Sequence[Run], budget: int) -> tuple[int, ...]:
    """Choose the numbers of chunks to show: every small one, then fewer and fewer, and always the chosen one."""
    longest = max((len(chunks) for run in runs for chunks in run.rankings.values()), default=1)
    shown = set(range(1, min(longest, _EVERY) + 1)) | {min(budget, longest), longest}
    step = _EVERY
    while (step := step * 5 // 4) < longest:
        shown.add(step)
    return tuple(sorted(shown))


_EVERY = 50
"""Up to so many chunks every number of them is shown; beyond, steps that grow."""


def two_cuts_of(entry: LoadedProtocol, received: LoadedChunkRun, budget: int) -> TwoCuts:
    """Cut a chunk run in both orders; it is checked and collapsed once for all budgets."""
    what = (entry.key, received.key, received.chunk_map.key)
    return _figures.get(
        ("two-cuts", *what, budget),
        lambda: cut(
            _figures.get(
                ("received", *what),
                lambda: received_chunks(entry.protocol, received.run, received.chunk_map.chunk_to_doc),
            ),
            budget,
        ),
    )


def slots_of(entry: LoadedProtocol, received: LoadedChunkRun, budget: int) -> Slots:
    """Say which documents hold the first chunk slots."""
    return _figures.get(
        ("slots", entry.key, received.key, received.chunk_map.key, budget),
        lambda: slots(received.run, received.chunk_map.chunk_to_doc, budget),
    )


def exhibits_of(entry: LoadedProtocol, run: LoadedRun, received: LoadedChunkRun | None) -> tuple[Exhibit, ...]:
    """Give what looser scorers would have said of a run."""
    chunks = None if received is None else (received.run.rankings, received.chunk_map.chunk_to_doc)
    return _figures.get(
        ("exhibits", entry.key, run.key, run.run.from_chunks),
        lambda: exhibits(entry.protocol, run.run, run.report, chunks),
    )
