from __future__ import annotations

import pytest
from markup_reader import Reader

import rankeval
from rankeval.core.chunks import DocumentEvidence
from rankeval.core.side_by_side import side_by_side
from rankeval.dashboard import pane_markup
from rankeval.dashboard.pane_markup import Side

X, Y = Side("A", "B", "x", {}), Side("B", "A", "y", {})


def lines(markup: str) -> list[str]:
    """The lines of the picture, each as its styles and its two ends."""
    return [line.split('"></div>')[0] for line in markup.split('<div class="way ')[1:]]


class TestMoved:
    def test_a_relevant_document_beyond_k_is_named_as_such(self, protocol: rankeval.Protocol) -> None:
        run = {"q4": ["d1", "d2", "d6"]}
        comparison = rankeval.compare(protocol.score(run), protocol.score({"q4": []}))
        sides = side_by_side(protocol, "q4", run["q4"], [], 7)
        shown = Reader(pane_markup.moved(comparison.rows[2], sides, protocol.k)).shown

        assert "A: first relevant beyond k: d6 at 3, scored as none" in shown


class TestWays:
    def test_the_published_example(
        self, protocol: rankeval.Protocol, fixture_a: dict[str, list[str]], fixture_b: dict[str, list[str]]
    ) -> None:
        # A has d3, d1, d4 and B has d1, d3, d4; d3 and d4 are relevant.
        sides = side_by_side(protocol, "q2", fixture_a["q2"], fixture_b["q2"], 7)

        assert lines(pane_markup.ways(sides, 2)) == [
            'fell relevant" style="--from: 1; --to: 2',
            'rose" style="--from: 1; --to: 2',
            'kept relevant" style="--from: 3; --to: 3',
        ]

    def test_a_document_from_or_to_below_the_picture_ends_at_its_edge(self, protocol: rankeval.Protocol) -> None:
        sides = side_by_side(protocol, "q4", ["d1", "d2", "d6"], ["d6", "d2", "d1"], 2)

        assert lines(pane_markup.ways(sides, 2)) == [
            'fell" style="--from: 1; --to: 3',
            'kept" style="--from: 2; --to: 2',
            'rose relevant" style="--from: 1; --to: 3',
        ]

    def test_what_the_other_side_did_not_return_has_no_line_and_says_so(self, protocol: rankeval.Protocol) -> None:
        markup = pane_markup.ways(side_by_side(protocol, "q4", ["d1"], [], 2), 2)

        assert lines(markup) == []
        assert "→ –" in Reader(markup).shown


class TestRankings:
    def test_a_missing_query_is_not_an_empty_one(self, protocol: rankeval.Protocol) -> None:
        comparison = rankeval.compare(protocol.score({}), protocol.score({"q4": []}))
        sides = side_by_side(protocol, "q4", [], [], 7)
        shown = Reader(pane_markup.rankings(comparison.rows[2].missing, sides, (X, Y), protocol, {})).shown

        assert shown.count("missing, scored as 0") == 1
        assert shown.count("The run has an empty list for this query, scored as 0") == 1

    def test_a_relevant_document_far_down_is_shown_after_the_others(self, protocol: rankeval.Protocol) -> None:
        run = {"q4": ["d1", "d2", "d3", "d6"]}
        comparison = rankeval.compare(protocol.score(run), protocol.score({}))
        sides = side_by_side(protocol, "q4", run["q4"], [], 3)
        shown = Reader(pane_markup.rankings(comparison.rows[2].missing, sides, (X, Y), protocol, {})).shown

        assert shown.index("and 1 more") < shown.index("4d6")

    @pytest.mark.parametrize(
        ("ranks", "said"),
        [([3], "by chunk d6b, received at 3"), ([3, 5], "by 2 chunks, the first d6b; received at 3, 5")],
    )
    def test_the_chunks_that_stood_for_a_document(
        self, protocol: rankeval.Protocol, ranks: list[int], said: str
    ) -> None:
        chunks = DocumentEvidence(document_id="d6", first_chunk_id="d6b", first_chunk_rank=3, chunk_ranks=ranks)
        comparison = rankeval.compare(protocol.score({"q4": ["d6"]}), protocol.score({}))
        sides = side_by_side(protocol, "q4", ["d6"], [], 7)
        pair = (Side("A", "B", "x", {"d6": chunks}), Y)
        shown = Reader(pane_markup.rankings(comparison.rows[2].missing, sides, pair, protocol, {})).shown

        assert said in shown
