"""Exact Recall@k and MRR@k of a run on a protocol (SPEC.md, sections "Scores" and "A report")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from gettext import NullTranslations
from statistics import mean
from typing import Any

from rankeval.core.collection import check_protocol
from rankeval.core.contract import Fault, Faults, ProtocolError, Rule, RunError, kind_of
from rankeval.core.language import ENGLISH
from rankeval.core.protocol import Protocol
from rankeval.core.run import QuickRankings, Run, check_run, rankings_of


@dataclass(frozen=True, slots=True)
class Row:
    """What one query came to.

    Attributes:
        query: its ID.
        missing: whether the run has no entry for it.
        returned: how many documents the run has for it, also past k.
        relevant: how many relevant documents the corpus has for it.
        hits: how many of those are among the first k.
        first_relevant_rank: the 1-based rank of the first of them within the first k, else None.
        recall: hits / relevant; None where nothing is relevant.
        rr: 1 / first_relevant_rank, else 0; None where nothing is relevant.

    """

    query: str
    missing: bool
    returned: int
    relevant: int
    hits: int
    first_relevant_rank: int | None
    recall: Fraction | None
    rr: Fraction | None

    def as_dict(self) -> dict[str, Any]:
        """Give SPEC.md's keys in order; scores stay Fractions."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, slots=True)
class Report:
    """The score of one run on one protocol: SPEC.md's keys, and the compact fingerprint beside them.

    Attributes:
        protocol_sha256: the protocol.
        split: its split.
        k: its cut-off.
        total_queries: the queries of the split.
        eligible_queries: those with a relevant document: the denominator of both means.
        no_relevant_queries: the others, which are left out of both means.
        missing_queries: those that the run has no entry for.
        recall_at_k: the mean of the eligible queries' Recall@k; None when none is eligible.
        mrr_at_k: the mean of their RR@k; likewise.
        rows: one for every query of the split, in the protocol's order.
        compact_sha256: what decides whether two reports stand on one protocol; no part of `as_dict`.

    """

    protocol_sha256: str
    split: str
    k: int
    total_queries: int
    eligible_queries: int
    no_relevant_queries: tuple[str, ...]
    missing_queries: tuple[str, ...]
    recall_at_k: Fraction | None
    mrr_at_k: Fraction | None
    rows: tuple[Row, ...]
    compact_sha256: str

    def as_dict(self) -> dict[str, Any]:
        """Give SPEC.md's keys in order, as plain dicts and lists; scores stay Fractions."""
        return {
            "protocol_sha256": self.protocol_sha256,
            "split": self.split,
            "k": self.k,
            "total_queries": self.total_queries,
            "eligible_queries": self.eligible_queries,
            "no_relevant_queries": list(self.no_relevant_queries),
            "missing_queries": list(self.missing_queries),
            "recall_at_k": self.recall_at_k,
            "mrr_at_k": self.mrr_at_k,
            "rows": [row.as_dict() for row in self.rows],
        }


class Measure(StrEnum):
    """What is averaged over queries: Recall@k, or RR@k, whose mean is MRR@k."""

    RECALL = "recall"
    RR = "rr"

    def of(self, row: Row) -> Fraction | None:
        """Give one query's value; None where nothing is relevant."""
        return row.recall if self is Measure.RECALL else row.rr

    def mean(self, report: Report) -> Fraction | None:
        """Give a report's mean; None when no query is eligible."""
        return report.recall_at_k if self is Measure.RECALL else report.mrr_at_k


@dataclass(frozen=True, slots=True)
class Denominator:
    """How the queries of a split divide, seen from one run: `scored` is what both means are divided by.

    Attributes:
        scored: eligible queries, the sum of the next three.
        with_results: eligible, and the run returned something.
        empty: eligible, and the run has an empty list.
        missing: eligible, and the run has no entry.
        null: queries without a relevant document, left out.

    """

    scored: int
    with_results: int
    empty: int
    missing: int
    null: int

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, words: NullTranslations = ENGLISH) -> str:
        """Say it in the language of a catalogue."""
        return words.gettext(
            "{scored} scored = {with_results} with results + {empty} empty as 0 + {missing} missing as 0;"
            " {null} null, left out"
        ).format(**asdict(self))


def score(protocol: Protocol, run: Run | Mapping[str, list[str]]) -> Report:
    """Score a run.

    Args:
        protocol: what it is measured on.
        run: query ID -> list of document IDs, best first, or a `Run`.

    Raises:
        RunError: the run breaks a rule; it is refused as a whole.

    """
    rankings = accepted_rankings(protocol, run)
    rows = [_score_entry(query, rankings, protocol) for query in protocol.split_queries]
    return _report(protocol, rows)


def accepted_rankings(protocol: Protocol, run: Run | Mapping[str, list[str]]) -> Mapping[str, list[str]]:
    """Give the rankings of a run that fits its protocol.

    Raises:
        RunError: the run breaks a rule; it is refused as a whole.

    """
    faults = Faults()
    rankings: Any = rankings_of(run)
    if isinstance(rankings, Mapping):
        check_run(faults, run, protocol.corpus, protocol.queries, protocol.split)
    else:
        faults.add(Fault(Rule.MAPPINGS, detail=f"the run is {kind_of(rankings)}"))
    faults.refuse(RunError)
    accepted: Mapping[str, list[str]] = rankings
    return accepted


def evaluate(corpus: Any, queries: Any, qrels: Any, run: Any, split: Any, k: Any) -> Report:
    """Freeze a protocol and score a run on it in one call; all their faults are reported together.

    Args:
        corpus: document ID -> document.
        queries: query ID -> `{"text", "split", ...}`.
        qrels: query ID -> document ID -> 0 or 1, exhaustive.
        run: query ID -> list of document IDs, best first, or a `Run`.
        split: the split to score.
        k: the document cut-off.

    Raises:
        ProtocolError: the protocol breaks a rule, and perhaps the run too.
        RunError: the run alone breaks one.

    """
    faults = Faults()
    rankings = rankings_of(run)
    check_protocol(faults, corpus, queries, qrels, split, k, rankings)
    kind = ProtocolError if faults.total else RunError
    if all(isinstance(each, Mapping) for each in (corpus, queries, rankings)):
        check_run(faults, run, corpus, queries, split)
    faults.refuse(kind)
    return score(Protocol(corpus, queries, qrels, split, k), run)


def score_query(query: str, ranking: Sequence[str] | None, relevant: AbstractSet[str], k: int) -> Row:
    """Score one ranking, None where it is missing; it has passed every check.

    >>> row = score_query("q2", ["d1", "d3", "d4"], {"d3", "d4"}, k=2)
    >>> row.hits, row.first_relevant_rank, row.recall, row.rr
    (1, 2, Fraction(1, 2), Fraction(1, 2))
    >>> score_query("q5", None, set(), k=2).recall is None
    True
    """
    if ranking is None:
        return replace(_row(query, (), 0, relevant), missing=True)
    return _row(query, ranking[:k], len(ranking), relevant)


def _score_entry(query: str, rankings: Mapping[str, list[str]], protocol: Protocol) -> Row:
    relevant, k = protocol.relevant[query], protocol.k
    if isinstance(rankings, QuickRankings) and query in rankings:
        return _row(query, rankings.top(query, k), rankings.returned(query), relevant)
    return score_query(query, rankings.get(query), relevant, k)


def _row(query: str, top: Sequence[str], returned: int, relevant: AbstractSet[str]) -> Row:
    hit_ranks = [rank for rank, document in enumerate(top, 1) if document in relevant]
    first = hit_ranks[0] if hit_ranks else None
    return Row(
        query=query,
        missing=False,
        returned=returned,
        relevant=len(relevant),
        hits=len(hit_ranks),
        first_relevant_rank=first,
        recall=Fraction(len(hit_ranks), len(relevant)) if relevant else None,
        rr=(Fraction(1, first) if first else Fraction(0)) if relevant else None,
    )


def _report(protocol: Protocol, rows: Sequence[Row]) -> Report:
    """Sum up one row for every query of the protocol's split."""
    return Report(
        protocol_sha256=protocol.protocol_sha256,
        split=protocol.split,
        k=protocol.k,
        total_queries=len(rows),
        eligible_queries=sum(row.relevant > 0 for row in rows),
        no_relevant_queries=tuple(row.query for row in rows if not row.relevant),
        missing_queries=tuple(row.query for row in rows if row.missing),
        recall_at_k=macro_average(row.recall for row in rows),
        mrr_at_k=macro_average(row.rr for row in rows),
        rows=tuple(rows),
        compact_sha256=protocol.compact_sha256,
    )


def denominator(report: Report) -> Denominator:
    """Say how the queries of a report divide."""
    eligible = [row for row in report.rows if row.relevant]
    return Denominator(
        scored=len(eligible),
        with_results=sum(row.returned > 0 for row in eligible),
        empty=sum(not row.missing and not row.returned for row in eligible),
        missing=sum(row.missing for row in eligible),
        null=len(report.no_relevant_queries),
    )


def exact(value: Fraction | None) -> str | None:
    """Write a score as SPEC.md's exact string: the reduced fraction, or None for null.

    >>> exact(Fraction(5, 6)), exact(Fraction(1)), exact(Fraction(0)), exact(None)
    ('5/6', '1', '0', None)
    """
    return None if value is None else str(value)


def exact_values(value: Any) -> Any:
    """Copy plain dicts, lists and tuples with every Fraction in them written as its exact string."""
    if isinstance(value, Fraction):
        return exact(value)
    if isinstance(value, dict):
        return {key: exact_values(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [exact_values(each) for each in value]
    return value


def macro_average(values: Iterable[Fraction | None]) -> Fraction | None:
    """Average the scores that are not null, each query with equal weight; None when there are none."""
    eligible = [value for value in values if value is not None]
    return mean(eligible) if eligible else None
