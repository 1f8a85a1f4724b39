"""Negative controls: what looser scorers would have said, kept as exhibits (SPEC.md, "Negative controls").

Every figure here but those named correct is wrong on purpose and must be labelled so wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import Any

from rankeval.core.chunks import adapt_runs, cut_chunks
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.core.scoring import Report, Row, evaluate, exact, exact_values, macro_average, score

SCOPE = "Synthetic fixed rankings; metric implementation evidence, not model performance"


def recall_dropping_missing(report: Report) -> Fraction | None:
    """Wrong: mean Recall over the eligible queries that the run has an entry for; None when there are none."""
    return macro_average(row.recall for row in report.rows if not row.missing)


def rr_dropping_missing(report: Report) -> Fraction | None:
    """Wrong: mean RR over the eligible queries that the run has an entry for; None when there are none."""
    return macro_average(row.rr for row in report.rows if not row.missing)


def hit_rate(row: Row) -> Fraction | None:
    """Wrong as a recall: 1 when at least one relevant document is within k, else 0; None where nothing is relevant."""
    return None if row.recall is None else Fraction(row.hits > 0)


def occurrence_recall(ranking: Sequence[str], relevant: AbstractSet[str], k: int) -> Fraction:
    """Wrong: relevant occurrences within k, repeats counted, over the number of relevant documents.

    >>> occurrence_recall(["d3", "d3"], {"d3", "d4"}, 2)
    Fraction(1, 1)
    """
    return Fraction(sum(document in relevant for document in ranking[:k]), len(relevant))


def untruncated_rr(ranking: Sequence[str], relevant: AbstractSet[str]) -> Fraction:
    """Wrong as an RR@k: 1 / the rank of the first relevant document wherever it stands, else 0.

    >>> untruncated_rr(["d1", "d2", "d3"], {"d3", "d4"})
    Fraction(1, 3)
    """
    ranks = (rank for rank, document in enumerate(ranking, 1) if document in relevant)
    first = next(ranks, None)
    return Fraction(1, first) if first else Fraction(0)


def chunk_rank_rr(chunks: Sequence[str], chunk_to_doc: Mapping[str, str], relevant: AbstractSet[str]) -> Fraction:
    """Wrong: 1 / the rank of the first chunk of a relevant document, a chunk's rank read as a document's.

    >>> chunk_rank_rr(["d1a", "d1b", "d5a"], {"d1a": "d1", "d1b": "d1", "d5a": "d5"}, {"d5"})
    Fraction(1, 3)
    """
    return untruncated_rr([chunk_to_doc[chunk] for chunk in chunks], relevant)


def recall_unjudged_as_zero(ranking: Sequence[str], judged: Mapping[str, int], k: int) -> Fraction | None:
    """Wrong: Recall on sparse judgments, every absent pair read as a 0; None where no judgment is a 1."""
    relevant = {document for document, label in judged.items() if label == 1}
    return Fraction(len(relevant.intersection(ranking[:k])), len(relevant)) if relevant else None


def published_example(protocol: Protocol, runs: Mapping[str, Mapping[str, list[str]]]) -> dict[str, Any]:
    """Compute the published example: three reports, and the negative controls on them.

    Args:
        protocol: the tutorial set's.
        runs: its `fixture_A`, `fixture_B` and `all_empty`.

    Returns:
        What `expected.json` holds, scores as exact strings.

    """
    reports = {name: score(protocol, run) for name, run in runs.items()}
    report_a = reports["fixture_A"]
    q2 = next(row for row in report_a.rows if row.query == "q2")
    duplicated = ["d3", "d3"]
    return {
        "scope": SCOPE,
        "results": {name: exact_values(report.as_dict()) for name, report in reports.items()},
        "negative_controls": {
            "dropping_missing_wrong": exact(recall_dropping_missing(report_a)),
            "fixed_denominator_correct": exact(report_a.recall_at_k),
            "hit_rate_mislabeled_as_recall_wrong": exact(hit_rate(q2)),
            "q2_recall_correct": exact(q2.recall),
            "duplicate_counting_wrong": float(occurrence_recall(duplicated, protocol.relevant["q2"], protocol.k)),
            "contract_rejections": {
                "duplicate": _refused_for(protocol, {"q2": duplicated}),
                "unknown_doc": _refused_for(protocol, {"q2": ["d7"]}),
                "wrong_split": _refused_for(protocol, {"q1": ["d2"]}),
                "unjudged": _refused_for(protocol, runs["fixture_A"], unjudged=("q2", "d1")),
            },
        },
    }


def published_chunk_example(
    protocol: Protocol, chunk_to_doc: Mapping[str, str], chunk_run: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Compute the chunk half of the published example.

    Args:
        protocol: the tutorial set's.
        chunk_to_doc: its chunk map.
        chunk_run: its chunk run.

    Returns:
        What `expected-chunk.json` holds, scores as exact strings.

    """

    def adapted(chunks: Mapping[str, list[str]]) -> Any:
        return adapt_runs(protocol.corpus, protocol.queries, chunk_to_doc, chunks, protocol.split)

    two_chunks = cut_chunks(chunk_run, 2)
    replaced = {query: [chunk_to_doc[chunk] for chunk in chunks] for query, chunks in chunk_run.items()}
    reason = _refused_for(protocol, replaced)
    q2 = [chunk_to_doc[chunk] for chunk in two_chunks["q2"]]
    return {
        "document_runs": adapted(chunk_run).document_runs,
        "provenance": adapted(chunk_run).as_dict()["evidence"],
        "collapse_then_document_cutoff": _summary(score(protocol, adapted(chunk_run).document_runs)),
        "two_chunk_budget_then_collapse": _summary(score(protocol, adapted(two_chunks).document_runs)),
        "raw_id_replacement": {"accepted": reason is None, "reason": reason},
        "naive_q2_duplicate_occurrence_recall": exact(occurrence_recall(q2, protocol.relevant["q2"], len(q2))),
    }


def _refused_for(
    protocol: Protocol, run: Mapping[str, list[str]], unjudged: tuple[str, str] | None = None
) -> str | None:
    """Give the rule by which a run is refused, None if it is taken; `unjudged` is a pair taken out of the qrels."""
    qrels = dict(protocol.qrels())
    if unjudged is not None:
        query, document = unjudged
        del qrels[query][document]
    try:
        evaluate(protocol.corpus, protocol.queries, qrels, run, protocol.split, protocol.k)
    except ContractError as refusal:
        return refusal.rule
    return None


def _summary(report: Report) -> dict[str, Any]:
    return {
        f"recall_at_{report.k}": exact(report.recall_at_k),
        f"mrr_at_{report.k}": exact(report.mrr_at_k),
        "missing_queries": list(report.missing_queries),
        "eligible_queries": report.eligible_queries,
        "rows": {
            row.query: {"recall": exact(row.recall), "rr": exact(row.rr), "returned": row.returned}
            for row in report.rows
        },
    }
