"""HTML of the page Chunk budgets."""

from __future__ import annotations

from rankeval.core.chunk_budgets import TwoCuts
from rankeval.core.scoring import Report, exact
from rankeval.core.words import decimal, signed
from rankeval.dashboard.language import _, n_
from rankeval.dashboard.library import LoadedChunkRun
from rankeval.dashboard.markup import text


def about(received: LoadedChunkRun) -> str:
    """Say which chunk run and which map are looked at."""
    chunks = sum(map(len, received.run.rankings.values()))
    said = _("{chunks} for {queries}; map {name}, fingerprint {fingerprint}").format(
        chunks=n_("{count} chunk received", "{count} chunks received", chunks),
        queries=n_("{count} query", "{count} queries", len(received.run.rankings)),
        name=received.chunk_map.name,
        fingerprint=received.chunk_map.key[:12],
    )
    return f'<div class="rk quiet rk-small">{text(said)}</div>'


def verdict(name: str, cuts: TwoCuts) -> str:
    """Say in one line what the budget costs."""
    k = cuts.collapse_then_cut.k
    lost = sum(len(each.documents) for each in cuts.lost)
    relevant = sum(len(each.relevant_within_k) for each in cuts.lost)
    line = _("{name}, first {budget} of all received chunks: Recall@{k} {recall}, MRR@{k} {mrr}").format(
        name=name,
        budget=cuts.budget,
        k=k,
        recall=signed(cuts.comparison.recall_delta),
        mrr=signed(cuts.comparison.mrr_delta),
    )
    detail = _("The budget loses {documents}; {relevant} relevant and would stand within k.").format(
        documents=n_("{count} document", "{count} documents", lost),
        relevant=n_("{count} of them is", "{count} of them are", relevant),
    )
    return f'<div class="rk"><div class="rk-verdict">{text(line)}</div><div class="quiet">{text(detail)}</div></div>'


def two_cuts(cuts: TwoCuts) -> str:
    """Put both orders of cutting side by side, and say that they are two experiments."""
    first = _cut(
        _("Collapse, then cut"), _("all received chunks, collapsed, then the first k documents"), cuts.collapse_then_cut
    )
    second = _cut(
        _("Cut, then collapse"),
        n_("the first chunk, collapsed", "the first {count} chunks, collapsed", cuts.budget),
        cuts.cut_then_collapse,
    )
    note = _("Two experiments with different candidates, not one: neither is a better measurement of the other.")
    return (
        f'<div class="rk"><div class="rk-means">{first}{second}</div>'
        f'<div><span class="rk-flag">{text(note)}</span></div></div>'
    )


def _cut(title: str, explanation: str, report: Report) -> str:
    figures = "".join(
        f"<div>{name}@{report.k} <b>{decimal(value)}</b> = {exact(value)}</div>"
        for name, value in (("Recall", report.recall_at_k), ("MRR", report.mrr_at_k))
    )
    return (
        f'<div class="rk-mean"><div><b>{text(title)}</b></div><div class="quiet rk-small">{text(explanation)}</div>'
        f'<div class="sides">{figures}</div></div>'
    )
