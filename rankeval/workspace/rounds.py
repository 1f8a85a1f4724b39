"""What the workspace gives of a review round: values that are never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from rankeval.core.review import OPEN_SIDES, Answer, Sides, sides
from rankeval.core.review_tables import Adjudication


def sides_shown(seed: str, annotator: str, query: str, *, blind: bool) -> Sides:
    """Say which run is X: drawn in a blind round, else always the baseline."""
    return sides(seed, annotator, query) if blind else OPEN_SIDES


@dataclass(frozen=True, slots=True)
class ReviewedRun:
    """A run that a round looks at.

    Attributes:
        run_sha256: its fingerprint.
        name: what it was called when the round was made.
        run: what names it in this workspace; None for one of the sample data.

    """

    run_sha256: str
    name: str
    run: int | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A review round.

    Attributes:
        token: its address, which nobody can guess.
        name: what people call it.
        compact_sha256: the protocol.
        baseline: run A.
        candidate: run B.
        statuses: by what its queries were chosen.
        queries: their IDs, worst first.
        annotators_per_query: how many annotators each query needs.
        blind: whether the columns' sides are drawn and kept from the annotator.
        guidelines: what annotators go by.
        seed: what sides are drawn from.
        created_at: when it was made, in UTC.

    """

    token: str
    name: str
    compact_sha256: str
    baseline: ReviewedRun
    candidate: ReviewedRun
    statuses: tuple[str, ...]
    queries: tuple[str, ...] = field(repr=False)
    annotators_per_query: int
    blind: bool
    guidelines: str = field(repr=False)
    seed: str = field(repr=False)
    created_at: datetime

    def sides(self, annotator: str, query: str) -> Sides:
        """Say which run is X for an annotator, called by name, on a query."""
        return sides_shown(self.seed, annotator, query, blind=self.blind)


@dataclass(frozen=True, slots=True)
class Annotator:
    """Somebody who takes part in a round.

    Attributes:
        id: what names them in this workspace.
        name: their own, which nobody else has in the round.
        subject: who they are to the server's login; None where they only gave a name.
        joined_at: when they came, in UTC.

    """

    id: int
    name: str
    subject: str | None
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class SavedVerdict:
    """One revision of what an annotator said of a query, as it is on the disk.

    Attributes:
        answer: what they said; without a verdict where they took it back.
        saved_at: when, in UTC.
        undoes: the revision that it takes back; None for what was said anew.

    """

    answer: Answer
    saved_at: datetime
    undoes: int | None


@dataclass(frozen=True, slots=True)
class SavedAdjudication:
    """One decision on a query, as it is on the disk.

    Attributes:
        adjudication: what was decided, by whom and why.
        decided_at: when, in UTC.

    """

    adjudication: Adjudication
    decided_at: datetime
