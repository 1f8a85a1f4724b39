"""HTML for what Streamlit has no element for: the verdict, the means, and two rankings side by side.

Every piece of text that comes from a file or a name goes through `text`, which escapes it: it shows as it is written,
whatever it says.  No other module of the dashboard writes HTML.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from fractions import Fraction

from rankeval.core.about import beginning_and_rest, gaps_said, origin, proposed, system
from rankeval.core.comparison import Comparison
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run
from rankeval.core.scoring import denominator
from rankeval.core.words import LIMITS, NULL_NOTE, Origins, decimal, signed, verdict
from rankeval.dashboard.language import _, beside, catalogue, mark, n_, shown


def text(value: object) -> str:
    """Escape text, and keep its direction of writing to itself."""
    return f"<bdi>{html.escape(str(value), quote=True)}</bdi>"


def heading(words: str) -> str:
    """Give a heading within a page."""
    return f'<h2 class="rk rk-heading">{text(words)}</h2>'


def protocol_bar(name: str, protocol: Protocol, prefix: int, comparison: Comparison | None) -> str:
    """Say which protocol every number on the page stands on, and how many queries are missing and null."""
    fingerprint = _("protocol {fingerprint}").format(fingerprint=code(protocol.protocol_sha256[:prefix]))
    size = _("{documents} documents, {queries} queries").format(
        documents=len(protocol.corpus), queries=len(protocol.split_queries)
    )
    parts = [
        f"<b>{text(name)}</b>",
        f'<span class="quiet">{fingerprint}</span>',
        f"<span>{_('split {split}').format(split=f'<b>{text(protocol.split)}</b>')}</span>",
        f"<span>k = <b>{protocol.k}</b></span>",
        f'<span class="quiet">{size}</span>',
    ]
    if comparison is not None:
        gaps = _("{missing_a} missing in A, {missing_b} in B, {null} null").format(**comparison.counts)
        parts.append(f'<span class="quiet">{gaps}</span>')
    if not protocol.protocol_sha256_verified:
        parts.append('<span class="rk-flag">' + _("fingerprint not recomputed") + "</span>")
    known = protocol.provenance
    lines = [_("declared: {declaration}").format(declaration=text(each)) for each in known.declarations]
    lines += [text(proposed(each, catalogue())) for each in known.proposals]
    small = "".join(f'<div class="rk-small quiet">{line}</div>' for line in lines)
    return f'<div class="rk"><div class="rk-bar">{"".join(parts)}</div>{small}</div>'


def about_runs(run_a: Run, run_b: Run) -> str:
    """Say what was declared of two runs, how they came from chunks, and what is recorded of their systems."""
    sides = (("A", run_a), ("B", run_b))
    lines = [
        f'<div class="rk-small quiet">{_about(side, run, _("declared: {declaration}"), declaration=each)}</div>'
        for side, run in sides
        for each in run.declarations
    ]
    lines += [
        f'<div class="rk-small quiet">{_about(side, run, text(origin(run.from_chunks, catalogue())))}</div>'
        for side, run in sides
        if run.from_chunks
    ]
    clause = _("{subject}: {said}")
    systems = "".join(
        f"<div>{clause.format(subject=f'{side} {text(run.name)}', said=system(run, catalogue(), text))}</div>"
        for side, run in sides
    )
    lines.append(
        f'<details class="rk-about rk-small quiet"><summary>{_("What made A and B")}</summary>{systems}</details>'
    )
    return f'<div class="rk">{"".join(lines)}</div>'


def headline(name_a: str, name_b: str, comparison: Comparison, origins: Origins) -> str:
    """Give what is missing or empty first, then the verdict in one line."""
    clause = _("{subject}: {said}")
    counts = "".join(
        f"<span>{clause.format(subject=f'<b>{side}</b> {text(name)}', said=gaps_said(report, catalogue()))}</span>"
        for side, name, report in (("A", name_a, comparison.baseline), ("B", name_b, comparison.candidate))
    )
    said = verdict(name_a, name_b, comparison, catalogue(), origins)
    return (
        f'<div class="rk"><div class="rk-counts quiet">{counts}</div><div class="rk-verdict">{text(said)}</div></div>'
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
    words = catalogue()
    if a == b:
        lines = [_("A and B: {denominator}").format(denominator=a.sentence(words))]
    else:
        line = _("{side}: {denominator}")
        lines = [line.format(side=side, denominator=found.sentence(words)) for side, found in (("A", a), ("B", b))]
    if comparison.baseline.no_relevant_queries:
        lines.append(_(NULL_NOTE))
    lines.append(_(LIMITS))
    return f'<div class="rk rk-small quiet">{"".join(f"<div>{text(line)}</div>" for line in lines)}</div>'


_AGAIN_AND_AGAIN = 5
"""From so many runs on it is said what a split is that is looked at again and again."""


def exposure(split: str, runs: int, since: str) -> str:
    """Say with how many runs a split was looked at, and what that makes of it."""
    said = n_(
        "Split {split} has been looked at with {count} run since {since}.",
        "Split {split} has been looked at with {count} runs since {since}.",
        runs,
        split=text(split),
        since=since,
    )
    again = _("A split that is looked at again and again is a development split, whatever it is called.")
    warning = f" {text(again)}" if runs >= _AGAIN_AND_AGAIN else ""
    return f'<div class="rk rk-small quiet">{said}{warning}</div>'


def accepted(kind: str, file: str, key: str, facts: Sequence[str]) -> str:
    """Say what was accepted of a file."""
    items = "".join(f"<li>{text(shown(fact))}</li>" for fact in facts)
    return (
        f'<div class="rk rk-card"><div class="file">✔ {_(_ACCEPTED[kind]).format(file=text(file))}</div>'
        f'<div class="quiet">{_("fingerprint {fingerprint}").format(fingerprint=code(key))}</div>'
        f"<ul>{items}</ul></div>"
    )


def refused(kind: str, file: str, error: ContractError, ways: Sequence[str]) -> str:
    """Say by which rule a file was refused, in English and in the visitor's words, and what to do about it."""
    items = "".join(f"<li>{text(way)}</li>" for way in ways)
    faults = n_(
        "{count:,} fault in all. Nothing of this file is counted anywhere.",
        "{count:,} faults in all. Nothing of this file is counted anywhere.",
        error.total,
    )
    return (
        f'<div class="rk rk-card"><div class="file down">✘ {_(_REFUSED[kind]).format(file=text(file))}</div>'
        f'<div class="rule">{rule(error)}</div>'
        f"<div>{faults}</div><ul>{items}</ul></div>"
    )


_ACCEPTED = {
    "protocol": mark("accepted protocol: {file}"),
    "run": mark("accepted run: {file}"),
    "chunk map": mark("accepted chunk map: {file}"),
}
_REFUSED = {
    "protocol": mark("refused protocol: {file}"),
    "run": mark("refused run: {file}"),
    "chunk map": mark("refused chunk map: {file}"),
}


def rule(error: ContractError) -> str:
    """Give the fixed sentence of a refusal, which stays in English, and its translation below where there is one."""
    translated = beside(error.rule)
    return text(error.rule) + (f'<div class="quiet">{text(translated)}</div>' if translated else "")


def code(figure: str) -> str:
    """Show a fingerprint as one."""
    return f"<code>{text(figure)}</code>"


def name() -> str:
    """Give the product's name."""
    return '<span class="rk-name">rankeval</span>'


def _about(side: str, run: Run, said: str, **fields: object) -> str:
    """Say something of one side's run."""
    filled = said.format(**{name: text(value) for name, value in fields.items()})
    return _("{side} {name}, {said}").format(side=side, name=text(run.name), said=filled)


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


def folded(content: str) -> str:
    """Show a text whole where it is short; else its beginning, and the rest behind a click."""
    beginning, rest = beginning_and_rest(content)
    if not rest:
        return text(beginning)
    return f"<details><summary>{text(beginning)} …</summary>{text(rest)}</details>"
