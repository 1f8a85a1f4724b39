"""The protocol: corpus, queries, exhaustive 0/1 judgments, split and k, checked once and frozen (SPEC.md, "Words")."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rankeval.core import fingerprint
from rankeval.core.collection import check_collection, check_protocol, check_relevant, is_flat_text
from rankeval.core.contract import Faults, ProtocolError
from rankeval.core.provenance import Provenance

if TYPE_CHECKING:
    from rankeval.core.run import Run
    from rankeval.core.scoring import Report


class Judgment(StrEnum):
    """What is known of one query-document pair, as people are told."""

    RELEVANT = "relevant"
    NOT_RELEVANT_JUDGED = "not relevant (judged)"
    NOT_RELEVANT_DECLARED = "not relevant (declared)"


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Protocol:
    """A frozen protocol.  It keeps a copy of its own: changing the caller's objects later changes nothing.

    Attributes:
        corpus: document ID -> document, in the source's order.
        queries: query ID -> metadata, in the source's order.
        relevant: every query ID -> the set of its relevant documents; every other document is judged 0.
        split: the split that is scored.
        k: the document cut-off.
        split_queries: the queries of the split, in the order of `queries`.
        compact_sha256: the fingerprint over the relevant documents alone.
        provenance: how the protocol came about, in no fingerprint.

    """

    corpus: Mapping[str, Any]
    queries: Mapping[str, Mapping[str, Any]]
    relevant: Mapping[str, frozenset[str]]
    split: str
    k: int
    split_queries: tuple[str, ...]
    compact_sha256: str
    provenance: Provenance
    _recorded_sha256: str | None
    _computed_sha256: str | None

    def __init__(
        self,
        corpus: Mapping[str, Any],
        queries: Mapping[str, Mapping[str, Any]],
        qrels: Mapping[str, Mapping[str, int]],
        split: str,
        k: int,
        *,
        provenance: Provenance | None = None,
    ) -> None:
        """Freeze a protocol from exhaustive judgments.

        Args:
            corpus: document ID -> string, or object with `text` and optionally `title`.
            queries: query ID -> `{"text", "split", ...}`.
            qrels: every query ID -> every document ID -> 0 or 1.
            split: the split that is scored.
            k: the document cut-off, at least 1.
            provenance: what stands beside it.

        Raises:
            ProtocolError: any rule of SPEC.md's table on protocols is broken.

        """
        faults = Faults()
        check_protocol(faults, corpus, queries, qrels, split, k)
        faults.refuse(ProtocolError)
        relevant = {
            query: frozenset(document for document, label in qrels[query].items() if label == 1) for query in queries
        }
        self._hold(*_copies(corpus, queries), relevant, split, k, provenance or Provenance(), None)

    @classmethod
    def from_relevant(
        cls,
        corpus: Mapping[str, Any],
        queries: Mapping[str, Mapping[str, Any]],
        relevant: Mapping[str, Iterable[str]],
        split: str,
        k: int,
        *,
        provenance: Provenance | None = None,
        recorded_sha256: str | None = None,
        just_parsed: bool = False,
    ) -> Protocol:
        """Freeze a protocol from its relevant documents: the same protocol as from exhaustive judgments.

        Args:
            corpus: as for `Protocol`.
            queries: as for `Protocol`.
            relevant: every query ID -> its relevant documents; all others are 0.
            split: as for `Protocol`.
            k: as for `Protocol`.
            provenance: what stands beside it.
            recorded_sha256: the `protocol_sha256` that a frozen file states, taken at its word until it is recomputed.
            just_parsed: whether corpus and queries come straight from JSON without half a character in it: they are
                then not asked again whether JSON holds them, nor copied, since nobody else has them.

        Raises:
            ProtocolError: any rule of SPEC.md's table on protocols is broken.

        """
        faults = Faults()
        check_collection(faults, corpus, queries, split, k, just_parsed=just_parsed)
        check_relevant(faults, corpus, queries, relevant, split)
        faults.refuse(ProtocolError)
        protocol = cls.__new__(cls)
        sets = {query: frozenset(relevant[query]) for query in queries}
        if not just_parsed:
            corpus, queries = _copies(corpus, queries)
        protocol._hold(  # noqa: SLF001 - a second constructor
            corpus, queries, sets, split, k, provenance or Provenance(), recorded_sha256
        )
        return protocol

    def _hold(
        self,
        corpus: Mapping[str, Any],
        queries: Mapping[str, Mapping[str, Any]],
        relevant: dict[str, frozenset[str]],
        split: str,
        k: int,
        provenance: Provenance,
        recorded_sha256: str | None,
    ) -> None:
        keep = object.__setattr__
        keep(self, "corpus", _view(corpus))
        keep(self, "queries", _view(queries))
        keep(self, "relevant", MappingProxyType(relevant))
        keep(self, "split", split)
        keep(self, "k", k)
        keep(self, "split_queries", tuple(query for query, own in queries.items() if own["split"] == split))
        keep(self, "compact_sha256", fingerprint.compact_sha256(corpus, queries, relevant, split, k))
        keep(self, "provenance", provenance)
        keep(self, "_recorded_sha256", recorded_sha256)
        keep(self, "_computed_sha256", None)

    def with_split_and_k(self, split: str | None = None, k: int | None = None) -> Protocol:
        """Freeze the same collection and judgments with another split or cut-off: another protocol."""
        return Protocol.from_relevant(
            self.corpus,
            self.queries,
            self.relevant,
            self.split if split is None else split,
            self.k if k is None else k,
            provenance=self.provenance,
        )

    def with_relevant(self, changed: Mapping[str, Iterable[str]], provenance: Provenance) -> Protocol:
        """Freeze the same collection with other judgments of some queries: another protocol, over the same documents.

        Args:
            changed: query ID -> all its relevant documents; the judgments of other queries stay.
            provenance: what stands beside the new protocol.

        Raises:
            ProtocolError: a query or a document is none of this collection.

        """
        relevant = {**self.relevant, **{query: frozenset(documents) for query, documents in changed.items()}}
        faults = Faults()
        check_relevant(faults, self.corpus, self.queries, relevant, self.split)
        faults.refuse(ProtocolError)
        protocol = Protocol.__new__(Protocol)
        protocol._hold(  # noqa: SLF001 - a third constructor
            self.corpus, self.queries, relevant, self.split, self.k, provenance, None
        )
        return protocol

    @property
    def protocol_sha256(self) -> str:
        """The fingerprint over every judgment; computed when first asked for, unless a frozen file stated it."""
        return self._computed_sha256 or self._recorded_sha256 or self.compute_sha256()

    @property
    def protocol_sha256_verified(self) -> bool:
        """Whether `protocol_sha256` was computed here, and not only read in a file."""
        return self._computed_sha256 is not None or self._recorded_sha256 is None

    def compute_sha256(self, progress: fingerprint.Progress | None = None) -> str:
        """Compute the fingerprint over every judgment, whatever a file states; `progress` gets queries done."""
        if self._computed_sha256 is None:
            computed = fingerprint.protocol_sha256(
                self.corpus, self.queries, self.relevant, self.split, self.k, progress
            )
            object.__setattr__(self, "_computed_sha256", computed)
        assert self._computed_sha256 is not None
        return self._computed_sha256

    def score(self, run: Run | Mapping[str, list[str]]) -> Report:
        """Score a run on this protocol: `rankeval.core.scoring.score`, which says what may be refused."""
        from rankeval.core import scoring  # noqa: PLC0415 - scoring stands on this module

        return scoring.score(self, run)

    @property
    def judged_pairs(self) -> int:
        """How many query-document pairs there are, each of them judged."""
        return len(self.corpus) * len(self.queries)

    def groups_across_splits(self) -> dict[str, list[str]]:
        """Give the query groups that stand in more than one split, with their splits: paraphrases belong in one."""
        splits: dict[str, list[str]] = {}
        for metadata in self.queries.values():
            group = metadata.get("group")
            if isinstance(group, str):
                splits.setdefault(group, []).append(metadata["split"])
        return {group: sorted(set(own)) for group, own in splits.items() if len(set(own)) > 1}

    def judgment(self, query: str, document: str) -> Judgment:
        """What is known of one pair of this protocol: relevant, judged not relevant, or declared so."""
        if document in self.relevant[query]:
            return Judgment.RELEVANT
        judged_zero = self.provenance.judged_zero
        if judged_zero is None or document in judged_zero.get(query, ()):
            return Judgment.NOT_RELEVANT_JUDGED
        return Judgment.NOT_RELEVANT_DECLARED

    def qrels(self) -> Iterator[tuple[str, dict[str, int]]]:
        """Give every query with its judgments of the whole corpus, one row at a time: together they may be huge."""
        zeros = dict.fromkeys(self.corpus, 0)
        for query in self.queries:
            yield query, zeros | dict.fromkeys(self.relevant[query], 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Protocol) and self.compact_sha256 == other.compact_sha256

    def __hash__(self) -> int:
        return hash(self.compact_sha256)

    def __repr__(self) -> str:
        return (
            f"<Protocol {self.compact_sha256[:12]} (compact): {len(self.corpus)} documents,"
            f" {len(self.queries)} queries, split {self.split!r}, k = {self.k}>"
        )


def _view(mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a mapping that nobody can change; one that is such a view already is shared."""
    return mapping if isinstance(mapping, MappingProxyType) else MappingProxyType(mapping)


def _copies(
    corpus: Mapping[str, Any], queries: Mapping[str, Mapping[str, Any]]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Copy documents and queries that were found to be JSON."""
    return (
        {document: _json_copy(value) for document, value in corpus.items()},
        {query: _json_copy(dict(metadata)) for query, metadata in queries.items()},
    )


def _json_copy(value: Any) -> Any:
    """Copy a value that was found to be JSON; a string needs no copy."""
    if isinstance(value, str):
        return value
    return dict(value) if is_flat_text(value) else json.loads(json.dumps(value))
