"""Rules, faults and refusals: how the product says no.

A refusal is data.  It carries a rule (one fixed sentence), and faults that say where the rule was broken.  The
sentences and their order are the table of SPEC.md, section "Refusals".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TypeVar

KEPT_FAULTS = 1_000
SHOWN_FAULTS = 20

_Value = TypeVar("_Value")


class Rule(StrEnum):
    """The fixed sentences of the core, in the order of SPEC.md's table; the last group are ours, beside that table."""

    K = "k must be a positive integer"
    MAPPINGS = "nonempty corpus and queries, mapping run required"
    CORPUS = "nonempty corpus dictionary required"
    QUERIES = "nonempty query dictionary required"
    CORPUS_IDS = "corpus document IDs must be nonempty strings"
    QUERY_METADATA = "query IDs and metadata are invalid"
    QUERY_SPLIT = "query split must be a nonempty string"
    SPLIT = "split must be a nonempty string"
    JSON_VALUES = "corpus and queries must be JSON values in UTF-8"
    QRELS_COVER = "qrels must cover every query"
    SPLIT_EMPTY = "split has no queries"
    UNJUDGED = "unjudged or unknown documents: exhaustive qrels required"
    LABELS = "qrels labels must be integer 0 or 1"
    UNKNOWN_QUERY = "unknown or wrong-split query"
    RANKING = "ranking must be a list of document IDs"
    DUPLICATE_DOCUMENT = "duplicate document ID; deduplicate upstream explicitly"
    UNKNOWN_DOCUMENT = "unknown document ID"
    CHUNK_MAPPINGS = "mapping and runs must be dictionaries"
    CHUNK_IDS = "chunk and document IDs must be strings"
    CHUNK_OUTSIDE = "mapping points outside the corpus"
    CHUNK_RANKING = "chunk ranking must be a list"
    UNKNOWN_CHUNK = "unknown or invalid chunk ID"
    DUPLICATE_CHUNK = "duplicate chunk ID"

    BUDGET = "a chunk budget must be a positive integer"
    TWO_PROTOCOLS = "reports of two different protocols cannot be compared"
    SELECTION = "a review round takes queries by status, or by regression"
    PROPOSED_NOTHING = "a proposal changes at least one judgment"
    PROPOSED_PAIR = "a proposed judgment must be of a query and a document of the protocol"
    PROPOSED_TWICE = "a query-document pair is proposed twice"
    PROPOSED_BOTH = "a query-document pair is proposed with both labels"
    PROPOSED_AS_IS = "a proposed label must differ from the one that stands"
    PROPOSED_WHY = "a proposed label needs somebody who proposes it, and a reason"
    OTHER_PARENT = "a what-if needs a protocol and a proposal made from it"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file something stands: the file's name, and a line of text or a row of a table, counted from 1."""

    file: str
    line: int | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """One breach of one rule, with as much of its place as is known.

    `position` is the 1-based rank within a ranking.  `detail` is one clause in plain words: what stands there, a near
    miss, or the way out.
    """

    rule: str
    query: str | None = None
    document: str | None = None
    chunk: str | None = None
    position: int | None = None
    file: str | None = None
    line: int | None = None
    row: int | None = None
    detail: str = ""

    def __str__(self) -> str:
        place = [
            self.file,
            f"line {self.line}" if self.line is not None else None,
            f"row {self.row}" if self.row is not None else None,
            f"query {self.query!r}" if self.query is not None else None,
            f"document {self.document!r}" if self.document is not None else None,
            f"chunk {self.chunk!r}" if self.chunk is not None else None,
            f"position {self.position}" if self.position is not None else None,
        ]
        where = ", ".join(part for part in place if part is not None)
        return ": ".join(part for part in (where, self.detail) if part)


class ContractError(ValueError):
    """Input refused as a whole.

    Attributes:
        rule: the first broken rule's fixed sentence, a plain `str`.
        faults: the first 1,000 faults, in the order in which SPEC.md ranks them.
        total: how many faults there were.

    """

    def __init__(self, faults: Iterable[Fault], total: int | None = None) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        self.total: int = len(self.faults) if total is None else total
        self.rule: str = str(self.faults[0].rule)
        super().__init__(self._message())

    def _message(self) -> str:
        """Say each broken rule once, with the places where it was broken under it."""
        lines: list[str] = []
        rule: str | None = None
        for fault in self.faults[:SHOWN_FAULTS]:
            if fault.rule != rule:
                rule = str(fault.rule)
                lines.append(rule)
            if place := str(fault):
                lines.append(f"  {place}")
        if self.total > SHOWN_FAULTS:
            lines.append(f"  ... {self.total} faults in all, the first {SHOWN_FAULTS} shown")
        return "\n".join(lines)


class ProtocolError(ContractError):
    """A corpus, queries, judgments, split or k that do not make a protocol."""


class RunError(ContractError):
    """A run that does not fit its protocol."""


class ChunkError(ContractError):
    """A chunk mapping or chunk run that does not fit its collection."""


class ComparisonError(ContractError):
    """Two reports that do not stand on one protocol."""


class Faults:
    """Faults as they are found: all are counted, the first `KEPT_FAULTS` are kept."""

    __slots__ = ("kept", "total")

    def __init__(self) -> None:
        self.kept: list[Fault] = []
        self.total = 0

    @property
    def are_enough(self) -> bool:
        """Whether no more are kept, so that their places need not be looked for."""
        return len(self.kept) >= KEPT_FAULTS

    def add(self, fault: Fault) -> None:
        """Count a fault, and keep it if there is room."""
        self.add_many(1, (fault,))

    def add_many(self, count: int, faults: Iterable[Fault]) -> None:
        """Count `count` faults and keep of them what there is room for, without making the rest."""
        self.total += count
        self.kept.extend(islice(faults, KEPT_FAULTS - len(self.kept)))

    def refuse(self, kind: type[ContractError]) -> None:
        """Raise `kind` when any fault was found."""
        if self.total:
            raise kind(self.kept, self.total)


def every(kind: type[ContractError], calls: Iterable[Callable[[], _Value]]) -> list[_Value]:
    """Make all of several calls, and refuse together what `kind` refuses: faults of several files are told at once.

    Args:
        kind: the refusals that wait for the others; any other kind is raised where it comes.
        calls: what is to be called.

    Raises:
        kind: any of them was refused.

    """
    faults = Faults()
    values: list[_Value] = []
    for call in calls:
        try:
            values.append(call())
        except kind as error:
            faults.add_many(error.total, error.faults)
    faults.refuse(kind)
    return values


def shown_id(value: object) -> str:
    """Give an ID as a fault carries it: a string as it is, anything else as Python writes it."""
    return value if isinstance(value, str) else repr(value)


def is_id(value: object) -> bool:
    """Whether a value can be an ID: a nonempty string."""
    return isinstance(value, str) and value != ""


def is_filled_mapping(value: object) -> bool:
    """Whether a value is a mapping with at least one entry."""
    return isinstance(value, Mapping) and len(value) > 0


def kind_of(value: object) -> str:
    """Say what a value is that was expected to be a filled mapping."""
    return "empty" if isinstance(value, Mapping) else f"of type {type(value).__name__}"
