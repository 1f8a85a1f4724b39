"""From rows of a run to rankings: rank and score settle the order, or refuse the file (DESIGN.md, "Files")."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import islice, pairwise
from operator import gt
from typing import Literal, NamedTuple

from rankeval.core.contract import Fault, Faults, Place
from rankeval.core.provenance import Declaration
from rankeval.core.run import Locate
from rankeval.formats.catalogue import FormatError, Reading, refusal

Order = Literal["rank", "score"]
Ties = Literal["file-order"]
Unit = Literal["line", "row"]

RANK_TEXT = re.compile(r"[0-9]{1,18}")
SCORE_TEXT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,17})?")


@dataclass(frozen=True, slots=True)
class Ordering:
    """What is declared of the order of a run's rows.

    Attributes:
        order: the column that is the order; None leaves it to the table in DESIGN.md.
        ties: what equal scores mean where scores are the order; None refuses them.

    """

    order: Order | None = None
    ties: Ties | None = None

    def declarations(self) -> tuple[Declaration, ...]:
        """Give what was declared, as it is recorded in the run."""
        said = (("order", self.order), ("ties", self.ties))
        return tuple(Declaration(option, value) for option, value in said if value is not None)


UNDECLARED = Ordering()


class QueryRows:
    """The rows of one query in the order of the file: documents, ranks and scores as text, and where they stand.

    `where` stays empty for a file whose places are found only when somebody asks.
    """

    __slots__ = ("documents", "ranks", "scores", "where")

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.ranks: list[str] = []
        self.scores: list[str] = []
        self.where: list[int] = []


class Ordered(NamedTuple):
    """Rankings, and what finds their lines again."""

    rankings: dict[str, list[str]]
    locate: Locate


class Rows:
    """All rows of a run file, gathered by query; lines of one query need not stand together."""

    def __init__(
        self,
        file: str,
        unit: Unit,
        *,
        has_rank: bool,
        has_score: bool,
        find: Callable[[str, str | None], int | None] | None = None,
    ) -> None:
        """Begin an empty run.

        Args:
            file: the file's name.
            unit: what its places are counted in.
            has_rank: whether rows carry a rank.
            has_score: whether rows carry a score.
            find: finds the line of a query, or of a document of it, in a file whose rows keep none.

        """
        self.file = file
        self.unit = unit
        self.has_rank = has_rank
        self.has_score = has_score
        self.by_query: dict[str, QueryRows] = {}
        self.faults = Faults()
        # Where rows were refused already, a gap in the ranks says no more than that.
        self._incomplete = False
        self._find = find or (lambda _query, _document: None)

    def of(self, query: str) -> QueryRows:
        """Give the rows of a query, none yet where it is new."""
        rows = self.by_query.get(query)
        if rows is None:
            rows = self.by_query[query] = QueryRows()
        return rows

    def fault(
        self, rule: str, where: int | None, detail: str, query: str | None = None, document: str | None = None
    ) -> None:
        """Note a fault of one row."""
        line, row = (where, None) if self.unit == "line" else (None, where)
        self.faults.add(Fault(rule, query, document, file=self.file, line=line, row=row, detail=detail))

    def ordered(self, ordering: Ordering) -> Ordered:
        """Put every query's documents into the order that its rank, its score or a declaration gives.

        Raises:
            FormatError: any fault noted, or any query whose order is open or contradicts itself.

        """
        self._refuse_misfit(ordering)
        self._incomplete = self.faults.total > 0
        by_rank = self.has_rank and ordering.order != "score"
        rankings: dict[str, list[str]] = {}
        where: dict[str, list[int]] = {}
        for query, rows in self.by_query.items():
            if _is_plain(rows, by_rank=by_rank, has_score=self.has_score):
                rankings[query], where[query] = rows.documents, rows.where
                continue
            if self.has_score and not self._scores_are_finite(query, rows):
                continue
            at = self._by_rank(query, rows, ordering) if by_rank else self._by_score(query, rows, ordering)
            if at is not None:
                rankings[query] = [rows.documents[i] for i in at]
                where[query] = [rows.where[i] for i in at] if rows.where else []
        self.faults.refuse(FormatError)

        def locate(query: str, position: int | None) -> Place | None:
            if where.get(query):
                found: int | None = where[query][0 if position is None else position - 1]
            else:
                found = self._find(query, None if position is None else rankings[query][position - 1])
            return Place(self.file, line=found) if self.unit == "line" else Place(self.file, row=found)

        return Ordered(rankings, locate)

    def _refuse_misfit(self, ordering: Ordering) -> None:
        if not (self.has_rank or self.has_score):
            raise refusal(Reading.NO_ORDER, file=self.file, detail="add a column named rank or score")
        declared = ordering.order
        if (declared == "rank" and not self.has_rank) or (declared == "score" and not self.has_score):
            raise refusal(Reading.OPTION, file=self.file, detail=f"--order {declared}, and there is no {declared}")

    def _row_fault(self, rule: str, query: str, rows: QueryRows, i: int, detail: str) -> None:
        document = rows.documents[i]
        where = rows.where[i] if rows.where else self._find(query, document)
        self.fault(rule, where, detail, query, document)

    def _scores_are_finite(self, query: str, rows: QueryRows) -> bool:
        if all(map(SCORE_TEXT.fullmatch, rows.scores)):
            return True
        for i, score in enumerate(rows.scores):
            if not SCORE_TEXT.fullmatch(score):
                self._row_fault(Reading.SCORE, query, rows, i, f"the score is {score!r}")
        return False

    def _by_rank(self, query: str, rows: QueryRows, ordering: Ordering) -> Sequence[int] | None:
        if not all(map(RANK_TEXT.fullmatch, rows.ranks)):
            for i, rank in enumerate(rows.ranks):
                if not RANK_TEXT.fullmatch(rank):
                    self._row_fault(Reading.RANK, query, rows, i, f"the rank is {rank!r}, which is no whole number")
            return None
        ranks = [int(rank) for rank in rows.ranks]
        at: Sequence[int] = range(len(ranks))
        if any(following != rank + 1 for rank, following in pairwise(ranks)):
            at = sorted(at, key=ranks.__getitem__)
        expected = 0 if ranks[at[0]] == 0 else 1
        for i in at:
            if ranks[i] < expected or (ranks[i] > expected and not self._incomplete):
                wrong = "is repeated" if ranks[i] < expected else f"stands where {expected} should"
                self._row_fault(Reading.RANK, query, rows, i, f"rank {ranks[i]} {wrong}{self._way_out(ordering)}")
                return None
            expected = ranks[i] + 1
        if self.has_score and ordering.order is None:
            for i, j in pairwise(at):
                if compare_scores(rows.scores[i], rows.scores[j]) < 0:
                    higher = f"score {rows.scores[j]} at rank {ranks[j]}, {rows.scores[i]} at rank {ranks[i]}"
                    self._row_fault(
                        Reading.RANK_AGAINST_SCORE, query, rows, j, f"{higher}; --order rank or --order score"
                    )
                    return None
        return at

    def _way_out(self, ordering: Ordering) -> str:
        return "; or declare --order score" if self.has_score and ordering.order is None else ""

    def _by_score(self, query: str, rows: QueryRows, ordering: Ordering) -> Sequence[int] | None:
        keys = _sort_keys(rows.scores)
        at = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)
        if ordering.ties is None:
            for i, j in pairwise(at):
                if keys[i] == keys[j]:
                    detail = (
                        f"score {rows.scores[j]}, like document {rows.documents[i]!r}; or declare --ties file-order"
                    )
                    self._row_fault(Reading.TIE, query, rows, j, detail)
                    return None
        return at


def _is_plain(rows: QueryRows, *, by_rank: bool, has_score: bool) -> bool:
    """Whether rows stand in the order that ranks and scores both give them, so that there is nothing to settle.

    Most do; what is written otherwise than most write it is left to who looks at row after row, which takes five times
    as long.
    """
    if by_rank and rows.ranks != _written_ranks(int(rows.ranks[0] != "0"), len(rows.ranks)):
        return False
    if not has_score:
        return True
    try:
        if "".join(rows.scores).encode().translate(None, b"0123456789.-"):
            return False
        scores = list(map(float, rows.scores))
    except ValueError:
        return False
    return all(map(gt, scores, islice(scores, 1, None)))


@lru_cache(maxsize=8)
def _written_ranks(first: int, count: int) -> list[str]:
    return [str(rank) for rank in range(first, first + count)]


def _sort_keys(scores: Sequence[str]) -> Sequence[float] | Sequence[Decimal]:
    """Make scores comparable without losing a digit: rounding to a float keeps the order, but may make two equal."""
    floats = [float(score) for score in scores]
    if len(set(floats)) == len(floats):
        return floats
    return [Decimal(score) for score in scores]


def compare_scores(a: str, b: str) -> int:
    """Give a number below, at or above 0 as score `a` is below, at or above `b`."""
    if a == b:
        return 0
    first: float | Decimal = float(a)
    second: float | Decimal = float(b)
    if first == second:
        first, second = Decimal(a), Decimal(b)
    return (first > second) - (first < second)
