"""Tables of the page Chunk budgets as pandas frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from rankeval.core.about import BADGES, document_text, need_of
from rankeval.core.chunk_budgets import BudgetPoint, Slots, TwoCuts
from rankeval.core.chunks import evidence_of
from rankeval.core.comparison import worst_first
from rankeval.core.protocol import Protocol
from rankeval.core.words import MARKS, status_word
from rankeval.dashboard.frames import as_float
from rankeval.dashboard.language import _, catalogue
from rankeval.dashboard.library import LoadedChunkRun


def by_name(chunk_runs: Sequence[LoadedChunkRun]) -> dict[str, LoadedChunkRun]:
    """Name chunk runs so that each has a name of its own: with its map and fingerprint where a name is there twice."""
    names = Counter(each.name for each in chunk_runs)
    return {
        each.name if names[each.name] == 1 else f"{each.name} ({each.key[:8]}, {each.chunk_map.key[:8]})": each
        for each in chunk_runs
    }


def curve_frame(curves: Sequence[tuple[str, Sequence[BudgetPoint]]]) -> pd.DataFrame:
    """Give both means against the number of chunks, a row a run, budget and measure; that of all chunks left out."""
    rows = [
        (name, point.budget, measure, as_float(value), str(value))
        for name, points in curves
        for point in points
        if point.budget is not None
        for measure, value in (("Recall", point.recall_at_k), ("MRR", point.mrr_at_k))
    ]
    return pd.DataFrame(rows, columns=["run", "budget", "measure", "value", "exact"])


def exact_frame(curves: Sequence[tuple[str, Sequence[BudgetPoint]]]) -> pd.DataFrame:
    """Give both means against the number of chunks, decimal and exact."""
    points = [(name, point) for name, each in curves for point in each]
    return pd.DataFrame(
        {
            "run": [name for name, _point in points],
            "budget": [_("all") if point.budget is None else str(point.budget) for _name, point in points],
            "recall": [as_float(point.recall_at_k) for _name, point in points],
            "recall_exact": [str(point.recall_at_k) for _name, point in points],
            "mrr": [as_float(point.mrr_at_k) for _name, point in points],
            "mrr_exact": [str(point.mrr_at_k) for _name, point in points],
            "documents": [float(point.documents_per_query) for _name, point in points],
        }
    )


def cuts_frame(cuts: TwoCuts, protocol: Protocol) -> pd.DataFrame:
    """Give every query whose score or documents the budget changes, worst first."""
    lost = {each.query: each for each in cuts.lost}
    rows = [row for row in worst_first(cuts.comparison.rows) if row.regression or row.improvement or row.query in lost]
    found = [lost.get(row.query) for row in rows]
    return pd.DataFrame(
        {
            "query": [row.query for row in rows],
            "status": [f"{MARKS[row.status]} {status_word(row.status, catalogue())}" for row in rows],
            "rank_all": pd.array([row.first_relevant_rank[0] for row in rows], dtype="Int64"),
            "rank_cut": pd.array([row.first_relevant_rank[1] for row in rows], dtype="Int64"),
            "rr_delta": [as_float(row.rr_delta) for row in rows],
            "recall_delta": [as_float(row.recall_delta) for row in rows],
            "lost": [len(each.documents) if each else 0 for each in found],
            "lost_within_k": [len(each.within_k) if each else 0 for each in found],
            "lost_relevant": [", ".join(each.relevant) if each else "" for each in found],
            "need": [need_of(protocol, row.query) for row in rows],
        }
    )


def slots_frame(slots: Slots, protocol: Protocol) -> pd.DataFrame:
    """Give the documents that hold chunk slots, most slots first."""
    return pd.DataFrame(
        {
            "document": [each.document for each in slots.documents],
            "slots": [each.slots for each in slots.documents],
            "queries": [each.queries for each in slots.documents],
            "text": [_beginning(document_text(protocol.corpus[each.document])) for each in slots.documents],
        }
    )


def _beginning(content: str) -> str:
    """Give as much of a text as a row shows; thousands of whole texts would be sent at every click."""
    return content if len(content) <= _SHOWN else f"{content[:_SHOWN]} …"


_SHOWN = 80


def provenance_frame(protocol: Protocol, query: str, received: LoadedChunkRun, budget: int) -> pd.DataFrame:
    """Give the documents of one query with the chunks that they came from."""
    documents = evidence_of(received.run.rankings[query], received.chunk_map.chunk_to_doc)["documents"]
    badges = [BADGES[protocol.judgment(query, each["document_id"])] for each in documents]
    return pd.DataFrame(
        {
            "rank": range(1, len(documents) + 1),
            "document": [each["document_id"] for each in documents],
            "relevance": [f"{shape} {_(words)}" for shape, words, _style in badges],
            "first_chunk": [each["first_chunk_id"] for each in documents],
            "first_rank": [each["first_chunk_rank"] for each in documents],
            "ranks": [", ".join(map(str, each["chunk_ranks"])) for each in documents],
            "within": [_("yes") if each["first_chunk_rank"] <= budget else _("no: lost") for each in documents],
        }
    )
