"""Each behaviour of the published example has a test of its own."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest

import rankeval

Parts = dict[str, Any]
Run = dict[str, list[str]]

DUPLICATE = "duplicate document ID; deduplicate upstream explicitly"
UNJUDGED = "unjudged or unknown documents: exhaustive qrels required"


def refused(call: Any, *arguments: Any, **named: Any) -> rankeval.ContractError:
    with pytest.raises(rankeval.ContractError) as refusal:
        call(*arguments, **named)
    assert type(refusal.value.rule) is str
    return refusal.value


class TestScores:
    def test_exact_a(self, protocol: rankeval.Protocol, fixture_a: Run) -> None:
        rows = {row.query: (row.recall, row.rr) for row in protocol.score(fixture_a).rows}

        assert rows == {
            "q2": (Fraction(1, 2), Fraction(1)),
            "q3": (Fraction(1), Fraction(1, 2)),
            "q4": (Fraction(0), Fraction(0)),
            "q5": (None, None),
        }

    def test_exact_b(self, protocol: rankeval.Protocol, fixture_b: Run) -> None:
        report = protocol.score(fixture_b)

        assert (report.recall_at_k, report.mrr_at_k) == (Fraction(5, 6), Fraction(5, 6))

    def test_missing_stays_in_the_denominator(self, protocol: rankeval.Protocol) -> None:
        report = protocol.score({"q2": ["d3", "d4"]})

        assert report.recall_at_k == Fraction(1, 3)
        assert report.missing_queries == ("q3", "q4", "q5")

    def test_null_is_explicit(self, protocol: rankeval.Protocol) -> None:
        row = protocol.score({"q5": ["d1", "d2"]}).rows[-1]

        assert (row.query, row.missing, row.returned, row.recall, row.rr) == ("q5", False, 2, None, None)

    def test_a_null_query_can_be_missing_too(self, protocol: rankeval.Protocol) -> None:
        assert "q5" in protocol.score({}).missing_queries

    def test_all_empty_is_zero_and_nothing_is_missing(self, protocol: rankeval.Protocol) -> None:
        report = protocol.score({"q2": [], "q3": [], "q4": [], "q5": []})

        assert (report.recall_at_k, report.mrr_at_k, report.missing_queries) == (0, 0, ())

    def test_cut_off(self, protocol: rankeval.Protocol) -> None:
        """Rank 3 at k = 2 is 0, not 1/3."""
        row = protocol.score({"q3": ["d1", "d2", "d5"]}).rows[1]

        assert (row.rr, row.recall, row.first_relevant_rank, row.returned) == (0, 0, None, 3)

    def test_k_may_exceed_every_list(self, parts: Parts) -> None:
        parts["k"] = 50

        assert rankeval.Protocol(**parts).score({"q3": ["d1", "d5"]}).rows[1].rr == Fraction(1, 2)

    def test_recall_is_not_hit_rate(self, protocol: rankeval.Protocol) -> None:
        assert protocol.score({"q2": ["d3", "d1"]}).rows[0].recall == Fraction(1, 2)

    def test_a_second_relevant_document_moves_recall_and_not_rr(self, protocol: rankeval.Protocol) -> None:
        row = protocol.score({"q2": ["d3", "d4"]}).rows[0]

        assert (row.recall, row.rr) == (1, 1)

    def test_no_eligible_query_gives_null(self, parts: Parts) -> None:
        parts["qrels"] = {query: dict.fromkeys(parts["corpus"], 0) for query in parts["queries"]}
        report = rankeval.Protocol(**parts).score({})

        assert (report.recall_at_k, report.mrr_at_k, report.eligible_queries) == (None, None, 0)

    def test_fingerprint_moves_with_the_qrels(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        parts["qrels"]["q5"]["d1"] = 1

        assert rankeval.Protocol(**parts).protocol_sha256 != protocol.protocol_sha256


class TestRefusals:
    @pytest.mark.parametrize(
        ("run", "rule"),
        [
            ({"q2": ["d3", "d3"]}, DUPLICATE),
            ({"q2": ["d3", "d1", "d2", "d1"]}, DUPLICATE),
            ({"q2": ["d7"]}, "unknown document ID"),
            ({"q2": ["d3", "d1", "d2", "d7"]}, "unknown document ID"),
            ({"q9": []}, "unknown or wrong-split query"),
            ({"q1": ["d2"]}, "unknown or wrong-split query"),
            ({"q2": "d3"}, "ranking must be a list of document IDs"),
            ({"q2": ("d3",)}, "ranking must be a list of document IDs"),
            ({"q2": [3]}, "ranking must be a list of document IDs"),
            ([], "nonempty corpus and queries, mapping run required"),
        ],
    )
    def test_runs(self, protocol: rankeval.Protocol, run: Any, rule: str) -> None:
        assert refused(protocol.score, run).rule == rule

    def test_wrong_split_names_the_split_that_holds_the_query(self, protocol: rankeval.Protocol) -> None:
        assert "'dev'" in str(refused(protocol.score, {"q1": ["d2"]}))

    def test_unjudged_pair(self, parts: Parts) -> None:
        del parts["qrels"]["q2"]["d1"]
        refusal = refused(rankeval.Protocol, **parts)

        assert refusal.rule == UNJUDGED
        assert [(fault.query, fault.document) for fault in refusal.faults] == [("q2", "d1")]

    @pytest.mark.parametrize("label", [True, False, 1.0, "1", 2, -1, None])
    def test_labels(self, parts: Parts, label: object) -> None:
        parts["qrels"]["q2"]["d3"] = label

        assert refused(rankeval.Protocol, **parts).rule == "qrels labels must be integer 0 or 1"

    @pytest.mark.parametrize("k", [True, 0, -1, 1.5, "2", None])
    def test_k(self, parts: Parts, k: object) -> None:
        parts["k"] = k

        assert refused(rankeval.Protocol, **parts).rule == "k must be a positive integer"

    def test_missing_qrels(self, parts: Parts) -> None:
        del parts["qrels"]["q1"]
        refusal = refused(rankeval.Protocol, **parts)

        assert (refusal.rule, refusal.faults[0].query) == ("qrels must cover every query", "q1")


class TestChunks:
    def test_non_adjacent_repeats_collapse(self, adapt: Any) -> None:
        assert adapt({"q2": ["d3a", "d4a", "d3b"]}).document_runs == {"q2": ["d3", "d4"]}

    def test_evidence_keeps_every_contributing_rank(self, adapt: Any) -> None:
        evidence = adapt({"q2": ["d3a", "d4a", "d3b"]}).evidence["q2"]

        assert evidence == {
            "received_chunks": 3,
            "distinct_documents": 2,
            "documents": [
                {"document_id": "d3", "first_chunk_id": "d3a", "first_chunk_rank": 1, "chunk_ranks": [1, 3]},
                {"document_id": "d4", "first_chunk_id": "d4a", "first_chunk_rank": 2, "chunk_ranks": [2]},
            ],
        }

    def test_first_occurrence_and_not_sorted_order(self, adapt: Any) -> None:
        assert adapt({"q2": ["d5a", "d1a", "d3a"]}).document_runs["q2"] == ["d5", "d1", "d3"]

    def test_equal_text_is_not_equal_document(self, adapt: Any, parts: Parts) -> None:
        parts["corpus"]["d4"] = parts["corpus"]["d3"]

        assert adapt({"q2": ["d3a", "d4a"]}).document_runs["q2"] == ["d3", "d4"]

    def test_a_short_pool_is_not_filled_up(self, adapt: Any, protocol: rankeval.Protocol) -> None:
        adapted = adapt({"q2": ["d3a", "d3b"]})

        assert protocol.score(adapted.document_runs).rows[0].returned == 1

    def test_missing_stays_missing(self, adapt: Any, protocol: rankeval.Protocol) -> None:
        adapted = adapt({"q5": []})

        assert protocol.score(adapted.document_runs).missing_queries == ("q2", "q3", "q4")

    @pytest.mark.parametrize("chunks", [["d3a", "d3b", "d4a", "zz"], ["d3a", "d3b", "d4a", 5]])
    def test_unknown_chunk_past_any_cut(self, adapt: Any, chunks: list[Any]) -> None:
        assert refused(adapt, {"q2": chunks}).rule == "unknown or invalid chunk ID"

    def test_duplicate_chunk_past_any_cut(self, adapt: Any) -> None:
        assert refused(adapt, {"q2": ["d3a", "d3b", "d4a", "d3a"]}).rule == "duplicate chunk ID"

    def test_unused_mapping_outside_the_corpus(self, adapt: Any, chunk_to_doc: dict[str, str]) -> None:
        assert refused(adapt, {}, chunk_to_doc | {"x": "d99"}).rule == "mapping points outside the corpus"

    def test_wrong_split(self, adapt: Any) -> None:
        assert refused(adapt, {"q1": ["d3a"]}).rule == "unknown or wrong-split query"

    @pytest.mark.parametrize(
        ("changed", "rule"),
        [
            ({"corpus": {}}, "nonempty corpus dictionary required"),
            ({"corpus": []}, "nonempty corpus dictionary required"),
            ({"corpus": {"": "x"}}, "corpus document IDs must be nonempty strings"),
            ({"corpus": {3: "x"}}, "corpus document IDs must be nonempty strings"),
            ({"queries": {}}, "nonempty query dictionary required"),
            ({"queries": None}, "nonempty query dictionary required"),
            ({"split": ""}, "split must be a nonempty string"),
            ({"split": None}, "split must be a nonempty string"),
            ({"split": "train"}, "split has no queries"),
            ({"queries": {"q2": "text"}}, "query IDs and metadata are invalid"),
            ({"queries": {2: {"split": "test"}}}, "query IDs and metadata are invalid"),
            ({"queries": {"q2": {"split": 5}}}, "query split must be a nonempty string"),
            ({"mapping": []}, "mapping and runs must be dictionaries"),
            ({"mapping": {1: "d1"}}, "chunk and document IDs must be strings"),
            ({"mapping": {"c": 1}}, "chunk and document IDs must be strings"),
            ({"mapping": {"": "d1"}}, "chunk and document IDs must be strings"),
            ({"mapping": {"c": ""}}, "chunk and document IDs must be strings"),
        ],
    )
    def test_strict_types_of_every_argument(self, adapt: Any, changed: Parts, rule: str) -> None:
        assert refused(adapt, {}, **changed).rule == rule

    @pytest.mark.parametrize(
        ("runs", "rule"),
        [
            ([], "mapping and runs must be dictionaries"),
            ({"q2": "d3a"}, "chunk ranking must be a list"),
            ({"q2": ("d3a",)}, "chunk ranking must be a list"),
        ],
    )
    def test_strict_types_of_the_runs(self, adapt: Any, runs: Any, rule: str) -> None:
        assert refused(adapt, runs).rule == rule

    def test_corpus_values_are_not_looked_at(self, adapt: Any, parts: Parts) -> None:
        parts["corpus"]["d1"] = float("nan")

        assert adapt({"q2": ["d1a"]}).document_runs == {"q2": ["d1"]}

    def test_inputs_are_not_mutated(self, adapt: Any, chunk_to_doc: dict[str, str], chunk_run: Run) -> None:
        before = copy.deepcopy((chunk_to_doc, chunk_run))
        adapted = adapt(chunk_run)
        adapted.document_runs["q2"].append("x")

        assert (chunk_to_doc, chunk_run) == before

    def test_as_dict_is_plain_and_a_copy(self, adapt: Any, chunk_run: Run) -> None:
        adapted = adapt(chunk_run)
        given = adapted.as_dict()
        given["evidence"]["q2"]["documents"][0]["chunk_ranks"].append(9)

        assert list(given) == ["adapter_sha256", "document_runs", "evidence"]
        assert adapted.evidence["q2"]["documents"][0]["chunk_ranks"] == [1, 2]

    def test_mapping_moves_its_own_fingerprint_only(
        self, adapt: Any, parts: Parts, chunk_to_doc: dict[str, str], protocol: rankeval.Protocol
    ) -> None:
        changed = adapt({}, chunk_to_doc | {"new": "d1"})

        assert changed.adapter_sha256 != adapt({}).adapter_sha256
        assert rankeval.Protocol(**parts).protocol_sha256 == protocol.protocol_sha256

    def test_insertion_order_moves_no_fingerprint(
        self, adapt: Any, parts: Parts, chunk_to_doc: dict[str, str], protocol: rankeval.Protocol
    ) -> None:
        turned = {
            "corpus": dict(reversed(parts["corpus"].items())),
            "queries": dict(reversed(parts["queries"].items())),
            "qrels": {query: dict(reversed(own.items())) for query, own in reversed(parts["qrels"].items())},
            "split": "test",
            "k": 2,
        }

        assert rankeval.Protocol(**turned).protocol_sha256 == protocol.protocol_sha256
        assert adapt({}, dict(reversed(chunk_to_doc.items()))).adapter_sha256 == adapt({}).adapter_sha256
