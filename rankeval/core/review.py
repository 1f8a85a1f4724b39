"""A review round: people say of two rankings, mostly without knowing whose they are, which serves the need better.

What they say moves no score: the protocol is frozen, and a judgment that they dispute becomes a proposal
(`rankeval.core.proposal`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from rankeval.core.comparison import Comparison, Status, worst_first
from rankeval.core.contract import ContractError, Fault, Rule
from rankeval.core.fingerprint import canonical_json
from rankeval.core.language import mark

T = TypeVar("T")


class ReviewError(ContractError):
    """A review round that cannot be made as asked for."""


class Verdict(StrEnum):
    """What an annotator says of the two columns of a query, in the order of the keys 1 to 6."""

    X_BETTER = "x_better"
    EQUAL = "equal"
    Y_BETTER = "y_better"
    JUDGMENT_WRONG = "judgment_wrong"
    QUERY_UNCLEAR = "query_unclear"
    CANNOT_TELL = "cannot_tell"

    @property
    def key(self) -> str:
        """The key that gives this verdict."""
        return str(list(Verdict).index(self) + 1)


VERDICTS = {
    Verdict.X_BETTER: mark("X is clearly better"),
    Verdict.EQUAL: mark("about equal"),
    Verdict.Y_BETTER: mark("Y is clearly better"),
    Verdict.JUDGMENT_WRONG: mark("a judgment looks wrong"),
    Verdict.QUERY_UNCLEAR: mark("the query is unclear"),
    Verdict.CANNOT_TELL: mark("cannot tell"),
}
"""What people are offered."""


class Finding(StrEnum):
    """A verdict once it is known which column was whose: what is counted, and what annotators agree or differ on."""

    BASELINE_BETTER = "baseline_better"
    EQUAL = "equal"
    CANDIDATE_BETTER = "candidate_better"
    JUDGMENT_WRONG = "judgment_wrong"
    QUERY_UNCLEAR = "query_unclear"
    CANNOT_TELL = "cannot_tell"


FINDINGS = {
    Finding.BASELINE_BETTER: mark("A, the baseline, is clearly better"),
    Finding.EQUAL: VERDICTS[Verdict.EQUAL],
    Finding.CANDIDATE_BETTER: mark("B, the candidate, is clearly better"),
    Finding.JUDGMENT_WRONG: VERDICTS[Verdict.JUDGMENT_WRONG],
    Finding.QUERY_UNCLEAR: VERDICTS[Verdict.QUERY_UNCLEAR],
    Finding.CANNOT_TELL: VERDICTS[Verdict.CANNOT_TELL],
}
"""What people read."""


class Reason(StrEnum):
    """Why: a short list, so that answers can be counted; what does not fit it goes into the note."""

    NEAR_DUPLICATE = "near_duplicate"
    WRONG_TOPIC = "wrong_topic"
    OUTDATED = "outdated"
    TOO_GENERAL = "too_general"
    WORDS_ONLY = "words_only"
    CONTEXT_LOST = "context_lost"
    AMBIGUOUS_QUERY = "ambiguous_query"
    JUDGMENT_MISSING = "judgment_missing"
    OTHER = "other"


REASONS = {
    Reason.NEAR_DUPLICATE: mark("a near-duplicate takes the place of the relevant document"),
    Reason.WRONG_TOPIC: mark("documents on another topic"),
    Reason.OUTDATED: mark("an outdated document, or one on another version"),
    Reason.TOO_GENERAL: mark("too general to act on"),
    Reason.WORDS_ONLY: mark("shares words with the query, and not its meaning"),
    Reason.CONTEXT_LOST: mark("a chunk lost the context that it needs"),
    Reason.AMBIGUOUS_QUERY: mark("the query can be read in several ways"),
    Reason.JUDGMENT_MISSING: mark("a document that helps is not judged relevant"),
    Reason.OTHER: mark("another reason, said in the note"),
}
"""What people are offered."""


class Mark(StrEnum):
    """What an annotator thinks of one document: no judgment, but what a proposal of one may stand on."""

    RELEVANT = "relevant"
    NOT_RELEVANT = "not_relevant"


MARKS = {
    Mark.RELEVANT: mark("relevant, I think"),
    Mark.NOT_RELEVANT: mark("not relevant, I think"),
}
"""What people are offered."""


class Side(StrEnum):
    """A run of the comparison: A, the baseline, or B, the candidate."""

    A = "a"
    B = "b"


@dataclass(frozen=True, slots=True)
class Sides:
    """Which run stands in which column of one query for one annotator.

    Attributes:
        x: whose the first column is; the second, y, is the other's.

    """

    x: Side

    @property
    def y(self) -> Side:
        """Whose the second column is."""
        return Side.B if self.x is Side.A else Side.A

    def columns(self, a: T, b: T) -> tuple[T, T]:
        """Put what belongs to A and to B in the order of the columns, X and Y."""
        return (a, b) if self.x is Side.A else (b, a)


OPEN_SIDES = Sides(x=Side.A)
"""How columns stand in a round that is not blind."""


def sides(seed: str, annotator: str, query: str) -> Sides:
    """Draw which run is X for one annotator on one query, as often as asked for with the same result on any machine.

    The draw is the lowest bit of the first byte of SHA-256 over the canonical JSON of `[seed, annotator, query]`.

    Args:
        seed: the round's, chosen at random when it was made, and kept with it.
        annotator: who is asked.
        query: its ID.

    """
    text = canonical_json([seed, annotator, query])
    # A name may hold half a character, which UTF-8 proper has no bytes for.
    drawn = hashlib.sha256(text.encode(errors="surrogatepass")).digest()[0] & 1
    return Sides(x=Side.B if drawn else Side.A)


def finding(verdict: Verdict, shown: Sides) -> Finding:
    """Say of a verdict on X and Y what it says of baseline and candidate, given how they were shown.

    >>> str(finding(Verdict.X_BETTER, Sides(x=Side.B))), str(finding(Verdict.EQUAL, Sides(x=Side.B)))
    ('candidate_better', 'equal')
    """
    better = {Side.A: Finding.BASELINE_BETTER, Side.B: Finding.CANDIDATE_BETTER}
    match verdict:
        case Verdict.X_BETTER:
            return better[shown.x]
        case Verdict.Y_BETTER:
            return better[shown.y]
        case _:
            return Finding(verdict.value)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an annotator said of a query: one revision of it, never altered.

    Attributes:
        annotator: who.
        query: its ID.
        revision: the place of this among all that they said of the query, rising; the last one counts.
        verdict: on X and Y; None where they took back what they had said.
        shown: which run was X.
        reason: None where they gave none.
        note: in their own words.
        marks: document ID -> what they think of it.

    """

    annotator: str
    query: str
    revision: int
    verdict: Verdict | None
    shown: Sides
    reason: Reason | None = None
    note: str = ""
    marks: Mapping[str, Mark] = field(default_factory=dict)

    @property
    def finding(self) -> Finding | None:
        """The verdict with the sides known; None where it was taken back."""
        return None if self.verdict is None else finding(self.verdict, self.shown)


REGRESSION = "regression"
"""What is chosen, beside statuses, to take every query on which RR or Recall fell."""

SELECTABLE = (*map(str, Status), REGRESSION)
"""By what queries can be chosen for a round."""


def select_queries(comparison: Comparison, chosen: Collection[str]) -> tuple[str, ...]:
    """Choose the queries of a round, worst first.

    Args:
        comparison: of the baseline with the candidate.
        chosen: of `SELECTABLE`; a query that goes by several of them is in the round once.

    Raises:
        ReviewError: something else is chosen.

    """
    if unknown := [each for each in chosen if each not in SELECTABLE]:
        detail = f"{', '.join(map(repr, unknown))}; there are {', '.join(SELECTABLE)}"
        raise ReviewError([Fault(Rule.SELECTION, detail=detail)])
    return tuple(
        row.query
        for row in worst_first(comparison.rows)
        if row.status in chosen or (row.regression and REGRESSION in chosen)
    )


GUIDELINES = mark(
    "Read the need first, the whole of it: what does this person want to do? Only then read the documents, and take"
    " each by its text alone.\n"
    "\n"
    "A document is relevant when it directly supports what the need asks for, or clearly supports one part of it. To"
    " be on the same topic, or to share its words, is not enough.\n"
    "\n"
    "Which system returned which column is of no account, so do not guess. A need stays what it is: do not read into it"
    " what would suit a document that came up.\n"
    "\n"
    "A column is clearly better when this person would be better served by it: the relevant documents are there, and"
    " they stand higher. Where you would have to argue for it, the two are about equal.\n"
    "\n"
    "Where you doubt a judgment, mark the document and say why. Where the need can be read in several ways, say that"
    " the query is unclear, and name the ways. Cannot tell is an answer too."
)
"""The guidelines of a round that brings none of its own: SPEC.md's criterion of relevance, told to an annotator."""
