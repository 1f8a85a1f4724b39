from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest

import rankeval
from rankeval.core import fingerprint
from rankeval.core.run import QuickRankings, Run, top_of
from rankeval.core.scoring import Denominator, Measure, denominator, exact_values, macro_average

Rankings = dict[str, list[str]]


class Quick(QuickRankings):
    """Rankings that answer quickly, and say whether they were asked."""

    def __init__(self, rankings: Rankings, *, sound: bool = True) -> None:
        self.rankings, self.sound = rankings, sound
        self.asked: list[str] = []

    def __getitem__(self, query: str) -> list[str]:
        return self.rankings[query]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(self.rankings)

    def are_sound(self, corpus: Mapping[str, object]) -> bool:
        return self.sound and "d3" in corpus

    def returned(self, query: str) -> int:
        return len(self.rankings[query])

    def top(self, query: str, k: int) -> list[str]:
        self.asked.append(query)
        return self.rankings[query][:k]

    def sha256(self) -> str:
        return "quick"


class TestReport:
    def test_the_keys_in_order(self, protocol: rankeval.Protocol) -> None:
        given = protocol.score({}).as_dict()

        assert list(given) == [
            "protocol_sha256",
            "split",
            "k",
            "total_queries",
            "eligible_queries",
            "no_relevant_queries",
            "missing_queries",
            "recall_at_k",
            "mrr_at_k",
            "rows",
        ]
        assert list(given["rows"][0]) == [
            "query",
            "missing",
            "returned",
            "relevant",
            "hits",
            "first_relevant_rank",
            "recall",
            "rr",
        ]

    def test_plain_dicts_and_lists_at_every_level(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        given = protocol.score(fixture_a).as_dict()

        assert [type(given[key]) for key in ("no_relevant_queries", "missing_queries", "rows")] == [list] * 3
        assert type(given["rows"][0]) is dict

    def test_values_stay_fractions(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        assert type(protocol.score(fixture_a).as_dict()["recall_at_k"]) is Fraction

    def test_inputs_are_not_mutated(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        before = {query: list(ranking) for query, ranking in fixture_a.items()}
        protocol.score(fixture_a)

        assert fixture_a == before

    def test_evaluate_is_the_same_report(
        self, parts: dict[str, object], protocol: rankeval.Protocol, fixture_a: Rankings
    ) -> None:
        assert rankeval.evaluate(run=fixture_a, **parts) == protocol.score(fixture_a)

    def test_a_run_object_is_scored_like_its_rankings(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        assert protocol.score(Run(fixture_a)) == protocol.score(fixture_a)


class TestQuickRankings:
    def test_score_the_same(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        quick = Quick(fixture_a)

        assert protocol.score(Run(quick)) == protocol.score(fixture_a)
        assert quick.asked == ["q2", "q3", "q5"]

    def test_unsound_ones_are_looked_through(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.RunError, match="unknown document ID"):
            protocol.score(Run(Quick({"q2": ["d9"]}, sound=False)))

    def test_unknown_queries_are_refused_all_the_same(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.RunError, match="unknown or wrong-split query"):
            protocol.score(Run(Quick({"q9": []})))

    def test_give_the_first_k_of_what_they_have(self, fixture_a: Rankings) -> None:
        quick = Quick(fixture_a)

        assert top_of(quick, "q2", 2) == top_of(fixture_a, "q2", 2) == ["d3", "d1"]
        assert top_of(quick, "q4", 2) == top_of(fixture_a, "q4", 2) == []
        assert quick.asked == ["q2"]

    def test_give_their_fingerprint(self, fixture_a: Rankings) -> None:
        assert Run(Quick(fixture_a)).run_sha256 == "quick"
        assert Run(fixture_a).run_sha256 == fingerprint.run_sha256(fixture_a)


class TestDenominator:
    def test_of_the_published_example(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        found = denominator(protocol.score(fixture_a))

        assert found == Denominator(scored=3, with_results=2, empty=0, missing=1, null=1)
        assert str(found) == "3 scored = 2 with results + 0 empty as 0 + 1 missing as 0; 1 null, left out"

    def test_empty_is_not_missing(self, protocol: rankeval.Protocol) -> None:
        assert denominator(protocol.score({"q2": [], "q3": ["d1"]})) == Denominator(3, 1, 1, 1, 1)


class TestMeasure:
    def test_of_a_query_and_of_a_report(self, protocol: rankeval.Protocol) -> None:
        report = protocol.score({"q2": ["d3"]})

        assert (Measure.RECALL.of(report.rows[0]), Measure.RR.of(report.rows[0])) == (Fraction(1, 2), 1)
        assert (Measure.RECALL.mean(report), Measure.RR.mean(report)) == (Fraction(1, 6), Fraction(1, 3))


class TestMacroAverage:
    def test_null_is_left_out(self) -> None:
        assert macro_average([Fraction(1, 2), None, Fraction(1, 4)]) == Fraction(3, 8)

    def test_of_nothing_is_none(self) -> None:
        assert macro_average([None]) is None


class TestExactValues:
    def test_every_fraction_at_every_level(self) -> None:
        value = {"a": Fraction(5, 6), "b": [Fraction(1), (Fraction(0), None)], "c": "x", "d": 1}

        assert exact_values(value) == {"a": "5/6", "b": ["1", ["0", None]], "c": "x", "d": 1}
