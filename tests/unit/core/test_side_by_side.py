from __future__ import annotations

import rankeval
from rankeval.core.protocol import Judgment
from rankeval.core.side_by_side import Placed, side_by_side


class TestSideBySide:
    def test_where_each_document_stands_here_and_there(self, protocol: rankeval.Protocol) -> None:
        sides = side_by_side(protocol, "q2", ["d3", "d1", "d4"], ["d1", "d3"], depth=2)

        assert sides.a == (
            Placed("d3", 1, 2, Judgment.RELEVANT),
            Placed("d1", 2, 1, Judgment.NOT_RELEVANT_JUDGED),
        )
        assert sides.b == (
            Placed("d1", 1, 2, Judgment.NOT_RELEVANT_JUDGED),
            Placed("d3", 2, 1, Judgment.RELEVANT),
        )
        assert sides.returned == (3, 2)

    def test_what_the_other_side_has_not(self, protocol: rankeval.Protocol) -> None:
        assert side_by_side(protocol, "q2", ["d3"], [], depth=2).a[0].other_rank is None

    def test_the_first_relevant_document_is_found_past_the_depth(self, protocol: rankeval.Protocol) -> None:
        sides = side_by_side(protocol, "q4", ["d1", "d2", "d6"], ["d1"], depth=1)

        assert sides.first_relevant == (("d6", 3), None)

    def test_what_neither_returned(self, protocol: rankeval.Protocol) -> None:
        assert side_by_side(protocol, "q2", ["d1"], ["d4"], depth=9).unreturned == ("d3",)
        assert side_by_side(protocol, "q2", ["d3"], ["d4"], depth=9).unreturned == ()
        assert side_by_side(protocol, "q5", [], [], depth=9).unreturned == ()

    def test_what_one_side_returned_past_the_depth(self, protocol: rankeval.Protocol) -> None:
        sides = side_by_side(protocol, "q2", ["d1", "d2", "d3", "d4"], ["d4", "d5"], depth=1)

        assert sides.relevant_beyond == (
            (Placed("d3", 3, None, Judgment.RELEVANT), Placed("d4", 4, 1, Judgment.RELEVANT)),
            (),
        )

    def test_what_is_shown_is_not_beyond(self, protocol: rankeval.Protocol) -> None:
        sides = side_by_side(protocol, "q2", ["d1", "d3"], ["d1", "d2", "d3"], depth=2)

        assert sides.relevant_beyond == ((), (Placed("d3", 3, 2, Judgment.RELEVANT),))
