"""HTML of one query: the need, what moved, the way of each document between two rankings, and the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankeval.core.about import BADGES, document_text
from rankeval.core.chunks import DocumentEvidence
from rankeval.core.comparison import ComparisonRow
from rankeval.core.protocol import Judgment, Protocol
from rankeval.core.side_by_side import Placed, SideBySide
from rankeval.core.words import MARKS, movement, status_word
from rankeval.dashboard.language import _, catalogue, n_, p_
from rankeval.dashboard.markup import folded, text


@dataclass(frozen=True, slots=True)
class Side:
    """One run in the pane of a query.

    Attributes:
        letter: what its column is called.
        other: what the other's is called.
        name: what people call the run; empty where that is not to be known.
        evidence: document ID -> the chunks that stood for it; empty for a run of documents.

    """

    letter: str
    other: str
    name: str
    evidence: Mapping[str, DocumentEvidence]


def need(query: str, words: str, gloss: str | None, facts: Sequence[str]) -> str:
    """Give the information need of a query in full."""
    named = _("query {query}").format(query=text(query))
    translated = f'<div class="quiet">{text(gloss)}</div>' if gloss else ""
    return (
        f'<div class="rk rk-need"><div class="quiet">{" ".join([named, *map(text, facts)])}</div>'
        f'<div class="words" dir="auto">{text(words)}</div>{translated}</div>'
    )


def moved(row: ComparisonRow, sides: SideBySide, k: int) -> str:
    """Say in one sentence what moved, and where a first relevant document stands that is too far down to count."""
    firsts = tuple(found[0] if found else None for found in sides.first_relevant)
    sentence = movement(row, (firsts[0], firsts[1]), catalogue())
    style = "down" if row.regression else "up" if row.improvement else ""
    status = f'<span class="{style}">{MARKS[row.status]} {status_word(row.status, catalogue())}</span>'
    past = _("{side}: first relevant beyond k: {document} at {rank}, scored as none")
    beyond = "".join(
        f'<div class="quiet">{past.format(side=side, document=text(found[0]), rank=found[1])}</div>'
        for side, found in zip("AB", sides.first_relevant, strict=True)
        if found and found[1] > k
    )
    said = _("{subject}: {said}").format(subject=status, said=text(sentence))
    return f'<div class="rk"><div class="rk-moved">{said}</div>{beyond}</div>'


def ways(sides: SideBySide, k: int) -> str:
    """Draw the way of each document from its rank in A to its rank in B; the ranks stand beside it in figures.

    Streamlit takes SVG out of what it is given, so a line is a box from one row to the other with its diagonal drawn.
    """
    depth = max(len(sides.a), len(sides.b), k)
    lines = "".join(
        _way(each.judgment, each.rank, each.other_rank, depth) for each in sides.a if each.other_rank is not None
    )
    lines += "".join(
        _way(each.judgment, each.other_rank, each.rank, depth)
        for each in sides.b
        if each.other_rank is not None and each.other_rank > len(sides.a)
    )
    rows_a = "".join(_station(placed, "→") for placed in sides.a)
    rows_b = "".join(_station(placed, "←") for placed in sides.b)
    return (
        f'<div class="rk rk-ways" style="--rows: {depth}; --cut: {k}"><div>{rows_a}</div>'
        f'<div class="ways" aria-hidden="true">{lines}</div><div>{rows_b}</div><div class="cut"></div></div>'
    )


def _station(placed: Placed, arrow: str) -> str:
    style = " relevant" if placed.judgment is Judgment.RELEVANT else ""
    elsewhere = "–" if placed.other_rank is None else placed.other_rank
    return (
        f'<div class="station{style}"><span class="rank">{placed.rank}</span><span>{BADGES[placed.judgment][0]}</span>'
        f'<span class="doc">{text(placed.document)}</span><span class="other">{arrow} {elsewhere}</span></div>'
    )


def _way(judgment: Judgment, rank_a: int, rank_b: int, depth: int) -> str:
    """Draw one line; one from or to a rank that is not shown begins or ends at the lower edge."""
    a, b = min(rank_a, depth + 1), min(rank_b, depth + 1)
    style = "fell" if b > a else "rose" if b < a else "kept"
    relevant = " relevant" if judgment is Judgment.RELEVANT else ""
    return f'<div class="way {style}{relevant}" style="--from: {min(a, b)}; --to: {max(a, b)}"></div>'


def rankings(
    missing: tuple[bool, bool] | None,
    sides: SideBySide,
    pair: tuple[Side, Side],
    protocol: Protocol,
    gloss: dict[str, str],
) -> str:
    """Give the documents of both rankings side by side, with the cut at k, and what neither returned.

    Args:
        missing: on which side the run has no entry for the query; None where that is not to be told.
        sides: the rankings.
        pair: whose they are.
        protocol: what they stand on.
        gloss: document ID -> what its text means, for those who do not read it.

    """
    columns = "".join(
        _column(side, placed, beyond, returned, is_missing, protocol, gloss)
        for side, placed, beyond, returned, is_missing in zip(
            pair, (sides.a, sides.b), sides.relevant_beyond, sides.returned, missing or (None, None), strict=True
        )
    )
    unreturned = ""
    if sides.unreturned:
        cards = "".join(
            _document(document, _badge(Judgment.RELEVANT), "", protocol, gloss, relevant=True)
            for document in sides.unreturned
        )
        unreturned = f'<div class="rk-side">{_("Relevant, returned by neither")}</div>{cards}'
    return f'<div class="rk"><div class="rk-two">{columns}</div>{unreturned}</div>'


def _column(
    side: Side,
    placed: Sequence[Placed],
    beyond: Sequence[Placed],
    returned: int,
    missing: bool | None,  # noqa: FBT001 - one of the row's two
    protocol: Protocol,
    gloss: dict[str, str],
) -> str:
    cards: list[str] = []
    for card in placed:
        if card.rank == protocol.k + 1:
            cards.append(_cut(protocol.k))
        cards.append(_placed(side, card, protocol, gloss))
    if len(placed) <= protocol.k:
        cards.append(_cut(protocol.k))
    if missing:
        cards.insert(0, _flag(_("The run has no entry for this query: missing, scored as 0")))
    elif missing is None and not returned:
        cards.insert(0, _flag(_("Nothing was returned")))
    elif not returned:
        cards.insert(0, _flag(_("The run has an empty list for this query, scored as 0")))
    if returned > len(placed):
        cards.append(f'<div class="quiet">{_("and {count} more").format(count=returned - len(placed))}</div>')
    cards += [_placed(side, card, protocol, gloss) for card in beyond]
    return f'<div><div class="rk-side">{side.letter} {text(side.name)}</div>{"".join(cards)}</div>'


def _placed(side: Side, card: Placed, protocol: Protocol, gloss: dict[str, str]) -> str:
    if card.other_rank is None:
        elsewhere = _("{side}: not returned").format(side=side.other)
    else:
        elsewhere = _("{side}: {rank}").format(side=side.other, rank=card.other_rank)
    notes = f'{_badge(card.judgment)}<span class="other">{elsewhere}</span>{_evidence(side, card.document)}'
    head = f'<span class="rank">{card.rank}</span>'
    is_relevant = card.judgment is Judgment.RELEVANT
    return _document(card.document, notes, head, protocol, gloss, relevant=is_relevant)


def _evidence(side: Side, document: str) -> str:
    """Say which chunks stood for a document, whose ranks are no ranks of documents."""
    if document not in side.evidence:
        return ""
    found = side.evidence[document]
    ranks = p_("between names", ", ").join(map(str, found["chunk_ranks"]))
    said = n_(
        "by chunk {chunk}, received at {ranks}",
        "by {count} chunks, the first {chunk}; received at {ranks}",
        len(found["chunk_ranks"]),
        chunk=text(found["first_chunk_id"]),
        ranks=ranks,
    )
    return f'<span class="other">{said}</span>'


def _flag(said: str) -> str:
    return f'<div class="rk-flag">{said}</div>'


def _cut(k: int) -> str:
    return f'<div class="rk-cut">k = {k}</div>'


def _badge(judgment: Judgment) -> str:
    shape, words, style = BADGES[judgment]
    return f'<span class="badge {style}">{shape} {_(words)}</span>'


def _document(
    document: str, notes: str, head: str, protocol: Protocol, gloss: dict[str, str], *, relevant: bool
) -> str:
    style = " relevant" if relevant else ""
    translated = f'<div class="body quiet">{text(gloss[document])}</div>' if document in gloss else ""
    return (
        f'<div class="rk-doc{style}"><div class="head">{head}<b class="doc">{text(document)}</b>{notes}</div>'
        f'<div class="body" dir="auto">{folded(document_text(protocol.corpus[document]))}</div>{translated}</div>'
    )
