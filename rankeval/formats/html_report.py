"""A comparison as one HTML file: it opens without a network, runs no script, and can be mailed and printed.

The layout is in `html/`, where every value is escaped unless it is marked as markup; text from files stands in `<bdi>`,
so that its direction of writing stays its own.  What is said is worded in the core, or in the layout, where it goes
through the same gettext catalogue.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from gettext import NullTranslations
from importlib import metadata, resources
from typing import Any

import jinja2
from markupsafe import Markup, escape

from rankeval.core import about, words
from rankeval.core.comparison import Comparison, ComparisonRow, worst_first
from rankeval.core.language import ENGLISH
from rankeval.core.protocol import Protocol
from rankeval.core.run import SYSTEM_FIELDS, Run
from rankeval.core.scoring import Report, denominator
from rankeval.formats import delta_picture
from rankeval.formats.report_pane import WITH_TEXT, exact_or_null, query_pane

PANES = 20
"""How many of the worst queries are told in full, unless another number is asked for."""

_LONGEST_NEED = 220
"""Characters of an information need in the table; a longer one ends in dots."""


def comparison_html(
    protocol: Protocol,
    runs: tuple[Run, Run],
    comparison: Comparison,
    *,
    name: str,
    language: tuple[str, NullTranslations] = ("en", ENGLISH),
    made_at: datetime | None = None,
    panes: int = PANES,
) -> bytes:
    """Write a comparison as a page of its own, UTF-8.

    The same arguments give the same bytes: no clock is read.

    Args:
        protocol: what both runs were scored on.
        runs: A, the baseline, and B, the candidate.
        comparison: of their reports.
        name: what people call the protocol.
        language: the tag of the page's language, and the catalogue of its words.
        made_at: when it was made, to be said in the last line; nothing is said of None.
        panes: how many of the queries that fell, worst first, are told with both rankings.

    """
    lang, catalogue = language
    ordered = worst_first(comparison.rows)
    told = [row for row in ordered if row.regression][:panes]
    template = _environment().get_template("comparison.html")
    style = _style()
    page = template.render(
        _=catalogue.gettext,
        lang=lang,
        style=Markup(style),  # noqa: S704 - ours, from a file of the package
        style_hash="sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        version=program_version(),
        made_at=f"{made_at:%Y-%m-%d %H:%M} {made_at:%Z}".rstrip() if made_at else None,
        name=name,
        protocol=protocol,
        protocol_facts=list(_protocol_facts(protocol, catalogue)),
        a=_side("A", runs[0], comparison.baseline, catalogue),
        b=_side("B", runs[1], comparison.candidate, catalogue),
        verdict=words.verdict(
            runs[0].name, runs[1].name, comparison, catalogue, (runs[0].from_chunks, runs[1].from_chunks)
        ),
        means=_means(comparison),
        denominators=_denominators(comparison, catalogue),
        null_note=catalogue.gettext(words.NULL_NOTE) if comparison.baseline.no_relevant_queries else None,
        limits=catalogue.gettext(words.LIMITS),
        not_verified=[catalogue.gettext(each) for each in words.NOT_VERIFIED],
        passage_note=catalogue.gettext(words.PASSAGE_NOTE),
        fingerprint_note=catalogue.gettext(words.FINGERPRINT_NOTE),
        size=(delta_picture.WIDTH, delta_picture.HEIGHT),
        left=delta_picture.LEFT,
        pictures=_pictures(comparison, catalogue),
        arrow_said=lambda arrow: _arrow_said(arrow, catalogue),
        counts=[(key, words.count_said(key, count, catalogue)) for key, count in comparison.counts.items() if count],
        rows=_rows(ordered, protocol, {row.query: f"q{place}" for place, row in enumerate(told, 1)}, catalogue),
        fell=comparison.counts["regression"],
        panes=[query_pane(row, f"q{place}", protocol, runs, catalogue) for place, row in enumerate(told, 1)],
        textless=WITH_TEXT if protocol.k > WITH_TEXT else None,
    )
    return page.encode()


def program_version() -> str:
    """Give the version of the program; `unknown` in a checkout that was never installed."""
    try:
        return metadata.version("rankeval-dashboard")
    except metadata.PackageNotFoundError:
        return "unknown"


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("rankeval.formats", "html"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["isolated"] = _isolated
    environment.filters["breakable"] = _breakable
    environment.globals["say"] = _say
    return environment


@cache
def _style() -> str:
    return (resources.files("rankeval.formats") / "html" / "report.css").read_text(encoding="utf-8")


def _isolated(value: object) -> Markup:
    """Escape text, and keep its direction of writing to itself."""
    return Markup("<bdi>{}</bdi>").format(value)


def _breakable(figure: str) -> Markup:
    """Let a long fraction go to the next line at its stroke."""
    return escape(figure).replace("/", Markup("/<wbr>"))


def _say(message: str, **fields: object) -> Markup:
    """Fill the fields of a message: text is escaped and isolated, markup and numbers stay what they are."""
    shown = {
        name: _isolated(value) if isinstance(value, str) and not isinstance(value, Markup) else value
        for name, value in fields.items()
    }
    return escape(message).format(**shown)


def _protocol_facts(protocol: Protocol, catalogue: NullTranslations) -> Iterator[tuple[str, str]]:
    _ = catalogue.gettext
    full = protocol.protocol_sha256
    if not protocol.protocol_sha256_verified:
        full = _("{fingerprint}, as its file states it; not recomputed").format(fingerprint=full)
    yield "protocol_sha256", full
    yield "compact_sha256", protocol.compact_sha256
    yield _("Split"), protocol.split
    yield _("Cut-off"), f"k = {protocol.k}"
    yield (
        _("Size"),
        _("{documents} documents, {queries} queries, of which {split} in the split").format(
            documents=len(protocol.corpus), queries=len(protocol.queries), split=len(protocol.split_queries)
        ),
    )
    yield from _declared(protocol.provenance.declarations, catalogue)
    for proposal in protocol.provenance.proposals:
        yield _("Proposed"), about.proposed(proposal, catalogue)
    for key, statement in protocol.provenance.statements.items():
        yield key, _written(statement)
    for note in protocol.provenance.notes:
        yield _("Noted"), note


def _declared(declarations: Sequence[object], catalogue: NullTranslations) -> Iterator[tuple[str, str]]:
    if not declarations:
        yield catalogue.gettext("Declared"), catalogue.gettext("nothing")
    for declaration in declarations:
        yield catalogue.gettext("Declared"), str(declaration)


@dataclass(frozen=True, slots=True)
class _Side:
    """One run, as the page tells it."""

    letter: str
    run: Run
    name: str
    gaps: str
    origin: str | None
    facts: list[tuple[str, str]]


def _side(letter: str, run: Run, report: Report, catalogue: NullTranslations) -> _Side:
    origin = about.origin(run.from_chunks, catalogue) if run.from_chunks else None
    return _Side(
        letter=letter,
        run=run,
        name=run.name,
        gaps=about.gaps_said(report, catalogue),
        origin=origin,
        facts=list(_run_facts(run, origin, catalogue)),
    )


def _run_facts(run: Run, origin: str | None, catalogue: NullTranslations) -> Iterator[tuple[str, str]]:
    _ = catalogue.gettext
    yield "run_sha256", run.run_sha256
    yield _("File"), run.source or _("none")
    if run.from_chunks and origin:
        yield _("From chunks"), origin
        yield "adapter_sha256", run.from_chunks.adapter_sha256
        yield "chunk_run_sha256", run.from_chunks.chunk_run_sha256 or _("not recorded")
    yield from _declared(run.declarations, catalogue)
    names = {field: catalogue.pgettext("system", field.replace("_", " ")) for field in SYSTEM_FIELDS}
    for field in SYSTEM_FIELDS:
        if field in run.system:
            yield names[field], _written(run.system[field])
    if absent := [names[field] for field in SYSTEM_FIELDS if field not in run.system]:
        yield _("Not recorded"), catalogue.pgettext("between names", ", ").join(absent)
    for note in run.notes:
        yield _("Noted"), note


def _written(value: object) -> str:
    """Write what a file records: text as it is, anything else as JSON, which it was."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _means(comparison: Comparison) -> list[dict[str, Any]]:
    a, b = comparison.baseline, comparison.candidate
    both = (
        (f"Recall@{a.k}", (a.recall_at_k, b.recall_at_k), comparison.recall_delta),
        (f"MRR@{a.k}", (a.mrr_at_k, b.mrr_at_k), comparison.mrr_delta),
    )
    return [
        {
            "name": name,
            "sides": [(words.decimal(value), "" if value is None else str(value)) for value in values],
            "delta": (_signed_decimal(delta), "" if delta is None else words.signed_exactly(delta)),
            "style": _style_of(delta),
            "mark": {"up": "▲", "down": "▼"}.get(_style_of(delta), ""),
        }
        for name, values, delta in both
    ]


def _denominators(comparison: Comparison, catalogue: NullTranslations) -> list[str]:
    a, b = (denominator(report).sentence(catalogue) for report in (comparison.baseline, comparison.candidate))
    if a == b:
        return [catalogue.gettext("A and B: {denominator}").format(denominator=a)]
    line = catalogue.gettext("{side}: {denominator}")
    return [line.format(side=side, denominator=sentence) for side, sentence in (("A", a), ("B", b))]


def _pictures(comparison: Comparison, catalogue: NullTranslations) -> list[tuple[str, delta_picture.Picture, str]]:
    k = comparison.baseline.k
    said = catalogue.gettext("▼ {fell} fell, {still} stayed, ▲ {rose} rose")
    return [
        (f"Δ {name}@{k}", picture, said.format(fell=picture.fell, still=picture.still, rose=picture.rose))
        for name, picture in (
            ("RR", delta_picture.rr_picture(comparison)),
            ("Recall", delta_picture.recall_picture(comparison)),
        )
    ]


def _arrow_said(arrow: delta_picture.Arrow, catalogue: NullTranslations) -> str:
    delta = words.signed_exactly(arrow.delta)
    if len(arrow.queries) == 1:
        return catalogue.gettext("{query}: {delta}").format(query=arrow.queries[0], delta=delta)
    message = catalogue.ngettext("{count} query: {delta}", "{count} queries: {delta}", len(arrow.queries))
    return message.format(count=len(arrow.queries), delta=delta)


def _rows(
    ordered: Sequence[ComparisonRow], protocol: Protocol, anchors: Mapping[str, str], catalogue: NullTranslations
) -> list[dict[str, Any]]:
    return [
        {
            "query": row.query,
            "anchor": anchors.get(row.query),
            "need": _shortened(about.need_of(protocol, row.query)),
            "status": words.marked_status(row, catalogue),
            "classes": " ".join(_classes(row)),
            "figures": (
                *map(_rank, row.first_relevant_rank),
                words.signed_rank(row.rank_delta),
                *map(exact_or_null, row.rr),
                words.signed_exactly(row.rr_delta),
                *map(exact_or_null, row.recall),
                words.signed_exactly(row.recall_delta),
            ),
        }
        for row in ordered
    ]


def _classes(row: ComparisonRow) -> Iterator[str]:
    """Say which of the counts a row belongs to; the filter of the table goes by it."""
    yield str(row.status)
    flags = {
        "missing_a": row.missing[0],
        "missing_b": row.missing[1],
        "regression": row.regression,
        "improvement": row.improvement,
    }
    yield from (name for name, belongs in flags.items() if belongs)


def _shortened(need: str) -> str:
    beginning, rest = about.beginning_and_rest(need, _LONGEST_NEED)
    return f"{beginning} …" if rest else beginning


def _rank(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def _signed_decimal(delta: Fraction | None) -> str:
    return f"+{words.decimal(delta)}" if delta is not None and delta > 0 else words.decimal(delta)


def _style_of(delta: Fraction | None) -> str:
    return "" if not delta else "up" if delta > 0 else "down"
