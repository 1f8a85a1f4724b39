"""One query's two rankings side by side: where each document stands here and there, and what neither side returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rankeval.core.protocol import Judgment, Protocol


@dataclass(frozen=True, slots=True)
class Placed:
    """A document in one ranking.

    Attributes:
        document: its ID.
        rank: where it stands, from 1.
        other_rank: where the other side has it; None where it has it not.
        judgment: what is known of it for the query.

    """

    document: str
    rank: int
    other_rank: int | None
    judgment: Judgment


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two rankings of a query.

    Attributes:
        a: the baseline's documents, best first, at most as many as were asked for.
        b: the candidate's.
        returned: how many documents each side has in all.
        first_relevant: each side's first relevant document and its rank, also past k; None where it has none.
        relevant_beyond: each side's relevant documents that it returned past the depth asked for, best first.
        unreturned: relevant documents that neither side returned at all, in the corpus' order.

    """

    a: tuple[Placed, ...]
    b: tuple[Placed, ...]
    returned: tuple[int, int]
    first_relevant: tuple[tuple[str, int] | None, tuple[str, int] | None]
    relevant_beyond: tuple[tuple[Placed, ...], tuple[Placed, ...]]
    unreturned: tuple[str, ...]


def side_by_side(
    protocol: Protocol, query: str, ranking_a: Sequence[str], ranking_b: Sequence[str], depth: int
) -> SideBySide:
    """Put two rankings of a query side by side.

    Args:
        protocol: what they were scored on.
        query: a query of its split.
        ranking_a: the baseline's documents, best first; empty where the query is missing.
        ranking_b: the candidate's.
        depth: how many documents of each side to give.

    """
    ranks_a = {document: rank for rank, document in enumerate(ranking_a, 1)}
    ranks_b = {document: rank for rank, document in enumerate(ranking_b, 1)}
    relevant = protocol.relevant[query]

    def placed(ranking: Sequence[str], other: dict[str, int]) -> tuple[Placed, ...]:
        return tuple(
            Placed(document, rank, other.get(document), protocol.judgment(query, document))
            for rank, document in enumerate(ranking[:depth], 1)
        )

    def beyond(ranking: Sequence[str], other: dict[str, int]) -> tuple[Placed, ...]:
        return tuple(
            Placed(document, rank, other.get(document), Judgment.RELEVANT)
            for rank, document in enumerate(ranking[depth:], depth + 1)
            if document in relevant
        )

    def first(ranking: Sequence[str]) -> tuple[str, int] | None:
        return next(((document, rank) for rank, document in enumerate(ranking, 1) if document in relevant), None)

    return SideBySide(
        a=placed(ranking_a, ranks_b),
        b=placed(ranking_b, ranks_a),
        returned=(len(ranking_a), len(ranking_b)),
        first_relevant=(first(ranking_a), first(ranking_b)),
        relevant_beyond=(beyond(ranking_a, ranks_b), beyond(ranking_b, ranks_a)),
        unreturned=tuple(
            document
            for document in (protocol.corpus if relevant else ())
            if document in relevant and document not in ranks_a and document not in ranks_b
        ),
    )
