from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rankeval
from rankeval.core.agreement import agreement
from rankeval.core.review import Answer, Finding, Mark, Reason, Side, Sides, Verdict
from rankeval.core.review_tables import (
    Adjudication,
    Cause,
    Dispute,
    Outcome,
    QueryVerdicts,
    causes,
    disagreements,
    disputed_judgments,
    final_answers,
    finding_counts,
    outcomes,
    ratings_of,
    verdict_table,
)

A_FIRST, B_FIRST = Sides(x=Side.A), Sides(x=Side.B)


def said(annotator: str, query: str, verdict: str | None, revision: int = 1, **more: Any) -> Answer:
    """An answer to columns of which the first was A's."""
    return Answer(annotator, query, revision, None if verdict is None else Verdict(verdict), A_FIRST, **more)


ROUND = ("q1", "q2", "q3", "q4")

ANSWERS = (
    said("Bo", "q1", "x_better", reason=Reason.WRONG_TOPIC),
    # Bo's Y was A: both found the baseline better.
    Answer("Ann", "q1", 1, Verdict.Y_BETTER, B_FIRST, Reason.OUTDATED),
    said("Ann", "q2", "equal"),
    said("Bo", "q2", "y_better"),
    said("Ann", "q3", "x_better", reason=Reason.WRONG_TOPIC),
    said("Bo", "q3", "cannot_tell", revision=1),
    said("Bo", "q3", None, revision=2),
)


@pytest.fixture
def table() -> tuple[QueryVerdicts, ...]:
    return verdict_table(ROUND, ANSWERS)


class TestFinalAnswers:
    def test_the_last_revision_counts_wherever_it_stands(self) -> None:
        first, second, third = (said("Ann", "q1", verdict, i) for i, verdict in enumerate(("equal", None, "x_better")))

        assert final_answers([second, third, first]) == (third,)
        assert final_answers([third, first, second]) == (third,)

    def test_what_was_taken_back_is_no_answer(self) -> None:
        assert final_answers([said("Ann", "q1", "equal", 1), said("Ann", "q1", None, 2)]) == ()

    def test_revisions_are_of_one_annotator_and_query(self) -> None:
        answers = [said("Bo", "q1", "equal", 1), said("Ann", "q1", "equal", 2), said("Ann", "q0", "equal", 9)]

        assert final_answers(answers) == (answers[2], answers[1], answers[0])


class TestVerdictTable:
    def test_every_query_of_the_round_in_its_order(self) -> None:
        assert [row.query for row in verdict_table(("q3", "q1"), [])] == ["q3", "q1"]

    def test_annotators_by_name(self, table: tuple[QueryVerdicts, ...]) -> None:
        assert [[answer.annotator for answer in row.answers] for row in table] == [["Ann", "Bo"]] * 2 + [["Ann"], []]

    def test_findings_and_not_verdicts_are_compared(self, table: tuple[QueryVerdicts, ...]) -> None:
        assert [row.findings for row in table] == [
            (Finding.BASELINE_BETTER,),
            (Finding.EQUAL, Finding.CANDIDATE_BETTER),
            (Finding.BASELINE_BETTER,),
            (),
        ]
        assert [row.disagree for row in table] == [False, True, False, False]

    def test_disagreements(self, table: tuple[QueryVerdicts, ...]) -> None:
        assert disagreements(table) == (table[1],)

    def test_counts(self, table: tuple[QueryVerdicts, ...]) -> None:
        counts = finding_counts(table)

        assert counts == {
            "baseline_better": 3,
            "equal": 1,
            "candidate_better": 1,
            "judgment_wrong": 0,
            "query_unclear": 0,
            "cannot_tell": 0,
        }
        assert list(counts) == list(Finding)


class TestRatings:
    def test_are_findings(self, table: tuple[QueryVerdicts, ...]) -> None:
        assert ratings_of(table) == {
            "Ann": {"q1": "baseline_better", "q2": "equal", "q3": "baseline_better"},
            "Bo": {"q1": "baseline_better", "q2": "candidate_better"},
        }

    def test_can_be_measured(self, table: tuple[QueryVerdicts, ...]) -> None:
        """Of q1 and q2 they agree on one: p_o = 1/2, p_c = 1/4."""
        found = agreement(ratings_of(table))

        assert (found.shared_items, found.pairs.observed, found.value) == (2, Fraction(1, 2), Fraction(1, 3))


class TestOutcomes:
    def test_what_all_found_or_nothing(self, table: tuple[QueryVerdicts, ...]) -> None:
        assert outcomes(table, []) == (
            Outcome("q1", Finding.BASELINE_BETTER, None),
            Outcome("q2", None, None),
            Outcome("q3", Finding.BASELINE_BETTER, None),
            Outcome("q4", None, None),
        )

    def test_a_decision_goes_before_what_was_found(self, table: tuple[QueryVerdicts, ...]) -> None:
        first = Adjudication("q2", "lead", 1, Finding.EQUAL, "no difference that a reader would feel")
        last = Adjudication("q2", "lead", 2, Finding.CANDIDATE_BETTER, "the newer version is meant")
        against = Adjudication("q1", "lead", 1, Finding.QUERY_UNCLEAR, "two products have that name")
        found = outcomes(table, [last, first, against])

        assert found[0] == Outcome("q1", Finding.QUERY_UNCLEAR, against)
        assert found[1] == Outcome("q2", Finding.CANDIDATE_BETTER, last)

    def test_a_decision_taken_back_is_none(self, table: tuple[QueryVerdicts, ...]) -> None:
        decided = Adjudication("q1", "lead", 1, Finding.EQUAL, "too close")
        taken_back = Adjudication("q1", "lead", 2, None, "")

        assert outcomes(table, [decided, taken_back])[0] == Outcome("q1", Finding.BASELINE_BETTER, None)


class TestCauses:
    def test_most_queries_first_then_the_lists_order(self, table: tuple[QueryVerdicts, ...]) -> None:
        assert causes(table) == (
            Cause(Finding.BASELINE_BETTER, Reason.WRONG_TOPIC, 2, ("q1", "q3")),
            Cause(Finding.BASELINE_BETTER, Reason.OUTDATED, 1, ("q1",)),
            Cause(Finding.EQUAL, None, 1, ("q2",)),
            Cause(Finding.CANDIDATE_BETTER, None, 1, ("q2",)),
        )

    def test_queries_are_counted_once_and_answers_each(self) -> None:
        answers = [said(who, "q1", "equal", reason=Reason.OTHER) for who in ("Ann", "Bo")]
        answers += [said("Ann", query, "equal") for query in ("q1", "q2")]
        once = [said("Cy", "q1", "cannot_tell"), said("Cy", "q2", "cannot_tell")]

        assert causes(verdict_table(("q2", "q1"), [answers[0], answers[1], answers[3], *once])) == (
            Cause(Finding.CANNOT_TELL, None, 2, ("q2", "q1")),
            Cause(Finding.EQUAL, Reason.OTHER, 2, ("q1",)),
            Cause(Finding.EQUAL, None, 1, ("q2",)),
        )

    def test_of_some_queries_alone(self) -> None:
        assert causes(verdict_table(("q3",), ANSWERS)) == (
            Cause(Finding.BASELINE_BETTER, Reason.WRONG_TOPIC, 1, ("q3",)),
        )


class TestDisputedJudgments:
    """Of the published example: d3 and d4 are relevant to q2, d6 to q4, and nothing to q5."""

    def test_who_would_have_it_otherwise_and_who_would_not(self, protocol: rankeval.Protocol) -> None:
        yes, no = Mark.RELEVANT, Mark.NOT_RELEVANT
        answers = [
            said("Bo", "q2", "judgment_wrong", marks={"d3": no, "d1": no, "d2": yes}),
            said("Ann", "q2", "judgment_wrong", marks={"d3": yes, "d2": yes, "d4": yes}),
            said("Ann", "q4", "judgment_wrong", marks={"d6": no}),
            said("Ann", "q5", "judgment_wrong", marks={"d1": yes}),
        ]

        assert disputed_judgments(protocol, verdict_table(("q5", "q2", "q4"), answers)) == (
            Dispute("q5", "d1", 0, ("Ann",), ()),
            Dispute("q2", "d2", 0, ("Ann", "Bo"), ()),
            Dispute("q2", "d3", 1, ("Ann",), ("Bo",)),
            Dispute("q4", "d6", 1, (), ("Ann",)),
        )

    def test_the_change_that_is_asked_for(self) -> None:
        add = Dispute("q2", "d2", 0, ("Ann", "Bo"), ("Cy",))
        take = Dispute("q2", "d3", 1, ("Ann",), ("Bo",))

        assert (add.otherwise, take.otherwise) == (("Ann", "Bo"), ("Bo",))
        assert add.change("both say so") == rankeval.LabelChange("q2", "d2", 1, "Ann, Bo", "both say so")
        assert take.change("Bo is right") == rankeval.LabelChange("q2", "d3", 0, "Bo", "Bo is right")

    def test_disputes_make_a_proposal(self, protocol: rankeval.Protocol) -> None:
        answers = [said("Ann", "q2", "judgment_wrong", marks={"d3": Mark.NOT_RELEVANT, "d1": Mark.RELEVANT})]
        disputes = disputed_judgments(protocol, verdict_table(("q2",), answers))
        proposed = rankeval.propose(protocol, [dispute.change("as Ann says") for dispute in disputes])

        assert proposed.relevant["q2"] == {"d1", "d4"}

    def test_a_mark_that_agrees_is_no_dispute(self, protocol: rankeval.Protocol) -> None:
        answers = [said("Ann", "q2", "equal", marks={"d3": Mark.RELEVANT, "d1": Mark.NOT_RELEVANT})]

        assert disputed_judgments(protocol, verdict_table(("q2",), answers)) == ()

    def test_a_mark_of_an_earlier_revision_counts_no_more(self, protocol: rankeval.Protocol) -> None:
        answers = [
            said("Ann", "q2", "equal", 1, marks={"d3": Mark.NOT_RELEVANT}),
            said("Ann", "q2", "equal", 2),
        ]

        assert disputed_judgments(protocol, verdict_table(("q2",), answers)) == ()
