"""Tables of the Review page as pandas frames."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pandas as pd

from rankeval.core.about import need_of
from rankeval.core.agreement import LabelPairs
from rankeval.core.proposal import WhatIf
from rankeval.core.protocol import Protocol
from rankeval.core.review import FINDINGS, REASONS, Answer, Finding, Mark
from rankeval.core.review_queue import AnnotatorProgress, RoundProgress
from rankeval.core.review_tables import Cause, Dispute, Outcome, QueryVerdicts
from rankeval.core.scoring import denominator
from rankeval.core.words import decimal
from rankeval.dashboard.language import _, catalogue
from rankeval.workspace import Round


def rounds_frame(rounds: Sequence[Round], progress: Sequence[RoundProgress]) -> pd.DataFrame:
    """Give the rounds of a protocol with how far they are."""
    return pd.DataFrame(
        {
            "name": [each.name for each in rounds],
            "a": [each.baseline.name for each in rounds],
            "b": [each.candidate.name for each in rounds],
            "queries": [found.queries for found in progress],
            "complete": [found.complete for found in progress],
            "answers": [found.answers for found in progress],
            "needed": [found.needed for found in progress],
            "blind": [_("yes") if each.blind else _("no") for each in rounds],
            "made": [f"{each.created_at:%Y-%m-%d}" for each in rounds],
        }
    )


def annotators_frame(annotators: Sequence[AnnotatorProgress]) -> pd.DataFrame:
    """Give how far each annotator has come."""
    return pd.DataFrame(
        {
            "annotator": [each.annotator for each in annotators],
            "answered": [each.answered for each in annotators],
            "open": [each.open for each in annotators],
            "skipped": [each.skipped for each in annotators],
        }
    )


def pairs_frame(pairs: LabelPairs) -> pd.DataFrame:
    """Give how often two annotators of one query said what, those that agree first."""
    found = sorted(pairs.counts.items(), key=lambda each: (each[0][0] != each[0][1], -each[1]))
    return pd.DataFrame(
        {
            "first": [finding_word(Finding(first)) for (first, second), count in found],
            "second": [finding_word(Finding(second)) for (first, second), count in found],
            "pairs": [count for labels, count in found],
        }
    )


def verdicts_frame(protocol: Protocol, table: Sequence[QueryVerdicts], settled: Sequence[Outcome]) -> pd.DataFrame:
    """Give every verdict that counts, a row each, in the round's order."""
    outcome = {each.query: each for each in settled}
    rows = [(row.query, answer) for row in table for answer in row.answers]
    return pd.DataFrame(
        {
            "query": [query for query, answer in rows],
            "outcome": [outcome_word(outcome[query]) for query, answer in rows],
            "annotator": [answer.annotator for query, answer in rows],
            "finding": [finding_word(answer.finding) for query, answer in rows],
            "reason": [_(REASONS[answer.reason]) if answer.reason else None for query, answer in rows],
            "note": [answer.note or None for query, answer in rows],
            "relevant": [_marked(answer, Mark.RELEVANT) for query, answer in rows],
            "not_relevant": [_marked(answer, Mark.NOT_RELEVANT) for query, answer in rows],
            "need": [need_of(protocol, query) for query, answer in rows],
        }
    )


def causes_frame(found: Sequence[Cause]) -> pd.DataFrame:
    """Give what was found and why, on most queries first."""
    return pd.DataFrame(
        {
            "finding": [finding_word(each.finding) for each in found],
            "reason": [_(REASONS[each.reason]) if each.reason else None for each in found],
            "answers": [each.answers for each in found],
            "on": [", ".join(each.queries) for each in found],
        }
    )


def disputes_frame(disputes: Sequence[Dispute]) -> pd.DataFrame:
    """Give the judgments that somebody would have otherwise."""
    return pd.DataFrame(
        {
            "query": [each.query for each in disputes],
            "document": [each.document for each in disputes],
            "label": [each.label for each in disputes],
            "relevant": [", ".join(each.relevant) for each in disputes],
            "not_relevant": [", ".join(each.not_relevant) for each in disputes],
        }
    )


def what_if_frame(both: Sequence[tuple[str, WhatIf]]) -> pd.DataFrame:
    """Give each run on the protocol that stands and on the one that is proposed, a row each."""
    rows = [(name, report) for name, found in both for report in (found.standing, found.proposed)]
    return pd.DataFrame(
        {
            "run": [name for name, report in rows],
            "protocol": [report.protocol_sha256[:12] for name, report in rows],
            "recall": [_both(report.recall_at_k) for name, report in rows],
            "mrr": [_both(report.mrr_at_k) for name, report in rows],
            "denominator": [denominator(report).sentence(catalogue()) for name, report in rows],
        }
    )


def finding_word(finding: Finding | None) -> str | None:
    """Name what was found; None for what was not."""
    return None if finding is None else _(FINDINGS[finding])


def outcome_word(outcome: Outcome) -> str:
    """Say what a query came to, and whether that was decided."""
    if outcome.finding is None:
        return _("they differ")
    found = _(FINDINGS[outcome.finding])
    return _("{finding} (decided)").format(finding=found) if outcome.adjudication else found


def _marked(answer: Answer, mark: Mark) -> str | None:
    return ", ".join(document for document, said in answer.marks.items() if said is mark) or None


def _both(value: Fraction | None) -> str:
    return "null" if value is None else f"{decimal(value)} = {value}"
