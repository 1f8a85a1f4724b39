"""A run: what a retriever returned for each query, and the checks that it must pass (SPEC.md, "Words", "Refusals")."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from rankeval.core import fingerprint
from rankeval.core.collection import splits_of
from rankeval.core.contract import Fault, Faults, Place, Rule, shown_id
from rankeval.core.near_miss import NearMisses
from rankeval.core.provenance import Declaration

SYSTEM_FIELDS = ("description", "configuration", "model", "index_version", "filters", "chunker")
"""What may be recorded of the system that made a run, all of it optional."""

Locate = Callable[[str, int | None], Place | None]
"""Finds where in its file a query's entry stands, or the ranked document at a 1-based position of it."""


class QuickRankings(Mapping[str, list[str]]):
    """Rankings held in another way than as lists, that answer for all of them at once.

    They are read like any mapping of lists; a large run in columns has quicker answers to what scoring asks of it.
    """

    @abstractmethod
    def are_sound(self, corpus: Mapping[str, object]) -> bool:
        """Whether every ranking holds documents of the corpus alone, and none twice; no answer is a guess."""

    @abstractmethod
    def returned(self, query: str) -> int:
        """Give the length of a query's ranking."""

    @abstractmethod
    def top(self, query: str, k: int) -> list[str]:
        """Give the first k documents of a query's ranking."""

    @abstractmethod
    def sha256(self) -> str:
        """Give what `fingerprint.run_sha256` gives."""


@dataclass(frozen=True, slots=True)
class FromChunks:
    """Where a run comes from that was made by collapsing a chunk run.

    Attributes:
        chunk_run_sha256: the chunk run that was collapsed, as received; None where the file does not say.
        adapter_sha256: the chunk map and the rule of collapse.
        budget: how many chunks of each query were taken before the collapse; None for all that were received, and
            where the file does not say (`budget_is_known`).

    """

    chunk_run_sha256: str | None
    adapter_sha256: str
    budget: int | None

    @property
    def budget_is_known(self) -> bool:
        """Whether no budget means that there was none: a file that does not name its chunk run says nothing of it."""
        return self.budget is not None or self.chunk_run_sha256 is not None


@dataclass(frozen=True, slots=True)
class Run:
    """Rankings as they were received, and what is known of them.  They are checked when they meet a protocol.

    Attributes:
        rankings: query ID -> list of document IDs (or chunk IDs), best first; a missing query is absent.
        name: what people call it.
        source: the file that it came from, None where it came from no file.
        system: of `SYSTEM_FIELDS`, those that are recorded.
        declarations: the choices that were made to read it.
        notes: what a reader saw and left aside, such as columns that it does not use.
        from_chunks: set where the run was collapsed from a chunk run.
        locate: finds the lines of its file; None where it came from no file.

    """

    rankings: Mapping[str, list[str]]
    name: str = "run"
    source: str | None = None
    system: Mapping[str, Any] = field(default_factory=dict)
    declarations: tuple[Declaration, ...] = ()
    notes: tuple[str, ...] = ()
    from_chunks: FromChunks | None = None
    locate: Locate | None = field(default=None, repr=False, compare=False)

    # The other ways to make one, set by the package: how scores settle an order is the readers' to say, not the core's.
    from_scores: ClassVar[Callable[..., Run]]
    from_frame: ClassVar[Callable[..., Run]]
    from_ranx: ClassVar[Callable[..., Run]]

    @property
    def run_sha256(self) -> str:
        """The fingerprint of the rankings alone."""
        if isinstance(self.rankings, QuickRankings):
            return self.rankings.sha256()
        return fingerprint.run_sha256(self.rankings)


def rankings_of(run: object) -> Any:
    """Give the rankings of a `Run`, or anything else as it is."""
    return run.rankings if isinstance(run, Run) else run


def top_of(rankings: Mapping[str, list[str]], query: str, k: int) -> list[str]:
    """Give the first k documents of a query's ranking; none where it is missing."""
    if isinstance(rankings, QuickRankings):
        return rankings.top(query, k) if query in rankings else []
    return rankings.get(query, [])[:k]


def locate_of(run: object) -> Locate:
    """Give what finds a run's places, which for anything but a `Run` from a file finds none."""
    if isinstance(run, Run) and run.locate is not None:
        return run.locate
    return lambda _query, _position: None


def check_run(
    faults: Faults, run: object, corpus: Mapping[Any, object], queries: Mapping[Any, object], split: object
) -> None:
    """Collect every fault of a run, in the order of SPEC.md's table.

    Args:
        faults: where they go.
        run: rankings, or a `Run`; the whole of every ranking is looked at.
        corpus: the known documents.
        queries: the known queries with their metadata.
        split: the split that is scored.

    """
    rankings = rankings_of(run)
    locate = locate_of(run)
    check_known_queries(faults, rankings, queries, split, locate)
    if isinstance(rankings, QuickRankings) and rankings.are_sound(corpus):
        return
    near = NearMisses(corpus)
    for query, ranking in rankings.items():
        if not is_sound_ranking(ranking, corpus):
            found = _ranking_faults(shown_id(query), ranking, corpus, near)
            faults.add_many(count_faults(ranking, corpus), (placed(fault, locate) for fault in found))


def check_known_queries(
    faults: Faults, rankings: Mapping[Any, object], queries: Mapping[Any, object], split: object, locate: Locate
) -> None:
    """Collect queries of a run that the split does not hold, naming the split that does."""
    splits = splits_of(queries)
    near = NearMisses(queries)
    for query in rankings:
        if query not in queries:
            detail = near.hint(query) or "no query of the protocol has this ID"
        elif splits.get(query) != split:
            detail = f"it belongs to split {splits.get(query)!r}, not to {split!r}"
        else:
            continue
        faults.add(placed(Fault(Rule.UNKNOWN_QUERY, shown_id(query), detail=detail), locate))


def is_sound_ranking(ranking: object, known: Mapping[Any, object]) -> bool:
    """Whether a ranking is a list of known IDs, each there once: the quick answer for the many that are."""
    if not isinstance(ranking, list) or not all(isinstance(entry, str) for entry in ranking):
        return False
    distinct = set(ranking)
    return len(distinct) == len(ranking) and distinct <= known.keys()


def count_faults(ranking: object, known: Mapping[Any, object]) -> int:
    """Count what is wrong with a ranking without making a fault of each: there may be millions, and few are kept.

    >>> count_faults(["d1", "d1", "d9", 7], {"d1": ""})
    3
    """
    if not isinstance(ranking, list):
        return 1
    texts = [entry for entry in ranking if isinstance(entry, str)]
    return len(ranking) - len(set(texts)) + sum(entry not in known for entry in texts)


def repeats(ranking: list[object]) -> Iterator[tuple[int, str, int]]:
    """Give each string that stood earlier in a ranking already: its position, itself, its first position."""
    first: dict[str, int] = {}
    for position, entry in enumerate(ranking, 1):
        if isinstance(entry, str) and first.setdefault(entry, position) != position:
            yield position, entry, first[entry]


def placed(fault: Fault, locate: Locate) -> Fault:
    """Add to a fault of a run where in its file it stands."""
    place = None if fault.query is None else locate(fault.query, fault.position)
    return fault if place is None else replace(fault, file=place.file, line=place.line, row=place.row)


def _ranking_faults(query: str, ranking: object, corpus: Mapping[Any, object], near: NearMisses) -> Iterator[Fault]:
    if not isinstance(ranking, list):
        yield Fault(Rule.RANKING, query, detail=f"it is of type {type(ranking).__name__}")
        return
    for position, entry in enumerate(ranking, 1):
        if not isinstance(entry, str):
            yield Fault(Rule.RANKING, query, position=position, detail=f"the entry is {entry!r}, which is no string")
    for position, document, first in repeats(ranking):
        yield Fault(Rule.DUPLICATE_DOCUMENT, query, document, position=position, detail=f"first at position {first}")
    for position, document in enumerate(ranking, 1):
        if isinstance(document, str) and document not in corpus:
            detail = near.hint(document)
            yield Fault(Rule.UNKNOWN_DOCUMENT, query, document, position=position, detail=detail)
