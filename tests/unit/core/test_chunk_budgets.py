from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rankeval
from rankeval.core.chunk_budgets import (
    BudgetPoint,
    DocumentSlots,
    LostDocuments,
    QuerySlots,
    budget_curve,
    slots,
    two_cuts,
)
from rankeval.core.run import Run

Rankings = dict[str, list[str]]

SIXTH, THIRD, HALF = Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)


class TestBudgetCurve:
    def test_the_published_figures(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        assert budget_curve(protocol, Run(chunk_run), chunk_to_doc) == (
            BudgetPoint(1, SIXTH, THIRD, 2, 2, HALF),
            BudgetPoint(2, SIXTH, THIRD, 4, 2, HALF),
            BudgetPoint(3, Fraction(2, 3), HALF, 6, 4, Fraction(1)),
            BudgetPoint(None, Fraction(2, 3), HALF, 6, 4, Fraction(1)),
        )

    def test_given_budgets_in_their_order_and_past_the_longest(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        points = budget_curve(protocol, Run(chunk_run), chunk_to_doc, [100, 2])

        assert [(each.budget, each.recall_at_k, each.received_chunks) for each in points] == [
            (100, Fraction(2, 3), 6),
            (2, SIXTH, 4),
            (None, Fraction(2, 3), 6),
        ]

    def test_a_ranking_shorter_than_the_budget_gives_what_it_has(
        self, protocol: rankeval.Protocol, chunk_to_doc: dict[str, str]
    ) -> None:
        points = budget_curve(protocol, Run({"q2": ["d3a"], "q3": ["d1a", "d5a"]}), chunk_to_doc, [2])

        assert (points[0].received_chunks, points[0].distinct_documents) == (3, 3)
        assert points[0].documents_per_query == Fraction(3, 4)

    def test_a_document_past_k_is_no_hit_under_any_budget(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        points = budget_curve(protocol.with_split_and_k(k=1), Run(chunk_run), chunk_to_doc, [3])

        assert (points[0].recall_at_k, points[0].mrr_at_k) == (SIXTH, THIRD)

    def test_an_empty_run_has_one_point(self, protocol: rankeval.Protocol, chunk_to_doc: dict[str, str]) -> None:
        nothing = BudgetPoint(None, Fraction(0), Fraction(0), 0, 0, Fraction(0))

        assert budget_curve(protocol, Run({}), chunk_to_doc) == (nothing,)

    def test_where_nothing_is_eligible_the_means_are_null(
        self, parts: dict[str, Any], chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        parts["qrels"] = {query: dict.fromkeys(parts["corpus"], 0) for query in parts["queries"]}
        points = budget_curve(rankeval.Protocol(**parts), Run(chunk_run), chunk_to_doc, [1])

        assert points[0] == BudgetPoint(1, None, None, 2, 2, HALF)

    def test_an_unsound_run_is_refused_past_every_budget(
        self, protocol: rankeval.Protocol, chunk_to_doc: dict[str, str]
    ) -> None:
        with pytest.raises(rankeval.ChunkError, match="duplicate chunk ID"):
            budget_curve(protocol, Run({"q2": ["d3a", "d4a", "d3a"]}), chunk_to_doc, [1])

    @pytest.mark.parametrize("budget", [0, -1, True])
    def test_no_other_budget(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str], budget: int
    ) -> None:
        with pytest.raises(rankeval.ChunkError, match="a chunk budget must be a positive integer"):
            budget_curve(protocol, Run(chunk_run), chunk_to_doc, [1, budget])


class TestTwoCuts:
    def test_the_published_figures(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        found = two_cuts(protocol, Run(chunk_run), chunk_to_doc, 2)

        assert found.budget == 2
        assert (found.collapse_then_cut.recall_at_k, found.collapse_then_cut.mrr_at_k) == (Fraction(2, 3), HALF)
        assert (found.cut_then_collapse.recall_at_k, found.cut_then_collapse.mrr_at_k) == (SIXTH, THIRD)
        assert (found.comparison.recall_delta, found.comparison.mrr_delta) == (-HALF, -SIXTH)
        assert found.collapse_then_cut.missing_queries == ("q4",)

    def test_what_the_budget_lost(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        assert two_cuts(protocol, Run(chunk_run), chunk_to_doc, 2).lost == (
            LostDocuments("q2", 1, ("d4",), ("d4",), ("d4",)),
            LostDocuments("q3", 1, ("d5",), ("d5",), ("d5",)),
        )

    def test_lost_is_not_yet_relevant_nor_within_k(
        self, protocol: rankeval.Protocol, chunk_to_doc: dict[str, str]
    ) -> None:
        """Of q2's d3, d1, d4 the budget keeps d3: d1 stood within k and is not relevant, d4 the other way round."""
        (q2,) = two_cuts(protocol, Run({"q2": ["d3a", "d1a", "d4a"]}), chunk_to_doc, 1).lost

        assert q2 == LostDocuments("q2", 1, ("d1", "d4"), ("d4",), ("d1",))
        assert q2.relevant_within_k == ()

    def test_a_lost_hit(self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]) -> None:
        assert two_cuts(protocol, Run(chunk_run), chunk_to_doc, 2).lost[0].relevant_within_k == ("d4",)

    def test_a_budget_that_takes_all_loses_nothing(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        found = two_cuts(protocol, Run(chunk_run), chunk_to_doc, 3)

        assert found.lost == ()
        assert found.cut_then_collapse == found.collapse_then_cut

    def test_queries_in_the_protocols_order(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        turned = Run(dict(reversed(chunk_run.items())))

        assert [each.query for each in two_cuts(protocol, turned, chunk_to_doc, 1).lost] == ["q2", "q3"]

    def test_an_unsound_run_is_refused_past_the_budget(
        self, protocol: rankeval.Protocol, chunk_to_doc: dict[str, str]
    ) -> None:
        with pytest.raises(rankeval.ChunkError, match="unknown or invalid chunk ID"):
            two_cuts(protocol, Run({"q2": ["d3a", "zz"]}), chunk_to_doc, 1)

    def test_no_other_budget(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        with pytest.raises(rankeval.ChunkError, match="a chunk budget must be a positive integer"):
            two_cuts(protocol, Run(chunk_run), chunk_to_doc, 0)


class TestSlots:
    def test_of_the_first_two_chunks(self, chunk_run: Rankings, chunk_to_doc: dict[str, str]) -> None:
        found = slots(Run(chunk_run), chunk_to_doc, 2)

        assert found.budget == 2
        assert found.queries == (
            QuerySlots("q2", 2, (("d3", 2),)),
            QuerySlots("q3", 2, (("d1", 2),)),
            QuerySlots("q5", 0, ()),
        )
        assert found.documents == (DocumentSlots("d3", 2, 1), DocumentSlots("d1", 2, 1))

    def test_most_first(self, chunk_to_doc: dict[str, str]) -> None:
        found = slots(Run({"q2": ["d4a", "d3a", "d3b"], "q3": ["d4a", "d5a"], "q4": ["d4a"]}), chunk_to_doc)

        assert found.queries[0] == QuerySlots("q2", 3, (("d3", 2), ("d4", 1)))
        assert found.documents == (DocumentSlots("d4", 3, 3), DocumentSlots("d3", 2, 1), DocumentSlots("d5", 1, 1))

    def test_no_other_budget(self, chunk_run: Rankings, chunk_to_doc: dict[str, str]) -> None:
        with pytest.raises(rankeval.ChunkError, match="a chunk budget must be a positive integer"):
            slots(Run(chunk_run), chunk_to_doc, 0)
