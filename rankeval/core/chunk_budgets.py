"""How many chunks are enough: curves over budgets, the two orders of cutting, and who holds the chunk slots.

With the first n chunks, a document is there when its first chunk is among them, and nothing that ranks after it was
ever counted before it: its rank among the collapsed documents is the same under every budget that lets it in.  So two
numbers a document, its first chunk's rank and its own collapsed rank, decide everything here (SPEC.md, "From chunks to
documents").
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from rankeval.core.chunks import cut_chunks, refuse_unsound_budget, refuse_unsound_chunks
from rankeval.core.comparison import Comparison, compare
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run
from rankeval.core.running_means import running_means
from rankeval.core.scoring import Report, score


@dataclass(frozen=True, slots=True)
class BudgetPoint:
    """A chunk run under one budget, cut and then collapsed.

    Attributes:
        budget: how many chunks of each query were taken; None for all that were received.
        recall_at_k: mean Recall@k of the documents; None when no query is eligible.
        mrr_at_k: mean RR@k; likewise.
        received_chunks: how many chunks that is, over all queries.
        distinct_documents: how many documents they become, counted for each query and summed.
        documents_per_query: the same as a mean over the queries of the split, a missing one with 0.

    """

    budget: int | None
    recall_at_k: Fraction | None
    mrr_at_k: Fraction | None
    received_chunks: int
    distinct_documents: int
    documents_per_query: Fraction


@dataclass(frozen=True, slots=True)
class LostDocuments:
    """What a budget lost on one query: documents whose every chunk comes after it.

    Attributes:
        query: its ID.
        kept: how many documents are left; the first lost one stands at `kept + 1` of the collapsed ranking.
        documents: the lost ones, best first.
        relevant: those of them that are relevant.
        within_k: those of them that stand among the first k when all received chunks are collapsed.

    """

    query: str
    kept: int
    documents: tuple[str, ...]
    relevant: tuple[str, ...]
    within_k: tuple[str, ...]

    @property
    def relevant_within_k(self) -> tuple[str, ...]:
        """The lost documents that cost a hit."""
        return tuple(document for document in self.within_k if document in self.relevant)


@dataclass(frozen=True, slots=True)
class TwoCuts:
    """One chunk run, cut in both orders: two experiments, which differ in how many candidates they may choose from.

    Attributes:
        budget: how many chunks the second takes.
        collapse_then_cut: all received chunks, collapsed, then the first k documents.
        cut_then_collapse: the first `budget` chunks, collapsed, then the first k documents.
        comparison: the first as baseline, the second as candidate; that these are two experiments is to be said
            wherever it is shown (SPEC.md, "From chunks to documents").
        lost: what the budget lost, for each query of the protocol that lost something, in its order.

    """

    budget: int
    collapse_then_cut: Report
    cut_then_collapse: Report
    comparison: Comparison
    lost: tuple[LostDocuments, ...]


@dataclass(frozen=True, slots=True)
class ReceivedChunks:
    """A chunk run that was found sound, collapsed.

    Attributes:
        protocol: what it was checked against.
        first_ranks: query ID -> document ID -> its first chunk's rank, in the order of the collapsed ranking.
        everything: the report of all received chunks, collapsed and cut at k.

    """

    protocol: Protocol
    first_ranks: Mapping[str, Mapping[str, int]]
    everything: Report


@dataclass(frozen=True, slots=True)
class QuerySlots:
    """Which documents hold one query's chunk slots.

    Attributes:
        query: its ID.
        chunks: how many slots are filled.
        documents: (document, slots), most slots first, then as they come.

    """

    query: str
    chunks: int
    documents: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class DocumentSlots:
    """One document over all queries: how many chunk slots it holds, and for how many queries it holds any."""

    document: str
    slots: int
    queries: int


@dataclass(frozen=True, slots=True)
class Slots:
    """Who holds the first chunk slots of a run.

    Attributes:
        budget: how many slots there are for each query; None for all that were received.
        queries: one for each query of the run, in its order.
        documents: over all queries, most slots first, then as they come.

    """

    budget: int | None
    queries: tuple[QuerySlots, ...]
    documents: tuple[DocumentSlots, ...]


def budget_curve(
    protocol: Protocol, chunk_run: Run, chunk_to_doc: Mapping[str, str], budgets: Sequence[int] | None = None
) -> tuple[BudgetPoint, ...]:
    """Score a chunk run under many budgets at once: what `chunks.score_budgets` says of each, and how much there is.

    Args:
        protocol: what it is measured on.
        chunk_run: query ID -> chunk IDs, best first.
        chunk_to_doc: chunk ID -> document ID.
        budgets: in the order wanted; None for every one from 1 to the longest ranking.

    Returns:
        A point for each budget, and one for all received chunks at the end.

    Raises:
        ChunkError: the chunk run, the map or a budget breaks a rule.

    """
    refuse_unsound_chunks(protocol, chunk_run, chunk_to_doc)
    for budget in budgets or ():
        refuse_unsound_budget(budget)
    hits: list[tuple[int, int]] = []
    firsts: list[tuple[int, int]] = []
    arrivals: Counter[int] = Counter()
    for query, chunks in chunk_run.rankings.items():
        first_chunks, relevant = first_chunk_ranks(chunks, chunk_to_doc), protocol.relevant[query]
        arrivals.update(first_chunks.values())
        found = [
            (chunk_rank, rank)
            for rank, (document, chunk_rank) in enumerate(islice(first_chunks.items(), protocol.k), 1)
            if document in relevant
        ]
        hits += [(chunk_rank, len(relevant)) for chunk_rank, _ in found]
        firsts += found[:1]
    lengths = Counter(map(len, chunk_run.rankings.values()))
    longest = max(lengths, default=0)
    named = [*(range(1, longest + 1) if budgets is None else budgets), None]
    stops = [longest if budget is None else budget for budget in named]
    eligible = sum(bool(protocol.relevant[query]) for query in protocol.split_queries)

    def means(shares: list[tuple[int, int]]) -> tuple[Fraction | None, ...]:
        return running_means(shares, eligible, stops) if eligible else (None,) * len(stops)

    def point(budget: int | None, stop: int, recall: Fraction | None, mrr: Fraction | None) -> BudgetPoint:
        distinct = sum(documents for rank, documents in arrivals.items() if rank <= stop)
        return BudgetPoint(
            budget=budget,
            recall_at_k=recall,
            mrr_at_k=mrr,
            received_chunks=sum(min(length, stop) * queries for length, queries in lengths.items()),
            distinct_documents=distinct,
            documents_per_query=Fraction(distinct, len(protocol.split_queries)),
        )

    return tuple(map(point, named, stops, means(hits), means(firsts)))


def two_cuts(protocol: Protocol, chunk_run: Run, chunk_to_doc: Mapping[str, str], budget: int) -> TwoCuts:
    """Collapse all received chunks, or the first `budget` of them, and score both at k.

    Raises:
        ChunkError: the chunk run, the map or the budget breaks a rule.

    """
    return cut(received_chunks(protocol, chunk_run, chunk_to_doc), budget)


def received_chunks(protocol: Protocol, chunk_run: Run, chunk_to_doc: Mapping[str, str]) -> ReceivedChunks:
    """Check and collapse a chunk run, once for all the budgets that it will be cut to.

    Raises:
        ChunkError: the chunk run or the map breaks a rule.

    """
    refuse_unsound_chunks(protocol, chunk_run, chunk_to_doc)
    first_ranks = {query: first_chunk_ranks(chunks, chunk_to_doc) for query, chunks in chunk_run.rankings.items()}
    everything = score(protocol, {query: list(documents) for query, documents in first_ranks.items()})
    return ReceivedChunks(protocol, first_ranks, everything)


def cut(received: ReceivedChunks, budget: int) -> TwoCuts:
    """Score the documents of the first `budget` chunks beside those of all that were received.

    Raises:
        ChunkError: the budget is no positive integer.

    """
    refuse_unsound_budget(budget)
    protocol = received.protocol
    collapsed: dict[str, list[str]] = {}
    kept: dict[str, int] = {}
    for query, first_ranks in received.first_ranks.items():
        collapsed[query] = list(first_ranks)
        kept[query] = bisect_right(list(first_ranks.values()), budget)
    within_budget = score(protocol, {query: ranking[: kept[query]] for query, ranking in collapsed.items()})
    return TwoCuts(
        budget=budget,
        collapse_then_cut=received.everything,
        cut_then_collapse=within_budget,
        comparison=compare(received.everything, within_budget),
        lost=tuple(
            _lost(protocol, query, collapsed[query], kept[query])
            for query in protocol.split_queries
            if query in kept and kept[query] < len(collapsed[query])
        ),
    )


def slots(chunk_run: Run, chunk_to_doc: Mapping[str, str], budget: int | None = None) -> Slots:
    """Count how many of the first `budget` chunk slots of each query each document holds; None counts all received.

    The run and the map were found sound when they met their protocol.

    Raises:
        ChunkError: the budget is no positive integer.

    """
    rows: list[QuerySlots] = []
    held: Counter[str] = Counter()
    queries: Counter[str] = Counter()
    for query, chunks in cut_chunks(chunk_run.rankings, budget).items():
        own = Counter(chunk_to_doc[chunk] for chunk in chunks)
        rows.append(QuerySlots(query, len(chunks), tuple(own.most_common())))
        held.update(own)
        queries.update(own.keys())
    documents = tuple(DocumentSlots(document, count, queries[document]) for document, count in held.most_common())
    return Slots(budget, tuple(rows), documents)


def first_chunk_ranks(chunks: Iterable[str], chunk_to_doc: Mapping[str, str]) -> dict[str, int]:
    """Give each document's first chunk rank, in the order of the collapsed ranking.

    >>> first_chunk_ranks(["d3a", "d3b", "d4a"], {"d3a": "d3", "d3b": "d3", "d4a": "d4"})
    {'d3': 1, 'd4': 3}
    """
    first: dict[str, int] = {}
    for rank, chunk in enumerate(chunks, 1):
        first.setdefault(chunk_to_doc[chunk], rank)
    return first


def _lost(protocol: Protocol, query: str, collapsed: Sequence[str], kept: int) -> LostDocuments:
    lost, relevant = collapsed[kept:], protocol.relevant[query]
    return LostDocuments(
        query=query,
        kept=kept,
        documents=tuple(lost),
        relevant=tuple(document for document in lost if document in relevant),
        within_k=tuple(collapsed[kept : protocol.k]),
    )
