"""The declarations by which a person settles what a protocol source leaves open (DESIGN.md, "Declarations")."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Declared:
    """What is declared for a protocol source; every field is None where nothing is.

    Attributes:
        unlisted_nonrelevant: why every pair that the source does not judge is not relevant.
        relevant_from: the lowest label that counts as 1; all below, negatives included, count as 0.
        leave_out_unjudged_queries: why queries that the source does not judge are left out.

    """

    unlisted_nonrelevant: str | None = None
    relevant_from: int | None = None
    leave_out_unjudged_queries: str | None = None


NOTHING = Declared()
