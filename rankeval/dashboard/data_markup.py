"""HTML of the Data page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankeval.core.about import BADGES, document_text, proposed
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.dashboard.language import _, catalogue, n_
from rankeval.dashboard.library import LoadedProtocol
from rankeval.dashboard.markup import code, folded, rule, text
from rankeval.dashboard.pane_markup import need
from rankeval.dashboard.reader import Recomputed, relevant_of
from rankeval.formats.catalogue import Reading
from rankeval.formats.reports import freeze_document

_SHOWN = 50
"""How many relevant documents of a query, or queries of a document, are listed."""


def what_is_here(protocols: int, runs: int, maps: int) -> str:
    """Say in a line what is loaded."""
    parts = (
        n_("{count} protocol is loaded.", "{count} protocols are loaded.", protocols),
        n_("{count} run stands on this one.", "{count} runs stand on this one.", runs),
        n_("{count} chunk map.", "{count} chunk maps.", maps),
    )
    return f'<div class="rk"><div class="quiet">{" ".join(text(part) for part in parts)}</div></div>'


def caption(words: str) -> str:
    """Give a sentence that may have text of files in it."""
    return f'<div class="rk rk-small"><div class="quiet">{text(words)}</div></div>'


def title(words: str) -> str:
    """Give the title of one of the forms, or of a card."""
    return f'<div class="rk rk-title">{text(words)}</div>'


def asks(file: str, error: ContractError, ways: Sequence[str]) -> str:
    """Ask for what a source leaves open, and give the splits that it has, where that is what it leaves open."""
    said = _("{subject}: {said}").format(subject=text(file), said=rule(error))
    found = [fault.detail for fault in error.faults if fault.rule == Reading.SPLIT_OPEN]
    lines = "".join(f"<div>{text(each)}</div>" for each in (*found, *ways))
    return f'<div class="rk rk-asks">{said}{lines}</div>'


def facts(entry: LoadedProtocol) -> str:
    """Give a protocol's figures, what was declared for it, and what its makers say of it."""
    protocol = entry.protocol
    counts = freeze_document(protocol)
    figures = (
        (counts["documents"], n_("document", "documents", counts["documents"])),
        (counts["queries_of_split"], _("queries of split {split}").format(split=protocol.split)),
        (counts["queries"], _("queries of all splits")),
        (counts["relevant_pairs"], _("relevant pairs")),
        (counts["judged_pairs"], _("pairs judged, of {pairs:,}").format(pairs=counts["pairs"])),
    )
    lines = "".join(f"<b>{count:,}</b><span>{text(words)}</span>" for count, words in figures)
    provenance = protocol.provenance
    said = [_("declared: {declaration}").format(declaration=each) for each in provenance.declarations]
    said += [proposed(each, catalogue()) for each in provenance.proposals]
    said += [
        _("{subject}: {said}").format(subject=name, said=statement)
        for name, statement in provenance.statements.items()
        if isinstance(statement, str)
    ]
    disputed = provenance.statements.get("disputed")
    if isinstance(disputed, list) and disputed:
        said.append(n_("{count} judgment is marked disputed", "{count} judgments are marked disputed", len(disputed)))
    said += provenance.notes
    said += [
        _("group {group} stands in more than one split: {splits}").format(group=group, splits=", ".join(splits))
        for group, splits in protocol.groups_across_splits().items()
    ]
    items = "".join(f"<li>{text(each)}</li>" for each in said)
    more = f"<ul>{items}</ul>" if items else f'<div class="quiet">{text(_("Nothing was declared for it."))}</div>'
    return f'<div class="rk rk-card"><div class="rk-facts">{lines}</div>{more}</div>'


def fingerprints(entry: LoadedProtocol, found: Recomputed | None) -> str:
    """Give both fingerprints in full, and what came of computing them again."""
    protocol = entry.protocol
    rows = ((_("every judgment"), entry.key), (_("relevant pairs alone"), protocol.compact_sha256))
    lines = "".join(f"<b>{text(words)}</b><span>{code(figure)}</span>" for words, figure in rows)
    if found is None and protocol.protocol_sha256_verified:
        said, style = _("Checked when it was loaded. Compute both again whenever you want to be sure."), "quiet"
    elif found is None:
        said = _("Not recomputed yet: so many judgments take a while. Until then the first is the file's word.")
        style = "rk-asks"
    elif found.holds:
        said, style = _("✔ Both were computed again from what is loaded, and are the same."), "rk-holds"
    else:
        said = _("✘ Computed again, they are others: {computed} and {compact}. Do not trust this protocol.").format(
            computed=found.protocol_sha256, compact=found.compact_sha256
        )
        style = "rk-asks"
    return (
        f'<div class="rk rk-card"><div class="rk-facts rk-prints">{lines}</div>'
        f'<div class="{style}">{text(said)}</div></div>'
    )


def document(protocol: Protocol, chosen: str, queries: Sequence[str], gloss: Mapping[str, str]) -> str:
    """Give a document in full, and the queries that it is relevant to."""
    said = n_("relevant to {count} query", "relevant to {count} queries", len(queries))
    needs = [(query, str(protocol.queries[query].get("text", ""))) for query in queries[:_SHOWN]]
    items = "".join(f'<li><b>{text(query)}</b> <span dir="auto">{text(words)}</span></li>' for query, words in needs)
    more = _more(len(queries) - _SHOWN)
    return (
        f'<div class="rk rk-need"><div class="quiet">{text(_("document"))} <b>{text(chosen)}</b></div>'
        f'<div class="rk-text" dir="auto">{text(document_text(protocol.corpus[chosen]))}</div>{_glossed(gloss, chosen)}'
        f'</div><div class="rk rk-card"><div class="file">{text(said)}</div><ul>{items}</ul>{more}</div>'
    )


def query(protocol: Protocol, chosen: str, gloss: Mapping[str, Mapping[str, str]]) -> str:
    """Give a query in full, and its relevant documents."""
    metadata = protocol.queries[chosen]
    carried = [f"· {key}: {value}" for key, value in metadata.items() if key != "text"]
    relevant = relevant_of(protocol, chosen)
    said = n_("{count} relevant document", "{count} relevant documents", len(relevant))
    if not relevant:
        said = _("No document is relevant: its Recall and RR are null.")
    cards = "".join(
        f'<div class="rk-doc relevant"><div class="head"><b class="doc">{text(each)}</b></div>'
        f'<div class="body" dir="auto">{folded(document_text(protocol.corpus[each]))}</div></div>'
        for each in relevant[:_SHOWN]
    )
    words = need(chosen, str(metadata.get("text", "")), gloss["queries"].get(chosen), carried)
    return (
        f'{words}<div class="rk rk-card"><div class="file">{text(said)}</div>'
        f"{cards}{_more(len(relevant) - _SHOWN)}</div>"
    )


def pair(
    protocol: Protocol, chosen: tuple[str, str], reasons: Sequence[str], gloss: Mapping[str, Mapping[str, str]]
) -> str:
    """Give one judgment: the need, the document, and what is known of the two together."""
    query_id, document_id = chosen
    metadata = protocol.queries[query_id]
    shape, words, style = BADGES[protocol.judgment(query_id, document_id)]
    said = "".join(
        f'<div class="rk-asks">{text(_("marked disputed: {reason}").format(reason=reason))}</div>' for reason in reasons
    )
    relevant = " relevant" if document_id in protocol.relevant[query_id] else ""
    return (
        f"{need(query_id, str(metadata.get('text', '')), gloss['queries'].get(query_id), [])}"
        f'<div class="rk"><div class="rk-doc{relevant}"><div class="head"><b class="doc">{text(document_id)}</b>'
        f'<span class="badge {style}">{shape} {text(_(words))}</span></div>'
        f'<div class="body" dir="auto">{text(document_text(protocol.corpus[document_id]))}</div>'
        f"{_glossed(gloss['corpus'], document_id)}</div>{said}</div>"
    )


def legend() -> str:
    """Say what each shape of the grid means."""
    parts = "".join(f"<span>{shape} {text(_(words))}</span>" for shape, words, _style in BADGES.values())
    return f'<div class="rk rk-small"><div class="rk-counts quiet">{parts}</div></div>'


def _glossed(gloss: Mapping[str, str], chosen: str) -> str:
    return f'<div class="quiet">{text(gloss[chosen])}</div>' if chosen in gloss else ""


def _more(count: int) -> str:
    return f'<div class="quiet">{text(_("and {count} more").format(count=count))}</div>' if count > 0 else ""
