from __future__ import annotations

import pytest

import rankeval
from rankeval.core.near_miss import NearMisses


class TestNearMisses:
    @pytest.mark.parametrize(
        ("unknown", "known"),
        [
            (" d1", "d1"),
            ("d1\t", "d1"),
            ("d 1", "d1"),
            ("D1", "d1"),
            ("caf\u0065\u0301", "caf\u00e9"),
            ("7.0", "7"),
            ("007", "7"),
            ("7", "007"),
            ("\ufeffd1", "d1"),
            ("d\u200b1", "d1"),
            ("-7.0", "-7"),
            ("q7.0", "q7"),
            ("q07", "q7"),
            ("007a", "7a"),
            ("00", "0"),
            ("0.0", "0"),
        ],
    )
    def test_what_is_easily_overlooked_is_pointed_out(self, unknown: str, known: str) -> None:
        assert NearMisses([known]).hint(unknown) == f"near miss: {unknown!a} is not {known!a}"

    @pytest.mark.parametrize("unknown", ["d2", "", "70", "7.5", "7.01", "d10", 5, None])
    def test_what_is_another_id_is_not(self, unknown: object) -> None:
        assert NearMisses(["d1", "7", 9]).hint(unknown) == ""

    def test_a_refusal_carries_it(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.RunError, match=r"near miss: 'd3 ' is not 'd3'"):
            protocol.score({"q2": ["d3 "]})
