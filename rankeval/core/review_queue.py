"""Which query of a review round an annotator is handed next, and how far the round has come.

There is no clock here: whoever keeps the assignments leaves out an open one that was abandoned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """What became of a query in an annotator's hands."""

    OPEN = "open"
    ANSWERED = "answered"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Assignment:
    """A query in an annotator's hands; of several of one query and annotator, the last one counts."""

    annotator: str
    query: str
    state: State


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """How far one annotator has come.

    Attributes:
        done: queries they have answered.
        left: queries that they may still be handed, skipped ones included.

    """

    done: int
    left: int

    @property
    def queries(self) -> int:
        """How many there are for them."""
        return self.done + self.left


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """How many queries one annotator has answered, has open, and has skipped and not taken up again."""

    annotator: str
    answered: int
    open: int
    skipped: int


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """How far a round has come.

    Attributes:
        queries: how many it has.
        complete: those with all the answers that they need.
        answers: how many answers there are.
        needed: how many answers the round needs in all.
        annotators: each of them, in the order of their first assignment.

    """

    queries: int
    complete: int
    answers: int
    needed: int
    annotators: tuple[AnnotatorProgress, ...]


def next_query(
    queries: Sequence[str], assignments: Iterable[Assignment], annotator: str, annotators_each: int
) -> str | None:
    """Give the query that an annotator is to be shown next; None when there is none for them.

    What they have open comes first, so that a page that is loaded again shows the same.  Then comes the query that the
    fewest others have answered or have open, and among equals the worst; and at last what they skipped, longest ago
    first.  A query that as many others have as it needs is handed out no more, nor one that they answered.

    Args:
        queries: those of the round, worst first.
        assignments: all that there are, in the order in which they came about.
        annotator: who asks.
        annotators_each: how many annotators each query needs.

    """
    current = _current(assignments)
    own = _own(current, annotator)
    held = _held_by_others(current, annotator)
    may_have = _may_have(queries, own, held, annotators_each)
    for query in may_have:
        if own.get(query) is State.OPEN:
            return query
    untouched = [query for query in may_have if query not in own]
    if untouched:
        return min(untouched, key=held.__getitem__)
    return next((query for query in own if query in may_have), None)


def own_progress(
    queries: Sequence[str], assignments: Iterable[Assignment], annotator: str, annotators_each: int
) -> OwnProgress:
    """Say how far one annotator has come; the arguments are those of `next_query`."""
    current = _current(assignments)
    own = _own(current, annotator)
    return OwnProgress(
        done=sum(state is State.ANSWERED for state in own.values()),
        left=len(_may_have(queries, own, _held_by_others(current, annotator), annotators_each)),
    )


def round_progress(queries: Sequence[str], assignments: Iterable[Assignment], annotators_each: int) -> RoundProgress:
    """Say how far a round has come; the arguments are those of `next_query`."""
    kept = list(assignments)
    states: dict[str, Counter[State]] = {each.annotator: Counter() for each in kept}
    answers: Counter[str] = Counter()
    for (annotator, query), state in _current(kept).items():
        states[annotator][state] += 1
        answers[query] += state is State.ANSWERED
    return RoundProgress(
        queries=len(queries),
        complete=sum(answers[query] >= annotators_each for query in queries),
        answers=answers.total(),
        needed=len(queries) * annotators_each,
        annotators=tuple(
            AnnotatorProgress(annotator, own[State.ANSWERED], own[State.OPEN], own[State.SKIPPED])
            for annotator, own in states.items()
        ),
    )


def _current(assignments: Iterable[Assignment]) -> dict[tuple[str, str], State]:
    """Give the state of each annotator and query that counts, those that changed last at the end."""
    current: dict[tuple[str, str], State] = {}
    for each in assignments:
        current.pop((each.annotator, each.query), None)
        current[each.annotator, each.query] = each.state
    return current


def _own(current: dict[tuple[str, str], State], annotator: str) -> dict[str, State]:
    return {query: state for (who, query), state in current.items() if who == annotator}


def _held_by_others(current: dict[tuple[str, str], State], annotator: str) -> Counter[str]:
    """Count for each query the other annotators who answered it or have it open."""
    return Counter(query for (who, query), state in current.items() if who != annotator and state is not State.SKIPPED)


def _may_have(
    queries: Sequence[str], own: dict[str, State], held: Counter[str], annotators_each: int
) -> dict[str, None]:
    """Give the queries that somebody may still be handed, in the order given."""
    return {query: None for query in queries if own.get(query) is not State.ANSWERED and held[query] < annotators_each}
