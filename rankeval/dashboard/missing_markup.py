"""HTML of the page Missing and null."""

from __future__ import annotations

from collections.abc import Sequence

from rankeval.core.about import document_text
from rankeval.core.exhibits import ALL_MISSING
from rankeval.core.gaps import Gaps
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run, top_of
from rankeval.core.scoring import Report, denominator
from rankeval.core.words import NULL_NOTE, decimal, signed
from rankeval.dashboard.language import _, catalogue, n_
from rankeval.dashboard.markup import folded, heading, text

_SHOWN = 3
"""How many of the documents that were returned for a null query are shown at first."""


def summary(side: str, name: str, gaps: Gaps, report: Report, k: int) -> str:
    """Say of one run what is missing, empty, short and null, and what the missing do to its means."""
    counts = gaps.counts
    facts = (
        ("✘", counts.missing, _("missing: no entry, scored as 0")),
        ("○", counts.empty, _("empty: a list with nothing in it, scored as 0")),
        ("◐", counts.short, _("short: fewer than k = {k} documents, scored as they are").format(k=k)),
        ("–", counts.null, _("null: nothing is relevant, left out of both means")),
    )
    lines = "".join(f"<b>{count}</b><span>{mark} {text(words)}</span>" for mark, count, words in facts)
    without = gaps.without_missing
    effect = ""
    if without.left_out and without.recall is None:
        effect = f'<div class="rk-effect">{text(_(ALL_MISSING))}</div>'
    elif without.left_out:
        effect = _(
            "The missing pull Recall down from {recall} to {strict_recall} and MRR from {mrr} to {strict_mrr}:"
            " the first figure of each is what a scorer says that drops them, and is wrong."
        ).format(
            recall=decimal(without.recall),
            strict_recall=decimal(report.recall_at_k),
            mrr=decimal(without.mrr),
            strict_mrr=decimal(report.mrr_at_k),
        )
        effect = (
            f'<div class="rk-effect">{text(effect)} ({signed(without.recall_pull)}, {signed(without.mrr_pull)})</div>'
        )
    return (
        f'<div class="rk"><div class="rk-side">{side} {text(name)}</div><div class="rk-facts">{lines}</div>{effect}'
        f'<div class="quiet rk-small">{text(denominator(report).sentence(catalogue()))}</div></div>'
    )


def null(protocol: Protocol, runs: Sequence[tuple[str, Run, Report]]) -> str:
    """Say which queries are null and what each run returned for them."""
    queries = runs[0][2].no_relevant_queries
    title = heading(n_("{count} null query", "{count} null queries", len(queries)))
    if not queries:
        return f'{title}<div class="rk quiet">{text(_("Every query of the split has a relevant document."))}</div>'
    blocks = "".join(_null_query(protocol, query, runs) for query in queries)
    return f'{title}<div class="rk"><div class="rk-asks">{text(_(NULL_NOTE))}</div>{blocks}</div>'


def _null_query(protocol: Protocol, query: str, runs: Sequence[tuple[str, Run, Report]]) -> str:
    need = str(protocol.queries[query].get("text", ""))
    columns = ""
    for side, (name, run, _report) in zip("AB", runs, strict=False):
        if query not in run.rankings:
            returned = f'<div class="rk-flag">{text(_("no entry: missing"))}</div>'
        else:
            top = top_of(run.rankings, query, _SHOWN)
            total = len(run.rankings[query])
            cards = "".join(
                f'<div class="rk-doc"><div class="head"><span class="rank">{rank}</span>'
                f'<b class="doc">{text(document)}</b></div>'
                f'<div class="body" dir="auto">{folded(document_text(protocol.corpus[document]))}</div></div>'
                for rank, document in enumerate(top, 1)
            )
            said = n_("{count} document returned", "{count} documents returned", total)
            returned = f'<div class="quiet rk-small">{text(said)}</div>{cards}'
        columns += f'<div><div class="rk-side">{side} {text(name)}</div>{returned}</div>'
    return (
        f'<details class="rk-null"><summary><b>{text(query)}</b> <span dir="auto">{text(need)}</span></summary>'
        f'<div class="rk-two">{columns}</div></details>'
    )
