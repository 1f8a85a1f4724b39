"""From judgments that people dispute to another protocol; the one that they dispute stays as it is, and its reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankeval.core.collection import is_utf8
from rankeval.core.contract import ContractError, Fault, Faults, Rule, is_id, shown_id
from rankeval.core.near_miss import NearMisses
from rankeval.core.protocol import Protocol
from rankeval.core.provenance import LabelChange, Proposal, Provenance
from rankeval.core.run import Run
from rankeval.core.scoring import Report


class ProposalError(ContractError):
    """Changes of judgments that do not make a proposal for their protocol."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """One run on two protocols, side by side: figures of two protocols have no difference.

    Attributes:
        standing: the report on the protocol that stands.
        proposed: the report on the one that is proposed.

    """

    standing: Report
    proposed: Report

    def as_dict(self) -> dict[str, dict[str, Any]]:
        """Give each report under the full fingerprint of its protocol."""
        return {report.protocol_sha256: report.as_dict() for report in (self.standing, self.proposed)}


def propose(protocol: Protocol, changes: Iterable[LabelChange]) -> Protocol:
    """Make the protocol that has some judgments changed, with fingerprints of its own.

    Its provenance says from which protocol it came, and who changed which pairs and why; the declarations, statements
    and notes of that one are kept.  A pair that nobody had judged is judged now.  Documents are shared, not copied.

    Args:
        protocol: the one that stands.
        changes: for each pair the label that it is to have.

    Raises:
        ProposalError: there is no change, one is of a pair that the protocol has not, its label is not 0 or 1 or stands
            already, a pair is there twice, or somebody or a reason is missing.

    """
    kept = tuple(changes)
    _refuse_faults(protocol, kept)
    relevant = {change.query: set(protocol.relevant[change.query]) for change in kept}
    for change in kept:
        (relevant[change.query].add if change.label else relevant[change.query].remove)(change.document)
    return protocol.with_relevant(relevant, _provenance(protocol, kept))


def what_if(protocol: Protocol, proposed: Protocol, run: Run | Mapping[str, list[str]]) -> WhatIf:
    """Score a run on a protocol and on one that is proposed from it.

    Args:
        protocol: the one that stands.
        proposed: made from it by `propose`, also in several steps; split and k are the same.
        run: the run.

    Raises:
        ProposalError: the second protocol was not made from the first.
        RunError: the run breaks a rule, on either as on both.

    """
    parents = {each.parent_compact_sha256 for each in proposed.provenance.proposals}
    alike = (protocol.split, protocol.k) == (proposed.split, proposed.k)
    if not alike or protocol.compact_sha256 not in parents:
        detail = f"{proposed.compact_sha256[:12]} was not made from {protocol.compact_sha256[:12]} (compact)"
        raise ProposalError([Fault(Rule.OTHER_PARENT, detail=detail)])
    return WhatIf(protocol.score(run), proposed.score(run))


def _provenance(protocol: Protocol, changes: tuple[LabelChange, ...]) -> Provenance:
    """Say where a proposal comes from, and keep the count of what was judged true."""
    known = protocol.provenance
    proposal = Proposal(protocol.protocol_sha256, protocol.compact_sha256, changes)
    judged, zeros = known.judged_pairs, known.judged_zero
    if zeros is not None:
        of_query = {change.query: set(zeros.get(change.query, ())) for change in changes}
        for change in changes:
            own = of_query[change.query]
            if not change.label:
                own.add(change.document)
            elif change.document in own:
                own.remove(change.document)
            elif judged is not None:
                judged += 1
        zeros = {**zeros, **{query: frozenset(own) for query, own in of_query.items()}}
    return replace(known, judged_pairs=judged, judged_zero=zeros, proposals=(*known.proposals, proposal))


def _refuse_faults(protocol: Protocol, changes: Sequence[LabelChange]) -> None:
    if not changes:
        raise ProposalError([Fault(Rule.PROPOSED_NOTHING)])
    faults = Faults()
    _check_labels(faults, changes)
    known = _check_pairs(faults, protocol, changes)
    _check_repeated(faults, known)
    _check_as_is(faults, protocol, known)
    _check_reasons(faults, changes)
    faults.refuse(ProposalError)


def _check_labels(faults: Faults, changes: Sequence[LabelChange]) -> None:
    for change in changes:
        if not _is_label(change.label):
            faults.add(_fault(Rule.LABELS, change, f"the label is {change.label!r}"))


def _check_pairs(faults: Faults, protocol: Protocol, changes: Sequence[LabelChange]) -> list[LabelChange]:
    """Collect changes of pairs that the protocol has not, and give the others."""
    known: list[LabelChange] = []
    near_queries, near_documents = NearMisses(protocol.queries), NearMisses(protocol.corpus)
    for change in changes:
        why = (
            *_absence("query", change.query, protocol.queries, near_queries),
            *_absence("document", change.document, protocol.corpus, near_documents),
        )
        if why:
            faults.add(_fault(Rule.PROPOSED_PAIR, change, "; ".join(why)))
        else:
            known.append(change)
    return known


def _absence(what: str, identifier: object, known: Mapping[str, object], near: NearMisses) -> tuple[str, ...]:
    """Say of an ID that is not known so, and which one it is perhaps meant to be; nothing where it is."""
    if is_id(identifier) and identifier in known:
        return ()
    return tuple(filter(None, (f"no such {what}", near.hint(identifier))))


def _check_repeated(faults: Faults, changes: Sequence[LabelChange]) -> None:
    first: dict[tuple[str, str], LabelChange] = {}
    repeated = [
        (change, earlier)
        for change in changes
        if (earlier := first.setdefault((change.query, change.document), change)) is not change
    ]
    for rule, both in ((Rule.PROPOSED_TWICE, False), (Rule.PROPOSED_BOTH, True)):
        for change, earlier in repeated:
            if (change.label != earlier.label) is both:
                faults.add(_fault(rule, change, f"first {_by(earlier)}"))


def _check_as_is(faults: Faults, protocol: Protocol, changes: Sequence[LabelChange]) -> None:
    for change in changes:
        standing = int(change.document in protocol.relevant[change.query])
        if _is_label(change.label) and change.label == standing:
            faults.add(_fault(Rule.PROPOSED_AS_IS, change, f"the label is {standing} already"))


def _check_reasons(faults: Faults, changes: Sequence[LabelChange]) -> None:
    for change in changes:
        for what, text in (("who", change.who), ("why", change.why)):
            if lack := _lack(text):
                faults.add(_fault(Rule.PROPOSED_WHY, change, f"{what} {lack}"))


def _lack(text: object) -> str:
    """Say why a name or a reason is none; nothing where it is one."""
    if not isinstance(text, str):
        return f"is {text!r}, which is no text"
    if not text.strip():
        return "is empty"
    return "" if is_utf8(text) else "holds half a character"


def _is_label(label: object) -> bool:
    return type(label) is int and label in {0, 1}


def _by(change: LabelChange) -> str:
    place = change.place
    if place is None:
        return f"by {change.who!r}"
    return f"on row {place.row}" if place.line is None else f"on line {place.line}"


def _fault(rule: Rule, change: LabelChange, detail: str) -> Fault:
    fault = Fault(rule, shown_id(change.query), shown_id(change.document), detail=detail)
    place = change.place
    return fault if place is None else replace(fault, file=place.file, line=place.line, row=place.row)
