"""What somebody declared where a source left something open, and what else is known of how it came about.

Provenance stands beside a protocol or a run: it is shown wherever their numbers are, and is in no fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Declaration:
    """One choice that a person made for a source.

    Attributes:
        option: the command line's name of the choice, such as `unlisted-nonrelevant`.
        value: the choice, or the reason given for it.
        effect: what it did to this source, as a clause with figures.

    """

    option: str
    value: str
    effect: str = ""

    def __str__(self) -> str:
        said = f"--{self.option} {self.value}"
        return f"{said} ({self.effect})" if self.effect else said

    def as_dict(self) -> dict[str, str]:
        """Give the three as plain JSON."""
        return {"option": self.option, "value": self.value, "effect": self.effect}


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a protocol came about.

    Attributes:
        declarations: the choices made for its source.
        judged_pairs: how many query-document pairs the source judged; None where it judged all.
        judged_zero: query ID -> documents that the source itself judged 0; None where every zero is such a one.
        statements: what its makers say of it: `criterion`, `granularity`, `deduplication`, `disputed`.
        notes: what a reader saw in the source and left aside, such as fields that it does not use.

    """

    declarations: tuple[Declaration, ...] = ()
    judged_pairs: int | None = None
    judged_zero: Mapping[str, frozenset[str]] | None = None
    statements: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
