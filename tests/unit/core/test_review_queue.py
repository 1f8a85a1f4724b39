from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.core.review_queue import (
    AnnotatorProgress,
    Assignment,
    OwnProgress,
    RoundProgress,
    State,
    next_query,
    own_progress,
    round_progress,
)

QUERIES = ("worst", "middle", "best")

STATES = {"o": State.OPEN, "a": State.ANSWERED, "s": State.SKIPPED}


def assigned(text: str) -> list[Assignment]:
    """Assignments from `annotator:query:state` with a letter for the state, in their order."""
    parts = [each.split(":") for each in text.split()]
    return [Assignment(annotator, query, STATES[letter]) for annotator, query, letter in parts]


class TestNextQuery:
    def test_the_worst_to_begin_with(self) -> None:
        assert next_query(QUERIES, [], "Ann", 1) == "worst"

    @pytest.mark.parametrize("state", ["o", "a"])
    def test_what_another_has_is_not_handed_out_beyond_the_need(self, state: str) -> None:
        assert next_query(QUERIES, assigned(f"Bo:worst:{state}"), "Ann", 1) == "middle"

    def test_the_least_covered_goes_before_the_worst(self) -> None:
        assert next_query(QUERIES, assigned("Bo:worst:o"), "Ann", 2) == "middle"
        assert next_query(QUERIES, assigned("Bo:worst:o Bo:middle:a"), "Ann", 2) == "best"
        assert next_query(QUERIES, assigned("Bo:worst:a Bo:middle:a Bo:best:a"), "Ann", 2) == "worst"
        assert next_query(QUERIES, assigned("Bo:worst:a Cy:worst:a Bo:middle:a Bo:best:a"), "Ann", 3) == "middle"

    def test_what_another_skipped_is_uncovered(self) -> None:
        assert next_query(QUERIES, assigned("Bo:worst:s"), "Ann", 1) == "worst"

    def test_what_they_answered_does_not_come_again(self) -> None:
        assert next_query(QUERIES, assigned("Ann:worst:a"), "Ann", 2) == "middle"

    def test_what_they_have_open_comes_again(self) -> None:
        """So that a page that is loaded again shows the same query."""
        assert next_query(QUERIES, assigned("Ann:best:o"), "Ann", 1) == "best"

    def test_what_they_have_open_is_not_kept_for_them_when_others_have_done_it(self) -> None:
        assert next_query(QUERIES, assigned("Ann:best:o Bo:best:a"), "Ann", 1) == "worst"

    def test_of_two_open_ones_the_worst(self) -> None:
        assert next_query(QUERIES, assigned("Ann:best:o Ann:middle:o"), "Ann", 1) == "middle"

    def test_what_they_skipped_comes_after_all_others(self) -> None:
        assert next_query(QUERIES, assigned("Ann:worst:s"), "Ann", 1) == "middle"
        assert next_query(QUERIES, assigned("Ann:worst:s Bo:middle:a Bo:best:a"), "Ann", 1) == "worst"

    def test_of_those_they_skipped_the_one_skipped_longest_ago(self) -> None:
        """And not the worst, which would come up again and again."""
        skipped = "Ann:middle:s Ann:worst:s Ann:best:s"

        assert next_query(QUERIES, assigned(skipped), "Ann", 1) == "middle"
        assert next_query(QUERIES, assigned(f"{skipped} Ann:middle:o Ann:middle:s"), "Ann", 1) == "worst"

    def test_what_they_skipped_and_others_did_is_done(self) -> None:
        assert next_query(QUERIES, assigned("Ann:worst:s Bo:worst:a Bo:middle:a Bo:best:o"), "Ann", 1) is None

    def test_an_answer_taken_back_is_open_once_more(self) -> None:
        assert next_query(QUERIES, assigned("Ann:worst:a Ann:worst:o"), "Ann", 1) == "worst"

    def test_none_is_left(self) -> None:
        assert next_query(QUERIES, assigned("Ann:worst:a Ann:middle:a Ann:best:a"), "Ann", 2) is None
        assert next_query((), [], "Ann", 1) is None

    @given(
        st.integers(1, 4),
        st.integers(1, 6),
        st.integers(1, 3),
        st.lists(st.tuples(st.integers(0, 3), st.sampled_from("asl")), max_size=60),
    )
    def test_no_query_is_handed_to_more_than_it_needs_nor_twice(
        self, annotators: int, queries: int, needed: int, visits: list[tuple[int, str]]
    ) -> None:
        """Whatever annotators do with what they are handed: answer it, skip it, or leave it open."""
        of_round = [f"q{i}" for i in range(queries)]
        assignments: list[Assignment] = []
        for visitor, deed in visits:
            annotator = f"annotator {visitor % annotators}"
            query = next_query(of_round, assignments, annotator, needed)
            if query is None:
                continue
            answered = {(each.annotator, each.query) for each in assignments if each.state is State.ANSWERED}
            assert (annotator, query) not in answered
            assignments.append(Assignment(annotator, query, State.OPEN))
            if deed != "l":
                assignments.append(Assignment(annotator, query, STATES[deed]))
            current = {(each.annotator, each.query): each.state for each in assignments}
            held = Counter(query for (_, query), state in current.items() if state is not State.SKIPPED)
            assert max(held.values(), default=0) <= needed

    @given(st.integers(1, 4), st.integers(1, 6), st.integers(1, 4))
    def test_a_round_is_completed_by_as_many_annotators_as_it_needs(
        self, annotators: int, queries: int, needed: int
    ) -> None:
        of_round = [f"q{i}" for i in range(queries)]
        assignments: list[Assignment] = []
        for annotator in map(str, range(annotators)):
            while (query := next_query(of_round, assignments, annotator, needed)) is not None:
                assignments.append(Assignment(annotator, query, State.ANSWERED))
        found = round_progress(of_round, assignments, needed)

        assert found.complete == (queries if annotators >= needed else 0)
        assert found.answers == queries * min(annotators, needed)


class TestOwnProgress:
    def test_to_begin_with(self) -> None:
        assert own_progress(QUERIES, [], "Ann", 1) == OwnProgress(done=0, left=3)

    def test_skipped_and_open_ones_are_left_and_what_others_did_is_not(self) -> None:
        found = own_progress(QUERIES, assigned("Ann:worst:a Ann:middle:s Ann:best:o"), "Ann", 1)

        assert (found.done, found.left, found.queries) == (1, 2, 3)
        assert own_progress(QUERIES, assigned("Ann:worst:a Bo:middle:a"), "Ann", 1) == OwnProgress(done=1, left=1)

    def test_others_may_have_it_too_where_a_query_needs_several(self) -> None:
        found = own_progress(QUERIES, assigned("Ann:worst:a Bo:worst:a Bo:middle:a"), "Ann", 2)

        assert found == OwnProgress(done=1, left=2)


class TestRoundProgress:
    def test_of_an_untouched_round(self) -> None:
        assert round_progress(QUERIES, [], 2) == RoundProgress(3, 0, 0, 6, ())

    def test_counts_what_became_of_each_query_last(self) -> None:
        assignments = "Bo:worst:o Ann:worst:o Ann:worst:a Ann:middle:s Bo:worst:a Ann:best:a Bo:best:s Bo:middle:o"
        found = round_progress(QUERIES, assigned(assignments), 2)

        assert found == RoundProgress(
            queries=3,
            complete=1,
            answers=3,
            needed=6,
            annotators=(
                AnnotatorProgress("Bo", answered=1, open=1, skipped=1),
                AnnotatorProgress("Ann", answered=2, open=0, skipped=1),
            ),
        )

    def test_more_answers_than_needed_complete_a_query_too(self) -> None:
        """As when somebody's abandoned query was handed on, and they answered it after all."""
        assert round_progress(QUERIES, assigned("Ann:worst:a Bo:worst:a"), 1).complete == 1
