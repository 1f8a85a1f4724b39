"""HTML for what Streamlit has no element for: the verdict, the means, and two rankings side by side.

Every piece of text that comes from a file or a name goes through `text`, which escapes it: it shows as it is written,
whatever it says.  No other module of the dashboard writes HTML.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from fractions import Fraction

from rankeval.core.comparison import Comparison, ComparisonRow
from rankeval.core.protocol import Judgment, Protocol
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

STYLE = """
<style>
.rk { line-height: 1.45; }
.rk bdi, .rk .doc { overflow-wrap: anywhere; }
.rk .quiet { opacity: .78; }
.rk .up { color: light-dark(#0b57a4, #8fc1ff); }
.rk .down { color: light-dark(#a8420a, #ffb27d); }
.rk-small { font-size: .88rem; }
.rk-bar { display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; align-items: baseline; font-size: .93rem; }
.rk-bar b { font-size: 1.02rem; }
.rk-bar code { font-size: .86rem; background: none; color: inherit; padding: 0; }
.rk-flag { border: 1px solid currentColor; border-radius: 4px; padding: 0 .4rem; font-size: .82rem; }
.rk-counts { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin-bottom: .3rem; }
.rk-verdict { font-size: 1.28rem; font-weight: 600; line-height: 1.4; }
.rk-means { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem; margin: .2rem 0; }
.rk-mean { border: 1px solid light-dark(#d5dbe3, #364152); border-radius: 6px; padding: .55rem .8rem; }
.rk-mean .delta { font-size: 1.35rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.rk-mean .sides { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.rk-need { border-left: 4px solid light-dark(#1f5fae, #7fb2ff); padding: .1rem 0 .1rem .7rem; margin-bottom: .5rem; }
.rk-need .words { font-size: 1.08rem; font-weight: 550; }
.rk-moved { font-size: 1.02rem; font-weight: 600; margin: .3rem 0 .6rem; }
.rk-two { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem; }
.rk-two > div { min-width: 0; }
.rk-side { font-weight: 650; border-bottom: 2px solid currentColor; padding-bottom: .15rem; margin-bottom: .4rem; }
.rk-doc { border: 1px solid light-dark(#d5dbe3, #364152); border-radius: 6px; padding: .35rem .55rem; }
.rk-doc { margin: .35rem 0; }
.rk-doc.relevant { border-left: 5px solid light-dark(#0b57a4, #8fc1ff); }
.rk-doc .head { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; }
.rk-doc .rank { font-weight: 700; font-variant-numeric: tabular-nums; }
.rk-doc .badge { font-size: .82rem; white-space: nowrap; }
.rk-doc .badge.relevant { font-weight: 700; color: light-dark(#0b57a4, #8fc1ff); }
.rk-doc .other { font-size: .82rem; opacity: .85; }
.rk-doc .body { font-size: .9rem; margin-top: .15rem; }
.rk-doc summary { cursor: pointer; }
.rk-cut { display: flex; align-items: center; gap: .5rem; font-size: .8rem; font-weight: 650; margin: .55rem 0; }
.rk-cut::before, .rk-cut::after { content: ""; flex: 1; border-top: 2px dashed currentColor; }
@media (max-width: 40rem) { .rk-two { grid-template-columns: 1fr; } }
</style>
"""

_FOLD = 220
"""Longer texts are folded to this many characters; one click shows them whole."""


def text(value: object) -> str:
    """Escape text, and keep its direction of writing to itself."""
    return f"<bdi>{html.escape(str(value), quote=True)}</bdi>"


def protocol_bar(name: str, protocol: Protocol, prefix: int) -> str:
    """Say which protocol every number on the page stands on."""
    parts = [
        f"<b>{text(name)}</b>",
        f'<span class="quiet">protocol <code>{protocol.protocol_sha256[:prefix]}</code></span>',
        f"<span>split <b>{text(protocol.split)}</b></span>",
        f"<span>k = <b>{protocol.k}</b></span>",
        f'<span class="quiet">{len(protocol.corpus)} documents, {len(protocol.split_queries)} queries</span>',
    ]
    if not protocol.protocol_sha256_verified:
        parts.append('<span class="rk-flag">fingerprint not recomputed</span>')
    declared = "".join(f'<div class="quiet">declared: {text(each)}</div>' for each in protocol.provenance.declarations)
    return f'<div class="rk"><div class="rk-bar">{"".join(parts)}</div>{declared}</div>'


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


def _gaps(report: Report) -> str:
    found = denominator(report)
    missing = len(report.missing_queries)
    empty = sum(not row.missing and not row.returned for row in report.rows)
    short = sum(0 < row.returned < report.k for row in report.rows)
    words = [f"{missing} missing", f"{empty} empty", f"{short} short of k"]
    return f"{', '.join(words)} of {found.scored + found.null} queries"


def _mean(name: str, a: Fraction | None, b: Fraction | None, delta: Fraction | None) -> str:
    style = "" if not delta else "up" if delta > 0 else "down"
    return (
        f'<div class="rk-mean"><div>{name}</div><div class="delta {style}">{signed(delta)}</div>'
        f'<div class="sides">A {_exact_and_decimal(a)} &rarr; B {_exact_and_decimal(b)}</div></div>'
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
