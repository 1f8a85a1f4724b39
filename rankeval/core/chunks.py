"""From chunks to documents: first-occurrence collapse, evidence and budgets (SPEC.md, "From chunks to documents")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from rankeval.core import fingerprint
from rankeval.core.collection import (
    check_document_ids,
    check_query_metadata,
    check_split,
    check_split_has_queries,
    is_utf8,
)
from rankeval.core.contract import ChunkError, Fault, Faults, Rule, is_filled_mapping, is_id, kind_of, shown_id
from rankeval.core.near_miss import NearMisses
from rankeval.core.protocol import Protocol
from rankeval.core.run import (
    FromChunks,
    Locate,
    Run,
    check_known_queries,
    count_faults,
    is_sound_ranking,
    locate_of,
    placed,
    rankings_of,
    repeats,
)
from rankeval.core.scoring import Report, score


class DocumentEvidence(TypedDict):
    """Which chunks stood for one document; ranks are 1-based ranks of chunks, all of them kept."""

    document_id: str
    first_chunk_id: str
    first_chunk_rank: int
    chunk_ranks: list[int]


class Evidence(TypedDict):
    """What one query's chunks became; documents in the order of their first chunk."""

    received_chunks: int
    distinct_documents: int
    documents: list[DocumentEvidence]


@dataclass(frozen=True, slots=True)
class AdaptedRuns:
    """A chunk run as documents.

    Attributes:
        document_runs: query ID -> list of document IDs, each at its first chunk; `score` takes it as it is.
        evidence: query ID -> which chunks stood for which document.
        adapter_sha256: the chunk map and the rule of collapse.

    """

    document_runs: dict[str, list[str]]
    evidence: dict[str, Evidence]
    adapter_sha256: str

    def as_dict(self) -> dict[str, Any]:
        """Give everything as plain dicts and lists."""
        return {
            "adapter_sha256": self.adapter_sha256,
            "document_runs": {query: list(ranking) for query, ranking in self.document_runs.items()},
            "evidence": {
                query: {
                    **evidence,
                    "documents": [{**row, "chunk_ranks": list(row["chunk_ranks"])} for row in evidence["documents"]],
                }
                for query, evidence in self.evidence.items()
            },
        }


def adapt_runs(corpus: Any, queries: Any, chunk_to_doc: Any, chunk_runs: Any, split: Any) -> AdaptedRuns:
    """Collapse a chunk run to documents: each document stands at its first chunk (`first-occurrence-document-v1`).

    There is no cut-off here: everything received is converted, and a missing query stays missing.

    Args:
        corpus: document ID -> document; the documents are not looked at.
        queries: query ID -> metadata with `split`.
        chunk_to_doc: chunk ID -> document ID, checked in full, unused entries included.
        chunk_runs: query ID -> list of chunk IDs, best first, or a `Run` of them.
        split: the split whose queries may be in the run.

    Raises:
        ChunkError: any rule of SPEC.md's table on collections, chunk maps or chunk runs is broken.

    """
    _refuse_unsound(corpus, queries, chunk_to_doc, chunk_runs, split)
    return _adapt(rankings_of(chunk_runs), chunk_to_doc)


def cut_chunks(chunk_runs: Mapping[str, list[str]], budget: int | None) -> dict[str, list[str]]:
    """Keep the first `budget` chunks of every query, or all of them for None.

    Raises:
        ChunkError: the budget is no positive integer.

    """
    if budget is not None:
        refuse_unsound_budget(budget)
    return {query: chunks[:budget] for query, chunks in chunk_runs.items()}


def collapse_run(
    protocol: Protocol, chunk_run: Run, chunk_to_doc: Mapping[str, str], budget: int | None = None
) -> tuple[Run, AdaptedRuns]:
    """Make the document run of a chunk run under a budget, with the evidence of it.

    The chunk run is checked in full before it is cut to the first `budget` chunks of each query; None takes all.

    Raises:
        ChunkError: the chunk run, the map or the budget breaks a rule.

    """
    refuse_unsound_chunks(protocol, chunk_run, chunk_to_doc)
    adapted = _adapt(cut_chunks(chunk_run.rankings, budget), chunk_to_doc)
    origin = FromChunks(chunk_run.run_sha256, adapted.adapter_sha256, budget)
    return replace(chunk_run, rankings=adapted.document_runs, from_chunks=origin, locate=None), adapted


def refuse_unsound_chunks(protocol: Protocol, chunk_run: Run, chunk_to_doc: Mapping[str, str]) -> None:
    """Refuse a chunk run or a map that does not fit a protocol; the whole of every ranking is looked at.

    Raises:
        ChunkError: the chunk run or the map breaks a rule.

    """
    _refuse_unsound(protocol.corpus, protocol.queries, chunk_to_doc, chunk_run, protocol.split)


def refuse_unsound_budget(budget: object) -> None:
    """Refuse a budget that is no positive integer.

    Raises:
        ChunkError: it is none.

    """
    if type(budget) is not int or budget < 1:
        raise ChunkError([Fault(Rule.BUDGET, detail=f"the budget is {budget!r}")])


def score_budgets(
    protocol: Protocol, chunk_run: Run, chunk_to_doc: Mapping[str, str], budgets: Sequence[int]
) -> dict[str, Report]:
    """Score a chunk run under several budgets, and under "all": budget as text -> report.

    Raises:
        ChunkError: the chunk run, the map or a budget breaks a rule.

    """
    named: dict[str, int | None] = {str(budget): budget for budget in budgets} | {"all": None}
    return {
        name: score(protocol, collapse_run(protocol, chunk_run, chunk_to_doc, budget)[0])
        for name, budget in named.items()
    }


def _adapt(chunk_runs: Mapping[str, list[str]], chunk_to_doc: Mapping[str, str]) -> AdaptedRuns:
    evidence = {query: evidence_of(chunks, chunk_to_doc) for query, chunks in chunk_runs.items()}
    return AdaptedRuns(
        document_runs={query: [row["document_id"] for row in own["documents"]] for query, own in evidence.items()},
        evidence=evidence,
        adapter_sha256=fingerprint.adapter_sha256(chunk_to_doc),
    )


def evidence_of(chunks: Iterable[str], chunk_to_doc: Mapping[str, str]) -> Evidence:
    """Collapse one query's chunks, which were found sound, and say which of them stood for which document."""
    documents: dict[str, DocumentEvidence] = {}
    rank = 0
    for rank, chunk in enumerate(chunks, 1):
        document = chunk_to_doc[chunk]
        first = DocumentEvidence(document_id=document, first_chunk_id=chunk, first_chunk_rank=rank, chunk_ranks=[])
        documents.setdefault(document, first)["chunk_ranks"].append(rank)
    return Evidence(received_chunks=rank, distinct_documents=len(documents), documents=list(documents.values()))


def _refuse_unsound(corpus: object, queries: object, chunk_to_doc: object, chunk_runs: object, split: object) -> None:
    """Collect every fault, in the order that SPEC.md gives for `adapt_runs`, and refuse if there is one."""
    faults = Faults()
    _check_collection(faults, corpus, queries, split)
    rankings = rankings_of(chunk_runs)
    for name, value in (("the chunk map", chunk_to_doc), ("the chunk run", rankings)):
        if not isinstance(value, Mapping):
            faults.add(Fault(Rule.CHUNK_MAPPINGS, detail=f"{name} is {kind_of(value)}"))
    if isinstance(corpus, Mapping) and isinstance(chunk_to_doc, Mapping):
        _check_map(faults, corpus, chunk_to_doc)
    if isinstance(queries, Mapping):
        check_split_has_queries(faults, queries, split)
    if isinstance(queries, Mapping) and isinstance(rankings, Mapping):
        check_known_queries(faults, rankings, queries, split, locate_of(chunk_runs))
    if isinstance(chunk_to_doc, Mapping) and isinstance(rankings, Mapping):
        _check_chunk_rankings(faults, rankings, chunk_to_doc, locate_of(chunk_runs))
    faults.refuse(ChunkError)


def _check_collection(faults: Faults, corpus: object, queries: object, split: object) -> None:
    if not is_filled_mapping(corpus):
        faults.add(Fault(Rule.CORPUS, detail=f"the corpus is {kind_of(corpus)}"))
    if isinstance(corpus, Mapping):
        check_document_ids(faults, corpus)
    if not is_filled_mapping(queries):
        faults.add(Fault(Rule.QUERIES, detail=f"queries is {kind_of(queries)}"))
    check_split(faults, split)
    if isinstance(queries, Mapping):
        check_query_metadata(faults, queries)


def _check_chunk_rankings(
    faults: Faults, rankings: Mapping[Any, object], chunk_to_doc: Mapping[Any, object], locate: Locate
) -> None:
    near = NearMisses(chunk_to_doc)
    for query, chunks in rankings.items():
        if not is_sound_ranking(chunks, chunk_to_doc):
            found = _chunk_faults(shown_id(query), chunks, chunk_to_doc, near)
            faults.add_many(count_faults(chunks, chunk_to_doc), (placed(fault, locate) for fault in found))


def _check_map(faults: Faults, corpus: Mapping[Any, object], chunk_to_doc: Mapping[Any, object]) -> None:
    for chunk, document in chunk_to_doc.items():
        if not all(is_id(each) and is_utf8(each) for each in (chunk, document)):
            faults.add(Fault(Rule.CHUNK_IDS, document=shown_id(document), chunk=shown_id(chunk)))
    near = NearMisses(corpus)
    for chunk, document in chunk_to_doc.items():
        if is_id(document) and document not in corpus:
            fault = Fault(Rule.CHUNK_OUTSIDE, document=shown_id(document), chunk=shown_id(chunk))
            faults.add(replace(fault, detail=near.hint(document)))


def _chunk_faults(query: str, chunks: object, chunk_to_doc: Mapping[Any, object], near: NearMisses) -> Iterator[Fault]:
    if not isinstance(chunks, list):
        yield Fault(Rule.CHUNK_RANKING, query, detail=f"it is of type {type(chunks).__name__}")
        return
    for position, chunk in enumerate(chunks, 1):
        if not isinstance(chunk, str) or chunk not in chunk_to_doc:
            detail = near.hint(chunk) or "the chunk map does not hold it"
            yield Fault(Rule.UNKNOWN_CHUNK, query, chunk=shown_id(chunk), position=position, detail=detail)
    for position, chunk, first in repeats(chunks):
        yield Fault(Rule.DUPLICATE_CHUNK, query, chunk=chunk, position=position, detail=f"first at position {first}")
