"""What is said beside the numbers: what made runs and protocols, what was not returned, what is known of a document.

The dashboard and the report that is mailed say the same thing, so it is worded once, as in `rankeval.core.words`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from gettext import NullTranslations

from rankeval.core.gaps import gap_counts
from rankeval.core.language import ENGLISH, mark
from rankeval.core.protocol import Judgment, Protocol
from rankeval.core.provenance import Proposal
from rankeval.core.run import SYSTEM_FIELDS, FromChunks, Run
from rankeval.core.scoring import Report

BADGES = {
    Judgment.RELEVANT: ("●", mark("Relevant"), "relevant"),
    Judgment.NOT_RELEVANT_JUDGED: ("○", mark("Not relevant (judged)"), "judged"),
    Judgment.NOT_RELEVANT_DECLARED: ("◌", mark("Not relevant (declared)"), "declared"),
}
"""Shape, words and style of what is known of a document."""

_FOLD = 220
"""Longer texts are folded to this many characters."""


def origin(from_chunks: FromChunks, words: NullTranslations = ENGLISH) -> str:
    """Say how a run came from chunks.

    >>> origin(FromChunks(None, "d6706e72c8476072541a", 2))
    'collapsed from the first 2 chunks of each query, map d6706e72c847'
    """
    fingerprint = from_chunks.adapter_sha256[:12]
    if not from_chunks.budget_is_known:
        return words.gettext("collapsed from chunks, budget not stated, map {fingerprint}").format(
            fingerprint=fingerprint
        )
    if from_chunks.budget is None:
        return words.gettext("collapsed from all received chunks, map {fingerprint}").format(fingerprint=fingerprint)
    return words.ngettext(
        "collapsed from the first {count} chunk of each query, map {fingerprint}",
        "collapsed from the first {count} chunks of each query, map {fingerprint}",
        from_chunks.budget,
    ).format(count=from_chunks.budget, fingerprint=fingerprint)


def proposed(proposal: Proposal, words: NullTranslations = ENGLISH) -> str:
    """Say from which protocol another was made, and by whom.

    >>> from rankeval.core.provenance import LabelChange
    >>> proposed(Proposal("9dd1a576cc83" * 5, "", (LabelChange("q2", "d1", 1, "Ann", "it answers"),)))
    'proposed from 9dd1a576cc83 (1 judgment changed by Ann)'
    """
    return words.ngettext(
        "proposed from {fingerprint} ({count} judgment changed by {who})",
        "proposed from {fingerprint} ({count} judgments changed by {who})",
        len(proposal.changes),
    ).format(
        fingerprint=proposal.parent_protocol_sha256[:12],
        count=len(proposal.changes),
        who=words.pgettext("between names", ", ").join(dict.fromkeys(change.who for change in proposal.changes)),
    )


def system(run: Run, words: NullTranslations = ENGLISH, written: Callable[[object], str] = str) -> str:
    """Say what is recorded of the system that made a run, and what is not.

    Args:
        run: the run.
        words: the catalogue of the sentence's language.
        written: writes a recorded value; a page escapes it.

    >>> system(Run({}, system={"model": "BM25"}))
    'model BM25. Not recorded: description, configuration, index version, filters, chunker.'
    """
    fields = {key: words.pgettext("system", key.replace("_", " ")) for key in SYSTEM_FIELDS}
    recorded = [f"{fields[key]} {written(run.system[key])}" for key in SYSTEM_FIELDS if key in run.system]
    absent = [fields[key] for key in SYSTEM_FIELDS if key not in run.system]
    said = words.pgettext("between clauses", "; ").join(recorded) or words.gettext("nothing is recorded")
    if not absent:
        return words.gettext("{recorded}.").format(recorded=said)
    names = words.pgettext("between names", ", ").join(absent)
    return words.gettext("{recorded}. Not recorded: {absent}.").format(recorded=said, absent=names)


def gaps_said(report: Report, words: NullTranslations = ENGLISH) -> str:
    """Say how many queries a run is missing, left empty, or answered with fewer than k documents."""
    found = gap_counts(report)
    return words.gettext("{missing} missing, {empty} empty, {short} short of k of {all} queries").format(
        missing=found.missing, empty=found.empty, short=found.short, all=report.total_queries
    )


def need_of(protocol: Protocol, query: str) -> str:
    """Give the information need of a query."""
    return str(protocol.queries[query].get("text", ""))


def document_text(document: object) -> str:
    """Give a document as one text: title and text, or whatever it is.

    >>> document_text({"title": "Prices.", "text": "A visit is 5 euros."})
    'Prices. A visit is 5 euros.'
    """
    if isinstance(document, dict):
        parts: Iterable[object] = (document.get("title"), document.get("text"))
        return ". ".join(str(part).rstrip(".") if i == 0 else str(part) for i, part in enumerate(parts) if part)
    return str(document)


def beginning_and_rest(content: str, length: int = _FOLD) -> tuple[str, str]:
    """Cut a long text in two, between words where it can; the rest of a short one is empty.

    >>> beginning_and_rest("short"), beginning_and_rest("one two three", 9)
    (('short', ''), ('one two', ' three'))
    """
    if len(content) <= length:
        return content, ""
    cut = content.rfind(" ", 0, length)
    cut = cut if cut > 0 else length
    return content[:cut], content[cut:]
