from __future__ import annotations

from fractions import Fraction

import pytest

import rankeval
from rankeval.core.groups import groups, query_fields, value_of


@pytest.fixture
def protocol() -> rankeval.Protocol:
    """Four queries of two kinds, one without a kind; n has nothing relevant, and o is of another split."""
    return rankeval.Protocol(
        corpus={"d": "", "e": ""},
        queries={
            "a": {"text": "", "split": "test", "kind": "how", "metadata": {"level": 1, "split": "test"}},
            "b": {"text": "", "split": "test", "kind": "why"},
            "c": {"text": "", "split": "test", "kind": "why"},
            "n": {"text": "", "split": "test"},
            "o": {"text": "", "split": "dev", "topic": "x"},
        },
        qrels={
            "a": {"d": 1, "e": 0},
            "b": {"d": 1, "e": 0},
            "c": {"d": 1, "e": 0},
            "n": {"d": 0, "e": 0},
            "o": {"d": 1, "e": 0},
        },
        split="test",
        k=2,
    )


class TestQueryFields:
    def test_those_of_the_split_without_text_and_split(self, protocol: rankeval.Protocol) -> None:
        assert query_fields(protocol) == ["kind", "metadata.level"]

    def test_metadata_that_is_no_mapping_is_a_field(self) -> None:
        queries = {"a": {"text": "", "split": "test", "metadata": "old"}}
        protocol = rankeval.Protocol({"d": ""}, queries, {"a": {"d": 1}}, "test", 1)

        assert query_fields(protocol) == ["metadata"]
        assert value_of(protocol, "a", "metadata") == "old"


class TestValueOf:
    def test_text_as_it_is_and_all_else_as_json(self, protocol: rankeval.Protocol) -> None:
        assert value_of(protocol, "a", "kind") == "how"
        assert value_of(protocol, "a", "metadata.level") == "1"
        assert value_of(protocol, "n", "kind") is None


class TestGroups:
    def test_counts_and_means_the_worst_group_first(self, protocol: rankeval.Protocol) -> None:
        # b falls from 1 to 2, c is left out of B, a rises: RR -1/2, -1 and +1/2.
        a = protocol.score({"a": ["e", "d"], "b": ["d"], "c": ["d"], "n": ["d"]})
        b = protocol.score({"a": ["d"], "b": ["e", "d"], "c": [], "n": ["d"]})
        found = groups(protocol, rankeval.compare(a, b).rows, "kind")

        assert [(group.value, [row.query for row in group.rows]) for group in found] == [
            ("why", ["b", "c"]),
            ("how", ["a"]),
            (None, ["n"]),
        ]
        assert [(group.regressions, group.improvements) for group in found] == [(2, 0), (0, 1), (0, 0)]
        assert [group.rr_delta for group in found] == [Fraction(-3, 4), Fraction(1, 2), None]
        assert [group.recall_delta for group in found] == [Fraction(-1, 2), 0, None]
