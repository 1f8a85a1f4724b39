from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.core.review import (
    FINDINGS,
    GUIDELINES,
    MARKS,
    OPEN_SIDES,
    REASONS,
    SELECTABLE,
    VERDICTS,
    Answer,
    Finding,
    Mark,
    Reason,
    ReviewError,
    Side,
    Sides,
    Verdict,
    finding,
    select_queries,
    sides,
)

Rankings = dict[str, list[str]]

A_FIRST, B_FIRST = Sides(x=Side.A), Sides(x=Side.B)

FIVE_SIGMA = 112
"""Of 2,000 fair draws: 5 times sqrt(2000) / 2."""


class TestWords:
    def test_verdicts_in_the_order_of_their_keys(self) -> None:
        assert [(each.key, str(each)) for each in Verdict] == [
            ("1", "x_better"),
            ("2", "equal"),
            ("3", "y_better"),
            ("4", "judgment_wrong"),
            ("5", "query_unclear"),
            ("6", "cannot_tell"),
        ]

    @pytest.mark.parametrize(
        ("kind", "words"), [(Verdict, VERDICTS), (Finding, FINDINGS), (Reason, REASONS), (Mark, MARKS)]
    )
    def test_everything_has_words_of_its_own_in_its_order(self, kind: type[Any], words: dict[Any, str]) -> None:
        assert list(words) == list(kind)
        assert len(set(words.values())) == len(words)
        assert all(words.values())

    def test_reasons_are_few(self) -> None:
        assert len(REASONS) <= 9

    def test_the_guidelines_say_the_criterion(self) -> None:
        assert "directly supports what the need asks for, or clearly supports one part of it" in GUIDELINES


class TestSides:
    def test_y_is_the_other(self) -> None:
        assert (A_FIRST.y, B_FIRST.y) == (Side.B, Side.A)

    def test_columns(self) -> None:
        assert A_FIRST.columns("old", "new") == ("old", "new")
        assert B_FIRST.columns("old", "new") == ("new", "old")

    def test_open_ones_stand_as_in_the_comparison(self) -> None:
        assert OPEN_SIDES == A_FIRST

    @pytest.mark.parametrize(
        ("drawn", "x"),
        [
            (("seed", "Ann", "q1"), Side.B),
            (("seed", "Bo", "q1"), Side.A),
            (("seed", "Ann", "q2"), Side.A),
            (("other", "Ann", "q1"), Side.B),
            (("种", "é", 'a"b'), Side.A),
        ],
    )
    def test_are_drawn_by_sha256(self, drawn: tuple[str, str, str], x: Side) -> None:
        """By sha256sum: an odd first byte puts B first."""
        assert sides(*drawn) == Sides(x=x)

    def test_a_name_of_half_a_character_is_a_name(self) -> None:
        assert sides("seed", "\ud800", "q1") == sides("seed", "\ud800", "q1")

    @pytest.mark.parametrize("annotator", ["Ann", "Bo", "annotator 17"])
    def test_are_balanced_over_queries(self, annotator: str) -> None:
        b_first = sum(sides("a seed", annotator, f"q{i}") == B_FIRST for i in range(2_000))

        assert abs(b_first - 1_000) < FIVE_SIGMA

    @pytest.mark.parametrize(
        "other",
        [
            lambda i: sides("a seed", "Bo", f"q{i}"),
            lambda i: sides("another seed", "Ann", f"q{i}"),
            lambda i: sides("a seed", "Ann", f"q{i + 1}"),
        ],
    )
    def test_are_independent_of_other_draws(self, other: Callable[[int], Sides]) -> None:
        alike = sum(sides("a seed", "Ann", f"q{i}") == other(i) for i in range(2_000))

        assert abs(alike - 1_000) < FIVE_SIGMA


class TestFinding:
    @pytest.mark.parametrize(
        ("verdict", "of_a_first", "of_b_first"),
        [
            ("x_better", "baseline_better", "candidate_better"),
            ("equal", "equal", "equal"),
            ("y_better", "candidate_better", "baseline_better"),
            ("judgment_wrong", "judgment_wrong", "judgment_wrong"),
            ("query_unclear", "query_unclear", "query_unclear"),
            ("cannot_tell", "cannot_tell", "cannot_tell"),
        ],
    )
    def test_of_every_verdict(self, verdict: str, of_a_first: str, of_b_first: str) -> None:
        assert finding(Verdict(verdict), A_FIRST) is Finding(of_a_first)
        assert finding(Verdict(verdict), B_FIRST) is Finding(of_b_first)

    def test_of_an_answer(self) -> None:
        assert Answer("Ann", "q1", 1, Verdict.X_BETTER, B_FIRST).finding is Finding.CANDIDATE_BETTER

    def test_of_an_answer_taken_back(self) -> None:
        assert Answer("Ann", "q1", 2, None, B_FIRST).finding is None

    @given(st.sampled_from(Verdict), st.sampled_from([A_FIRST, B_FIRST]))
    def test_does_not_depend_on_who_stood_where(self, verdict: Verdict, shown: Sides) -> None:
        """Turn the columns and the verdict, and the finding stays."""
        turned = {Verdict.X_BETTER: Verdict.Y_BETTER, Verdict.Y_BETTER: Verdict.X_BETTER}.get(verdict, verdict)

        assert finding(turned, Sides(x=shown.y)) is finding(verdict, shown)


class TestSelectQueries:
    @pytest.mark.parametrize(
        ("chosen", "queries"),
        [
            (["worse"], ("q2",)),
            (["regression"], ("q2",)),
            (["regression", "worse"], ("q2",)),
            (["null", "entered", "worse"], ("q2", "q4", "q5")),
            (["better", "entered"], ("q3", "q4")),
            (["left", "same", "neither"], ()),
            ([], ()),
        ],
    )
    def test_of_the_published_example(
        self, comparison: rankeval.Comparison, chosen: list[str], queries: tuple[str, ...]
    ) -> None:
        """From fixture_A to fixture_B q2 is worse, q3 better, q4 entered, and q5 null."""
        assert select_queries(comparison, chosen) == queries

    def test_the_worst_stands_first_whatever_the_protocols_order(self, protocol: rankeval.Protocol) -> None:
        """q2's RR falls by 1/2, and q3's by 1."""
        a = protocol.score({"q2": ["d3"], "q3": ["d5"]})
        b = protocol.score({"q2": ["d1", "d3"], "q3": ["d1"]})

        assert select_queries(rankeval.compare(a, b), ["regression"]) == ("q3", "q2")

    def test_a_regression_need_not_be_called_worse(self, protocol: rankeval.Protocol) -> None:
        a, b = protocol.score({"q2": ["d3", "d4"]}), protocol.score({"q2": ["d3", "d1"]})

        assert select_queries(rankeval.compare(a, b), ["regression"]) == ("q2",)
        assert select_queries(rankeval.compare(a, b), ["worse"]) == ()
        assert select_queries(rankeval.compare(a, b), ["same"]) == ("q2",)

    def test_anything_else_is_refused(self, comparison: rankeval.Comparison) -> None:
        with pytest.raises(ReviewError) as refusal:
            select_queries(comparison, ["worse", "regressions", "missing_a"])

        assert refusal.value.rule == "a review round takes queries by status, or by regression"
        assert refusal.value.faults[0].detail == (
            "'regressions', 'missing_a'; there are better, worse, same, entered, left, neither, null, regression"
        )

    def test_all_that_can_be_chosen(self, comparison: rankeval.Comparison) -> None:
        assert select_queries(comparison, SELECTABLE) == ("q2", "q3", "q4", "q5")
