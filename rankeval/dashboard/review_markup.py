"""HTML of the Review page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankeval.core.about import need_of
from rankeval.core.agreement import Agreement
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.core.review import FINDINGS, REASONS, VERDICTS, Answer
from rankeval.core.review_queue import OwnProgress, RoundProgress
from rankeval.core.review_tables import Adjudication, QueryVerdicts
from rankeval.core.side_by_side import side_by_side
from rankeval.core.words import decimal
from rankeval.dashboard import pane, pane_markup
from rankeval.dashboard.language import _, n_
from rankeval.dashboard.library import LoadedProtocol
from rankeval.dashboard.markup import code, heading, rule, text

X, Y = pane_markup.Side("X", "Y", "", {}), pane_markup.Side("Y", "X", "", {})
"""Two columns whose owners are not told."""


def round_name(name: str) -> str:
    """Give the name of a round."""
    return f'<span class="rk-name">{text(name)}</span>'


def welcome(queries: int, *, blind: bool) -> str:
    """Say what an annotator is asked for."""
    asked = n_(
        "You will see {count} query at most, one at a time, each with two columns of documents.",
        "You will see up to {count} queries, one at a time, each with two columns of documents.",
        queries,
    )
    how = (
        _("Which system returned which column is drawn anew each time, and told after your verdict.")
        if blind
        else _("X is the baseline and Y the candidate.")
    )
    kept = _("Every verdict is kept as you give it; you can go back and change it, and what you said before stays.")
    return f'<div class="rk"><p>{text(asked)} {text(how)}</p><p class="quiet">{text(kept)}</p></div>'


def gone() -> str:
    """Say that a round's runs are no longer here."""
    said = _("The runs of this round are no longer loaded here. Whoever made the round can load them again.")
    return f'<div class="rk"><span class="rk-flag">{text(said)}</span></div>'


def progress(name: str, mine: OwnProgress) -> str:
    """Say how far an annotator has come."""
    said = n_(
        "{name}: {count} query, {done} done",
        "{name}: {count} queries, {done} done",
        mine.queries,
        name=text(name),
        done=mine.done,
    )
    return f'<div class="rk">{said}</div>'


def finished(done: int) -> str:
    """Say that there is nothing left."""
    said = n_(
        "Nothing is left for you: {count} verdict saved. Thank you.",
        "Nothing is left for you: {count} verdicts saved. Thank you.",
        done,
    )
    return f'<div class="rk rk-verdict">{text(said)}</div>'


def saved(answer: Answer, names: Mapping[str, str], *, blind: bool) -> str:
    """Say what was saved of a query and, now that it is, whose the columns were."""
    if answer.verdict is None:
        said = _("Taken back: query {query}.").format(query=text(answer.query))
        return f'<div class="rk quiet">↶ {said}</div>'
    said = _("Saved: query {query}, {verdict}.").format(query=text(answer.query), verdict=_(VERDICTS[answer.verdict]))
    whose = _("X was {x}, Y was {y}.").format(x=text(names[answer.shown.x]), y=text(names[answer.shown.y]))
    return f'<div class="rk">✔ {said}{f" {whose}" if blind else ""}</div>'


def card(entry: LoadedProtocol, query: str, columns: tuple[Sequence[str], Sequence[str]]) -> str:
    """Give the need in full and both columns down to k, with nothing that tells whose they are."""
    protocol = entry.protocol
    gloss = pane.gloss_of(entry)
    sides = side_by_side(protocol, query, *columns, protocol.k)
    # Whether a column is missing or empty tells which system crashed, so either is only said to have nothing.
    documents = pane_markup.rankings(None, sides, (X, Y), protocol, gloss["corpus"])
    return pane_markup.need(query, need_of(protocol, query), gloss["queries"].get(query), []) + documents


def refused(error: ContractError, *, typed: bool = True) -> str:
    """Say why something was not done, and, where somebody may have typed something, that it is not lost."""
    details = "".join(f"<div>{text(fault.detail)}</div>" for fault in error.faults)
    said = _("What you typed is still on this page.")
    kept = f'<div class="quiet">{text(said)}</div>' if typed else ""
    return f'<div class="rk rk-asks" role="alert">{rule(error)}{details}{kept}</div>'


def asked(said: str) -> str:
    """Say what is still wanted."""
    return f'<div class="rk rk-asks" role="alert">{text(said)}</div>'


def round_progress(found: RoundProgress) -> str:
    """Say how far a round has come."""
    said = _("{complete} of {queries} queries are complete; {answers} of {needed} verdicts.").format(
        complete=found.complete, queries=found.queries, answers=found.answers, needed=found.needed
    )
    return f'{heading(_("Progress"))}<div class="rk">{text(said)}</div>'


def agreement(found: Agreement) -> str:
    """Say how far annotators agree: the share that does first, then what chance makes of it."""
    pairs = found.pairs
    if pairs.observed is None:
        said = _("No query has verdicts of two annotators yet, so agreement is undefined.")
        return f'{heading(_("Agreement"))}<div class="rk quiet">{text(said)}</div>'
    share = _("{agreeing} of {pairs} pairs of verdicts on one query agree: {share}.").format(
        agreeing=pairs.agreeing, pairs=pairs.pairs, share=f"{decimal(pairs.observed)} = {pairs.observed}"
    )
    value = _("undefined") if found.value is None else f"{decimal(found.value)} = {found.value}"
    against = _("{coefficient}, which sets that against chance: {value}.").format(
        coefficient=_(found.coefficient), value=value
    )
    return (
        f'{heading(_("Agreement"))}<div class="rk"><b>{text(share)}</b><div class="quiet">{text(against)}</div></div>'
    )


def disagreements(
    protocol: Protocol, differ: Sequence[QueryVerdicts], decided: Mapping[str, Adjudication | None]
) -> str:
    """Show what annotators said of the queries on which they differ, side by side, and what was decided."""
    title = heading(_("Disagreements"))
    if not differ:
        return f'{title}<div class="rk quiet">{text(_("Nobody disagrees."))}</div>'
    shown = [_disagreement(row, need_of(protocol, row.query), decided[row.query]) for row in differ]
    return f'{title}<div class="rk">{"".join(shown)}</div>'


def _disagreement(row: QueryVerdicts, need: str, decision: Adjudication | None) -> str:
    said = "".join(
        f"<div><b>{text(answer.annotator)}</b><div>{text(_(FINDINGS[answer.finding]))}</div>"
        f'<div class="quiet">{text(reason_word(answer))}</div>'
        f'<div class="rk-text" dir="auto">{text(answer.note)}</div></div>'
        for answer in row.answers
        if answer.finding is not None
    )
    settled = _("not decided")
    if decision is not None and decision.finding is not None:
        settled = _("decided by {who}: {finding}, because {reason}").format(
            who=decision.adjudicator, finding=_(FINDINGS[decision.finding]), reason=decision.reason
        )
    named = _("query {query}").format(query=text(row.query))
    return (
        f'<div class="rk-null"><div class="quiet">{named}</div><div dir="auto">{text(need)}</div>'
        f'<div class="rk-said">{said}</div><div class="rk-settled">{text(settled)}</div></div>'
    )


def proposed(standing: LoadedProtocol, proposal: LoadedProtocol) -> str:
    """Say that there are two protocols now, whose figures are never mixed."""
    said = _(
        "{proposed} is a protocol of its own, made from {standing}, which stays as it is with all its reports."
        " What each run scores on either stands below; figures of two protocols have no difference."
    )
    return (
        '<div class="rk">' + said.format(proposed=code(proposal.key[:12]), standing=code(standing.key[:12])) + "</div>"
    )


def reason_word(answer: Answer) -> str:
    """Name a reason; nothing where none was given."""
    return _(REASONS[answer.reason]) if answer.reason else ""


def section(title: str) -> str:
    """Give the heading of a part."""
    return heading(title)
