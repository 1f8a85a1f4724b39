"""One query as the mailed report tells it: what its layout, `html/query.html`, puts on the page."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from gettext import NullTranslations
from typing import Any

from rankeval.core import about, words
from rankeval.core.comparison import ComparisonRow
from rankeval.core.protocol import Judgment, Protocol
from rankeval.core.run import Run
from rankeval.core.side_by_side import Placed, SideBySide, side_by_side

WITH_TEXT = 20
"""Down to this rank documents are given with their text; below it, relevant ones only."""

_LONGEST_TEXT = 1_500
"""Characters of a document; how many are left out of a longer one is said."""


def exact_or_null(value: Fraction | None) -> str:
    """Write a score exactly."""
    return "null" if value is None else str(value)


def query_pane(
    row: ComparisonRow, anchor: str, protocol: Protocol, runs: tuple[Run, Run], catalogue: NullTranslations
) -> dict[str, Any]:
    """Tell one query: the need, what moved, both rankings down to k, and what neither returned."""
    rankings = tuple(run.rankings.get(row.query, []) for run in runs)
    sides = side_by_side(protocol, row.query, rankings[0], rankings[1], protocol.k)
    firsts = tuple(found[0] if found else None for found in sides.first_relevant)
    past = catalogue.gettext("{side}: first relevant beyond k: {document} at {rank}, scored as none")
    facts = protocol.queries[row.query]
    return {
        "anchor": anchor,
        "query": row.query,
        "need": about.need_of(protocol, row.query),
        "facts": [f"{key}: {value}" for key, value in facts.items() if key not in {"text", "split", "metadata"}],
        "status": words.marked_status(row, catalogue),
        "moved": words.movement(row, (firsts[0], firsts[1]), catalogue),
        "scores": [
            (f"{name}@{protocol.k}", *map(exact_or_null, values), words.signed_exactly(delta))
            for name, values, delta in (("RR", row.rr, row.rr_delta), ("Recall", row.recall, row.recall_delta))
        ],
        "beyond": [
            past.format(side=side, document=found[0], rank=found[1])
            for side, found in zip("AB", sides.first_relevant, strict=True)
            if found and found[1] > protocol.k
        ],
        "columns": [_column(index, row, sides, runs[index].name, protocol, catalogue) for index in (0, 1)],
        "unreturned": [
            _card(document, Judgment.RELEVANT, protocol, catalogue, with_text=True) for document in sides.unreturned
        ],
    }


def _column(
    index: int, row: ComparisonRow, sides: SideBySide, name: str, protocol: Protocol, catalogue: NullTranslations
) -> dict[str, Any]:
    within, beyond = (sides.a, sides.b)[index], sides.relevant_beyond[index]
    other = "BA"[index]

    def cards(placed: Sequence[Placed]) -> list[dict[str, Any]]:
        return [_placed(each, other, protocol, catalogue) for each in placed]

    more = sides.returned[index] - len(within) - len(beyond)
    return {
        "letter": "AB"[index],
        "name": name,
        "nothing": _nothing(row.missing[index], sides.returned[index], catalogue),
        "within": cards(within),
        "beyond": cards(beyond),
        "more": catalogue.gettext("and {count} more").format(count=more) if more else None,
    }


def _nothing(missing: bool, returned: int, catalogue: NullTranslations) -> str | None:  # noqa: FBT001 - one of the row's two
    if missing:
        return catalogue.gettext("The run has no entry for this query: missing, scored as 0")
    if not returned:
        return catalogue.gettext("The run has an empty list for this query, scored as 0")
    return None


def _placed(each: Placed, other: str, protocol: Protocol, catalogue: NullTranslations) -> dict[str, Any]:
    elsewhere = (
        catalogue.gettext("{side}: not returned").format(side=other)
        if each.other_rank is None
        else catalogue.gettext("{side}: {rank}").format(side=other, rank=each.other_rank)
    )
    with_text = each.rank <= WITH_TEXT or each.judgment is Judgment.RELEVANT
    card = _card(each.document, each.judgment, protocol, catalogue, with_text=with_text)
    return card | {"rank": each.rank, "elsewhere": elsewhere}


def _card(
    document: str, judgment: Judgment, protocol: Protocol, catalogue: NullTranslations, *, with_text: bool
) -> dict[str, Any]:
    shape, said, style = about.BADGES[judgment]
    content = about.document_text(protocol.corpus[document]) if with_text else ""
    beginning, rest = about.beginning_and_rest(content)
    kept = rest[: _LONGEST_TEXT - len(beginning)]
    left_out = catalogue.gettext("… and {count} more characters").format(count=len(rest) - len(kept))
    return {
        "document": document,
        "rank": None,
        "elsewhere": None,
        "badge": {"shape": shape, "said": catalogue.gettext(said), "style": style},
        "beginning": beginning,
        "rest": kept,
        "left_out": left_out if len(rest) > len(kept) else None,
    }
