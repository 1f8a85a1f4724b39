"""HTML for what Streamlit has no element for: the verdict, the means, and two rankings side by side.

Every piece of text that comes from a file or a name goes through `text`, which escapes it: it shows as it is written,
whatever it says.  No other module of the dashboard writes HTML.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from fractions import Fraction

from rankeval.core.comparison import Comparison, ComparisonRow, Status
from rankeval.core.contract import ContractError
from rankeval.core.gaps import gap_counts
from rankeval.core.protocol import Judgment, Protocol
from rankeval.core.run import SYSTEM_FIELDS, FromChunks, Run
from rankeval.core.scoring import Report, denominator
from rankeval.core.side_by_side import Placed, SideBySide
from rankeval.core.words import MARKS, NULL_NOTE, decimal, movement, signed, verdict

BADGES = {
    Judgment.RELEVANT: ("●", "Relevant", "relevant"),
    Judgment.NOT_RELEVANT_JUDGED: ("○", "Not relevant (judged)", "judged"),
    Judgment.NOT_RELEVANT_DECLARED: ("◌", "Not relevant (declared)", "declared"),
}
"""Shape, words and style of what is known of a document."""

LIMITS = (
    "These numbers are arithmetic on fixed rankings under fixed labels. They do not verify the judgments, nor how well"
    " the queries stand for traffic, nor that a difference would hold on other queries."
)

_FOLD = 220
"""Longer texts are folded to this many characters; one click shows them whole."""


def text(value: object) -> str:
    """Escape text, and keep its direction of writing to itself."""
    return f"<bdi>{html.escape(str(value), quote=True)}</bdi>"


def heading(words: str) -> str:
    """Give a heading within a page."""
    return f'<h2 class="rk rk-heading">{text(words)}</h2>'


def protocol_bar(name: str, protocol: Protocol, prefix: int, comparison: Comparison | None) -> str:
    """Say which protocol every number on the page stands on, and how many queries are missing and null."""
    parts = [
        f"<b>{text(name)}</b>",
        f'<span class="quiet">protocol <code>{protocol.protocol_sha256[:prefix]}</code></span>',
        f"<span>split <b>{text(protocol.split)}</b></span>",
        f"<span>k = <b>{protocol.k}</b></span>",
        f'<span class="quiet">{len(protocol.corpus)} documents, {len(protocol.split_queries)} queries</span>',
    ]
    if comparison is not None:
        counts = comparison.counts
        parts.append(
            f'<span class="quiet">{counts["missing_a"]} missing in A, {counts["missing_b"]} in B,'
            f" {counts[Status.NULL]} null</span>"
        )
    if not protocol.protocol_sha256_verified:
        parts.append('<span class="rk-flag">fingerprint not recomputed</span>')
    declared = "".join(
        f'<div class="rk-small quiet">declared: {text(each)}</div>' for each in protocol.provenance.declarations
    )
    return f'<div class="rk"><div class="rk-bar">{"".join(parts)}</div>{declared}</div>'


def about_runs(run_a: Run, run_b: Run) -> str:
    """Say what was declared of two runs, how they came from chunks, and what is recorded of their systems."""
    sides = (("A", run_a), ("B", run_b))
    lines = [
        f'<div class="rk-small quiet">{side} {text(run.name)}, declared: {text(each)}</div>'
        for side, run in sides
        for each in run.declarations
    ]
    lines += [
        f'<div class="rk-small quiet">{side} {text(run.name)}, {text(_origin(run.from_chunks))}</div>'
        for side, run in sides
        if run.from_chunks
    ]
    if _experiment(run_a) != _experiment(run_b):
        lines.append(f'<div><span class="rk-flag">{TWO_EXPERIMENTS}</span></div>')
    systems = "".join(f"<div>{side} {text(run.name)}: {_system(run)}</div>" for side, run in sides)
    lines.append(f'<details class="rk-about rk-small quiet"><summary>What made A and B</summary>{systems}</details>')
    return f'<div class="rk">{"".join(lines)}</div>'


def headline(name_a: str, name_b: str, comparison: Comparison) -> str:
    """Give what is missing or empty first, then the verdict in one line."""
    counts = "".join(
        f"<span><b>{side}</b> {text(name)}: {_gaps(report)}</span>"
        for side, name, report in (("A", name_a, comparison.baseline), ("B", name_b, comparison.candidate))
    )
    return (
        f'<div class="rk"><div class="rk-counts quiet">{counts}</div>'
        f'<div class="rk-verdict">{text(verdict(name_a, name_b, comparison))}</div></div>'
    )


def means(comparison: Comparison) -> str:
    """Give both means of both sides, exact and decimal, and what they are divided by."""
    a, b = comparison.baseline, comparison.candidate
    cards = (
        _mean(f"Recall@{a.k}", a.recall_at_k, b.recall_at_k, comparison.recall_delta),
        _mean(f"MRR@{a.k}", a.mrr_at_k, b.mrr_at_k, comparison.mrr_delta),
    )
    return f'<div class="rk rk-means">{"".join(cards)}</div>'


def denominators(comparison: Comparison) -> str:
    """Say what the means are divided by, what null does not say, and what no number here says."""
    a, b = denominator(comparison.baseline), denominator(comparison.candidate)
    lines = [f"A: {a}", f"B: {b}"] if a != b else [f"A and B: {a}"]
    if comparison.baseline.no_relevant_queries:
        lines.append(NULL_NOTE)
    lines.append(LIMITS)
    return f'<div class="rk rk-small quiet">{"".join(f"<div>{text(line)}</div>" for line in lines)}</div>'


def need(query: str, words: str, gloss: str | None, facts: Sequence[str]) -> str:
    """Give the information need of a query in full."""
    translated = f'<div class="quiet">{text(gloss)}</div>' if gloss else ""
    return (
        f'<div class="rk rk-need"><div class="quiet">query {text(query)} {" ".join(map(text, facts))}</div>'
        f'<div class="words" dir="auto">{text(words)}</div>{translated}</div>'
    )


def rankings(
    row: ComparisonRow,
    sides: SideBySide,
    names: tuple[str, str],
    protocol: Protocol,
    gloss: dict[str, str],
) -> str:
    """Give one sentence on what moved, the two rankings side by side, and what neither returned."""
    firsts = tuple(found[0] if found else None for found in sides.first_relevant)
    sentence = movement(row, (firsts[0], firsts[1]))
    style = "down" if row.regression else "up" if row.improvement else ""
    columns = "".join(
        _column(side, name, placed, returned, missing, protocol, gloss)
        for side, name, placed, returned, missing in zip(
            "AB", names, (sides.a, sides.b), sides.returned, row.missing, strict=True
        )
    )
    beyond = "".join(
        f'<div class="quiet">{side}: first relevant beyond k: {text(found[0])} at {found[1]}, scored as none</div>'
        for side, found in zip("AB", sides.first_relevant, strict=True)
        if found and found[1] > protocol.k
    )
    unreturned = ""
    if sides.unreturned:
        cards = "".join(
            _document(document, _badge(Judgment.RELEVANT), "", protocol, gloss, relevant=True)
            for document in sides.unreturned
        )
        unreturned = f'<div class="rk-side">Relevant, returned by neither</div>{cards}'
    mark = f"{MARKS[row.status]} {row.status}"
    return (
        f'<div class="rk"><div class="rk-moved"><span class="{style}">{mark}</span>: {text(sentence)}</div>{beyond}'
        f'<div class="rk-two">{columns}</div>{unreturned}</div>'
    )


def accepted(kind: str, file: str, key: str, facts: Sequence[str]) -> str:
    """Say what was accepted of a file."""
    items = "".join(f"<li>{text(fact)}</li>" for fact in facts)
    return (
        f'<div class="rk rk-card"><div class="file">✔ accepted {kind}: {text(file)}</div>'
        f'<div class="quiet">fingerprint <code>{text(key)}</code></div><ul>{items}</ul></div>'
    )


def refused(kind: str, file: str, error: ContractError, ways: Sequence[str]) -> str:
    """Say by which rule a file was refused, and what to do about it."""
    items = "".join(f"<li>{text(way)}</li>" for way in ways)
    return (
        f'<div class="rk rk-card"><div class="file down">✘ refused {kind}: {text(file)}</div>'
        f'<div class="rule">{text(error.rule)}</div>'
        f"<div>{error.total:,} fault{'' if error.total == 1 else 's'} in all."
        f" Nothing of this file is counted anywhere.</div><ul>{items}</ul></div>"
    )


def asks(file: str, error: ContractError) -> str:
    """Ask for what a source leaves open."""
    return f'<div class="rk rk-asks">{text(file)}: {text(error.rule)}<br>{text(error.faults[0].detail)}</div>'


def name() -> str:
    """Give the product's name."""
    return '<span class="rk-name">rankeval</span>'


TWO_EXPERIMENTS = "A and B come from different chunk maps or numbers of chunks: two experiments, not one"


def _origin(origin: FromChunks) -> str:
    taken = "all received chunks" if origin.budget is None else f"the first {origin.budget} chunks of each query"
    return f"collapsed from {taken}, map {origin.adapter_sha256[:12]}"


def _experiment(run: Run) -> tuple[str, int | None] | None:
    return (run.from_chunks.adapter_sha256, run.from_chunks.budget) if run.from_chunks else None


def _system(run: Run) -> str:
    recorded = [f"{text(key)} {text(run.system[key])}" for key in SYSTEM_FIELDS if key in run.system]
    absent = [key.replace("_", " ") for key in SYSTEM_FIELDS if key not in run.system]
    said = "; ".join(recorded) or "nothing is recorded"
    return f"{said}. Not recorded: {', '.join(absent)}." if absent else f"{said}."


def _gaps(report: Report) -> str:
    found = gap_counts(report)
    return f"{found.missing} missing, {found.empty} empty, {found.short} short of k of {report.total_queries} queries"


def _mean(name: str, a: Fraction | None, b: Fraction | None, delta: Fraction | None) -> str:
    style = "" if not delta else "up" if delta > 0 else "down"
    return (
        f'<div class="rk-mean"><div class="top"><span>{name}</span>'
        f'<span class="delta {style}">{signed(delta)}</span></div>'
        f'<div class="sides"><span>A {_exact_and_decimal(a)}</span>'
        f" <span>&rarr; B {_exact_and_decimal(b)}</span></div></div>"
    )


def _exact_and_decimal(value: Fraction | None) -> str:
    if value is None:
        return "null"
    exact = str(value)
    short = exact if len(exact) <= _EXACT_LENGTH else f'<span title="{exact}">{exact[:_EXACT_LENGTH]}…</span>'
    return f"<b>{decimal(value)}</b> = {short}"


_EXACT_LENGTH = 24


def _column(
    side: str,
    name: str,
    placed: Sequence[Placed],
    returned: int,
    missing: bool,  # noqa: FBT001 - one of the row's two
    protocol: Protocol,
    gloss: dict[str, str],
) -> str:
    other = "B" if side == "A" else "A"
    cards: list[str] = []
    for card in placed:
        if card.rank == protocol.k + 1:
            cards.append(_cut(protocol.k))
        elsewhere = f"{other}: not returned" if card.other_rank is None else f"{other}: {card.other_rank}"
        head = f'<span class="rank">{card.rank}</span>'
        is_relevant = card.judgment is Judgment.RELEVANT
        notes = f'{_badge(card.judgment)}<span class="other">{elsewhere}</span>'
        cards.append(_document(card.document, notes, head, protocol, gloss, relevant=is_relevant))
    if len(placed) <= protocol.k:
        cards.append(_cut(protocol.k))
    if missing:
        cards.insert(0, '<div class="rk-flag">The run has no entry for this query: missing, scored as 0</div>')
    elif not returned:
        cards.insert(0, '<div class="rk-flag">The run has an empty list for this query, scored as 0</div>')
    if returned > len(placed):
        cards.append(f'<div class="quiet">and {returned - len(placed)} more</div>')
    return f'<div><div class="rk-side">{side} {text(name)}</div>{"".join(cards)}</div>'


def _cut(k: int) -> str:
    return f'<div class="rk-cut">k = {k}</div>'


def _badge(judgment: Judgment) -> str:
    shape, words, style = BADGES[judgment]
    return f'<span class="badge {style}">{shape} {words}</span>'


def _document(
    document: str, notes: str, head: str, protocol: Protocol, gloss: dict[str, str], *, relevant: bool
) -> str:
    style = " relevant" if relevant else ""
    translated = f'<div class="body quiet">{text(gloss[document])}</div>' if document in gloss else ""
    return (
        f'<div class="rk-doc{style}"><div class="head">{head}<b class="doc">{text(document)}</b>{notes}</div>'
        f'<div class="body" dir="auto">{folded(document_text(protocol.corpus[document]))}</div>{translated}</div>'
    )


def document_text(document: object) -> str:
    """Give a document as one text: title and text, or whatever it is."""
    if isinstance(document, dict):
        parts: Iterable[object] = (document.get("title"), document.get("text"))
        return ". ".join(str(part).rstrip(".") if i == 0 else str(part) for i, part in enumerate(parts) if part)
    return str(document)


def folded(content: str) -> str:
    """Show a text whole where it is short; else its beginning, and the rest behind a click."""
    if len(content) <= _FOLD:
        return text(content)
    cut = content.rfind(" ", 0, _FOLD)
    cut = cut if cut > 0 else _FOLD
    return f"<details><summary>{text(content[:cut])} …</summary>{text(content[cut:])}</details>"
