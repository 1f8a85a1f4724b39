"""HTML of the Overview page: what all runs come to, in words."""

from __future__ import annotations

from collections.abc import Sequence

from rankeval.core.overview import RunSummary
from rankeval.core.words import decimal, one_experiment, signed
from rankeval.dashboard.language import _, n_, p_
from rankeval.dashboard.library import LoadedRun
from rankeval.dashboard.markup import text


def verdict(summaries: Sequence[tuple[str, RunSummary]], baseline: str, k: int) -> str:
    """Say which run has the highest means, and which falls least and most against the baseline."""
    scored = [(name, each) for name, each in summaries if each.recall_at_k is not None and each.mrr_at_k is not None]
    if not scored:
        return (
            f'<div class="rk rk-verdict">{text(_("No query of the split is eligible, so no run has a score."))}</div>'
        )
    lines = [
        _("{runs}; baseline {baseline}").format(
            runs=n_("{count} run", "{count} runs", len(summaries)), baseline=baseline
        )
    ]
    for measure, values in (
        (f"Recall@{k}", [(each.recall_at_k, each.recall_delta, name) for name, each in scored]),
        (f"MRR@{k}", [(each.mrr_at_k, each.mrr_delta, name) for name, each in scored]),
    ):
        highest = max(value for value, _delta, _name in values if value is not None)
        best = [(name, delta) for value, delta, name in values if value == highest]
        lines.append(
            _("highest {measure} {value}: {names} ({delta})").format(
                measure=measure,
                value=decimal(highest),
                names=p_("between names", ", ").join(name for name, _delta in best),
                delta=signed(best[0][1]),
            )
        )
    fell = [(each.regressions, name) for name, each in summaries if name != baseline]
    detail = ""
    if fell:
        worst = max(fell)
        detail = _("Most regressions against {baseline}: {name}, on {queries}.").format(
            baseline=baseline, name=worst[1], queries=n_("{count} query", "{count} queries", worst[0])
        )
    return (
        f'<div class="rk"><div class="rk-verdict">{text(p_("between clauses", "; ").join(lines))}</div>'
        f'<div class="quiet">{text(detail)}</div></div>'
    )


def two_experiments(runs: Sequence[LoadedRun], baseline: LoadedRun) -> str:
    """Name the runs whose numbers do not stand for the baseline's experiment, or may not; nothing where none is."""
    found = [(run.name, one_experiment(baseline.from_chunks, run.from_chunks)) for run in runs if run != baseline]
    lines = [
        (_("Other experiments than the baseline, from other chunk maps or numbers of chunks: {names}."), False),
        (_("Perhaps other experiments than the baseline, since a number of chunks is not stated: {names}."), None),
    ]
    flags = ""
    for message, one in lines:
        if names := [name for name, each in found if each is one]:
            said = message.format(names=p_("between names", ", ").join(names))
            flags += f'<div><span class="rk-flag">{text(said)}</span></div>'
    return f'<div class="rk">{flags}</div>' if flags else ""
