"""One run's strict scores beside what each looser scorer would have said (SPEC.md, "Negative controls").

Every `wrong` figure here is wrong on purpose, and must be labelled so wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from rankeval.core import controls
from rankeval.core.chunks import cut_chunks
from rankeval.core.language import mark
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run
from rankeval.core.scoring import Measure, Report, Row, macro_average

Chunks = tuple[Mapping[str, list[str]], Mapping[str, str]]
"""The chunk run that a run was collapsed from, as received, and its chunk map."""


class Control(StrEnum):
    """The wrong ways, in the order of SPEC.md."""

    DROPPING_MISSING = "dropping-missing"
    HIT_RATE = "hit-rate"
    OCCURRENCES = "occurrences"
    UNTRUNCATED_RR = "untruncated-rr"
    CHUNK_RANKS = "chunk-ranks"
    UNJUDGED_AS_ZERO = "unjudged-as-zero"


TITLES = {
    Control.DROPPING_MISSING: mark("Missing queries dropped from the mean"),
    Control.HIT_RATE: mark("Hit rate passed off as Recall"),
    Control.OCCURRENCES: mark("Repeated documents counted at every occurrence"),
    Control.UNTRUNCATED_RR: mark("Reciprocal rank not cut at k"),
    Control.CHUNK_RANKS: mark("Chunk ranks read as document ranks"),
    Control.UNJUDGED_AS_ZERO: mark("Unjudged read as not relevant"),
}

EXPLANATIONS = {
    Control.DROPPING_MISSING: mark(
        "The mean is taken over the queries that the run answered, so that a run gains by not answering the hard ones."
    ),
    Control.HIT_RATE: mark(
        "One relevant document within k counts as all of them, so that finding one of two reads as 1."
    ),
    Control.OCCURRENCES: mark(
        "Each chunk is replaced by its document and the repeats are left in: one document is counted"
        " several times, and takes the places of others within k."
    ),
    Control.UNTRUNCATED_RR: mark(
        "A first relevant document past k still earns 1 / its rank, although nobody is shown it."
    ),
    Control.CHUNK_RANKS: mark(
        "The rank of the first relevant chunk stands in for the rank of its document, and is not cut at k."
    ),
    Control.UNJUDGED_AS_ZERO: mark(
        "A document that nobody looked at counts as judged not relevant, without anyone having said so."
    ),
}

NOTHING_SCORED = mark("No query of the split has a relevant document, so there is no mean to get wrong.")
ALL_MISSING = mark("Every scored query is missing: without them no query would be left to average.")
NO_REPEATS = mark("An accepted run of documents has none twice: a repeat is refused, and this run came from no chunks.")
NO_CHUNKS = mark("It takes the chunk run that a run was collapsed from, and none belongs to this run.")
ALL_JUDGED = mark("Every pair of a scored query and a document was judged: there is nothing to misread.")
DECLARED = mark(
    "{pairs} pairs of a scored query and a document are 0 by declaration only. The strict score stands on that"
    " declaration; without it they would have been refused."
)


@dataclass(frozen=True, slots=True)
class Behind:
    """One query on which the two scorers differ; `wrong` is None where the looser one left the query out."""

    query: str
    strict: Fraction
    wrong: Fraction | None


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One wrong way on one run.

    Attributes:
        control: which.
        measure: what it gets wrong.
        strict: the report's mean.
        wrong: what the looser scorer would have said; None where it does not apply.
        behind: the queries on which they differ, the greatest difference first, then in the protocol's order.
        reason: why it does not apply, one of this module's sentences, perhaps with places for `figures`; else None.
        figures: what belongs into the places of `reason`.

    """

    control: Control
    measure: Measure
    strict: Fraction | None
    wrong: Fraction | None
    behind: tuple[Behind, ...] = ()
    reason: str | None = None
    figures: Mapping[str, int] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What the looser scorer did, in a few words."""
        return TITLES[self.control]

    @property
    def explanation(self) -> str:
        """Why that is wrong, in one sentence."""
        return EXPLANATIONS[self.control]

    @property
    def difference(self) -> Fraction | None:
        """Wrong minus strict; None where the control does not apply."""
        return None if self.strict is None or self.wrong is None else self.wrong - self.strict


def exhibits(protocol: Protocol, run: Run, report: Report, chunks: Chunks | None = None) -> tuple[Exhibit, ...]:
    """Give every negative control on one run, in SPEC.md's order; dropping missing queries is shown on both measures.

    Args:
        protocol: what the run was scored on.
        run: the run, as documents.
        report: its report.
        chunks: where the run was collapsed from a chunk run, that chunk run as received, and its map; the budget of
            `run.from_chunks` is kept here.

    """
    if not report.eligible_queries:
        return tuple(Exhibit(control, measure, None, None, reason=NOTHING_SCORED) for control, measure in _SHOWN)
    return (
        _dropping_missing(report, Measure.RECALL, controls.recall_dropping_missing(report)),
        _dropping_missing(report, Measure.RR, controls.rr_dropping_missing(report)),
        _misread(Control.HIT_RATE, Measure.RECALL, report, controls.hit_rate),
        _occurrences(protocol, run, report, chunks),
        _misread(Control.UNTRUNCATED_RR, Measure.RR, report, lambda row: _untruncated_rr(row, protocol, run)),
        _chunk_ranks(protocol, run, report, chunks),
        _unjudged(protocol, report),
    )


_SHOWN = (
    (Control.DROPPING_MISSING, Measure.RECALL),
    (Control.DROPPING_MISSING, Measure.RR),
    (Control.HIT_RATE, Measure.RECALL),
    (Control.OCCURRENCES, Measure.RECALL),
    (Control.UNTRUNCATED_RR, Measure.RR),
    (Control.CHUNK_RANKS, Measure.RR),
    (Control.UNJUDGED_AS_ZERO, Measure.RECALL),
)


def _dropping_missing(report: Report, measure: Measure, wrong: Fraction | None) -> Exhibit:
    return Exhibit(
        Control.DROPPING_MISSING,
        measure,
        measure.mean(report),
        wrong,
        behind=tuple(Behind(row.query, Fraction(0), None) for row in report.rows if row.missing and row.relevant),
        reason=ALL_MISSING if wrong is None else None,
    )


def _misread(control: Control, measure: Measure, report: Report, misread: Callable[[Row], Fraction | None]) -> Exhibit:
    """Average what a looser scorer says of each query, which is None where the query is null and nowhere else."""
    wrong = {row.query: misread(row) for row in report.rows}
    behind = [
        Behind(row.query, strict, value)
        for row in report.rows
        if (strict := measure.of(row)) is not None and (value := wrong[row.query]) is not None and value != strict
    ]
    return Exhibit(
        control,
        measure,
        measure.mean(report),
        macro_average(wrong.values()),
        behind=tuple(sorted(behind, key=lambda each: abs((each.wrong or 0) - each.strict), reverse=True)),
    )


def _occurrences(protocol: Protocol, run: Run, report: Report, chunks: Chunks | None) -> Exhibit:
    if chunks is None:
        return _not_applicable(Control.OCCURRENCES, Measure.RECALL, report, NO_REPEATS)
    received, chunk_to_doc = _within_budget(run, chunks), chunks[1]

    def misread(row: Row) -> Fraction | None:
        if not row.relevant:
            return None
        documents = [chunk_to_doc[chunk] for chunk in received.get(row.query, [])]
        return controls.occurrence_recall(documents, protocol.relevant[row.query], protocol.k)

    return _misread(Control.OCCURRENCES, Measure.RECALL, report, misread)


def _chunk_ranks(protocol: Protocol, run: Run, report: Report, chunks: Chunks | None) -> Exhibit:
    if chunks is None:
        return _not_applicable(Control.CHUNK_RANKS, Measure.RR, report, NO_CHUNKS)
    received, chunk_to_doc = _within_budget(run, chunks), chunks[1]

    def misread(row: Row) -> Fraction | None:
        if not row.relevant:
            return None
        return controls.chunk_rank_rr(received.get(row.query, []), chunk_to_doc, protocol.relevant[row.query])

    return _misread(Control.CHUNK_RANKS, Measure.RR, report, misread)


def _untruncated_rr(row: Row, protocol: Protocol, run: Run) -> Fraction | None:
    """Look past k only where nothing was found within it."""
    if row.first_relevant_rank is not None or not row.relevant:
        return row.rr
    return controls.untruncated_rr(run.rankings.get(row.query, []), protocol.relevant[row.query])


def _unjudged(protocol: Protocol, report: Report) -> Exhibit:
    """Count what is known by declaration only; a report never stands on anything unjudged and undeclared."""
    judged_zero = protocol.provenance.judged_zero
    if judged_zero is None:
        return _not_applicable(Control.UNJUDGED_AS_ZERO, Measure.RECALL, report, ALL_JUDGED)
    pairs = sum(
        len(protocol.corpus) - len(protocol.relevant[row.query] | judged_zero.get(row.query, frozenset()))
        for row in report.rows
        if row.relevant
    )
    reason, figures = (DECLARED, {"pairs": pairs}) if pairs else (ALL_JUDGED, {})
    return Exhibit(Control.UNJUDGED_AS_ZERO, Measure.RECALL, report.recall_at_k, None, reason=reason, figures=figures)


def _not_applicable(control: Control, measure: Measure, report: Report, reason: str) -> Exhibit:
    return Exhibit(control, measure, measure.mean(report), None, reason=reason)


def _within_budget(run: Run, chunks: Chunks) -> dict[str, list[str]]:
    return cut_chunks(chunks[0], run.from_chunks.budget if run.from_chunks else None)
