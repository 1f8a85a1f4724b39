"""Every refusal of the core in full: the rule, where it was broken, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

import rankeval
from rankeval.core.contract import Place
from rankeval.core.run import Run

Parts = dict[str, Any]

K = "k must be a positive integer"
MAPPINGS = "nonempty corpus and queries, mapping run required"
CORPUS = "nonempty corpus dictionary required"
QUERIES = "nonempty query dictionary required"
CORPUS_IDS = "corpus document IDs must be nonempty strings"
METADATA = "query IDs and metadata are invalid"
QUERY_SPLIT = "query split must be a nonempty string"
SPLIT = "split must be a nonempty string"
JSON = "corpus and queries must be JSON values in UTF-8"
COVER = "qrels must cover every query"
SPLIT_EMPTY = "split has no queries"
UNJUDGED = "unjudged or unknown documents: exhaustive qrels required"
LABELS = "qrels labels must be integer 0 or 1"
UNKNOWN_QUERY = "unknown or wrong-split query"
RANKING = "ranking must be a list of document IDs"
DUPLICATE = "duplicate document ID; deduplicate upstream explicitly"
UNKNOWN = "unknown document ID"
CHUNK_MAPPINGS = "mapping and runs must be dictionaries"
CHUNK_IDS = "chunk and document IDs must be strings"
OUTSIDE = "mapping points outside the corpus"
CHUNK_RANKING = "chunk ranking must be a list"
UNKNOWN_CHUNK = "unknown or invalid chunk ID"
DUPLICATE_CHUNK = "duplicate chunk ID"

NAN = float("nan")


def faults_of(call: Any, *arguments: Any, **named: Any) -> list[tuple[str, str]]:
    """Give the faults of a refusal as rule and place."""
    with pytest.raises(rankeval.ContractError) as refusal:
        call(*arguments, **named)
    assert refusal.value.total == len(refusal.value.faults)
    return [(str(fault.rule), str(fault)) for fault in refusal.value.faults]


class TestProtocols:
    @pytest.mark.parametrize(
        ("part", "value", "expected"),
        [
            ("k", 0, [(K, "k is 0")]),
            ("k", "2", [(K, "k is '2'")]),
            ("split", 5, [(SPLIT, "split is 5")]),
            ("split", "x", [(SPLIT_EMPTY, "split is 'x'; the queries have 'dev', 'test'")]),
            ("corpus", [], [(MAPPINGS, "corpus is of type list")]),
            ("queries", [], [(MAPPINGS, "queries is of type list")]),
            ("qrels", [], [(COVER, "the qrels are of type list")]),
        ],
    )
    def test_a_part_of_the_wrong_kind(self, parts: Parts, part: str, value: Any, expected: list[Any]) -> None:
        parts[part] = value

        assert faults_of(rankeval.Protocol, **parts) == expected

    @pytest.mark.parametrize(
        ("part", "key", "value", "expected"),
        [
            ("queries", "q2", {"split": 5}, [(QUERY_SPLIT, "query 'q2': split is 5")]),
            ("queries", "q2", {"split": "test", "x": NAN}, [(JSON, "query 'q2'")]),
            ("queries", "q2", "text", [(METADATA, "query 'q2'")]),
            ("corpus", "d1", NAN, [(JSON, "document 'd1'")]),
            ("corpus", "d1", {"text": "\ud800"}, [(JSON, "document 'd1'")]),
            ("qrels", "q2", None, [(UNJUDGED, "query 'q2': the judgments are of type NoneType")]),
            (
                "qrels",
                "Q2",
                {},
                [(COVER, "query 'Q2': judged, but not among the queries; near miss: 'Q2' is not 'q2'")],
            ),
            ("qrels", "z", {}, [(COVER, "query 'z': judged, but not among the queries")]),
        ],
    )
    def test_an_entry_of_the_wrong_kind(
        self, parts: Parts, part: str, key: str, value: Any, expected: list[Any]
    ) -> None:
        parts[part][key] = value

        assert faults_of(rankeval.Protocol, **parts) == expected

    def test_every_document_id_that_is_none(self, parts: Parts) -> None:
        parts["corpus"] |= {3: "x", "": "y"}
        faults = faults_of(rankeval.Protocol, **parts)

        assert faults[:2] == [(CORPUS_IDS, "document '3'"), (CORPUS_IDS, "document ''")]
        assert faults[2:4] == [
            (UNJUDGED, "query 'q1', document '3': unjudged"),
            (UNJUDGED, "query 'q1', document '': unjudged"),
        ]

    def test_every_query_id_that_is_none(self, parts: Parts) -> None:
        parts["queries"] |= {3: {"split": "test"}, "": {"split": "test"}}

        assert faults_of(rankeval.Protocol, **parts) == [
            (METADATA, "query '3'"),
            (METADATA, "query ''"),
            (COVER, "query '3': not judged"),
            (COVER, "query '': not judged"),
        ]

    def test_ids_that_utf8_cannot_hold(self, parts: Parts) -> None:
        parts["queries"]["\ud800"] = {"split": "test"}

        assert faults_of(rankeval.Protocol, **parts)[0] == (JSON, r"query '\ud800'")

    def test_nothing_at_all(self) -> None:
        assert faults_of(rankeval.Protocol, {}, {}, {}, "test", 1) == [
            (MAPPINGS, "corpus is empty"),
            (MAPPINGS, "queries is empty"),
            (SPLIT_EMPTY, "split is 'test'; the queries have none"),
        ]

    def test_an_unjudged_query_does_not_hide_the_next(self, parts: Parts) -> None:
        del parts["qrels"]["q1"]
        parts["qrels"]["q2"] = []
        del parts["qrels"]["q3"]["d5"]
        parts["qrels"]["q4"] |= {"d1": True, "d9": 0, "D2": 0}

        assert faults_of(rankeval.Protocol, **parts) == [
            (COVER, "query 'q1': not judged"),
            (UNJUDGED, "query 'q2': the judgments are of type list"),
            (UNJUDGED, "query 'q3', document 'd5': unjudged"),
            (UNJUDGED, "query 'q4', document 'd9': judged, but not in the corpus"),
            (UNJUDGED, "query 'q4', document 'D2': judged, but not in the corpus; near miss: 'D2' is not 'd2'"),
            (LABELS, "query 'q4', document 'd1': the label is True"),
        ]

    def test_ids_of_any_kind_in_the_judgments(self, parts: Parts) -> None:
        parts["qrels"][7] = {}
        parts["qrels"]["q2"][8] = 2

        assert faults_of(rankeval.Protocol, **parts) == [
            (COVER, "query '7': judged, but not among the queries"),
            (UNJUDGED, "query 'q2', document '8': judged, but not in the corpus"),
            (LABELS, "query 'q2', document '8': the label is 2"),
        ]

    def test_relevant_documents_alone(self, parts: Parts) -> None:
        relevant = {"q1": ["d2", "D3"], "q2": [], "q3": ["zz"], "q4": []}

        assert faults_of(rankeval.Protocol.from_relevant, parts["corpus"], parts["queries"], relevant, "x", 0) == [
            (K, "k is 0"),
            (COVER, "query 'q5': not judged"),
            (SPLIT_EMPTY, "split is 'x'; the queries have 'dev', 'test'"),
            (UNJUDGED, "query 'q1', document 'D3': judged, but not in the corpus; near miss: 'D3' is not 'd3'"),
            (UNJUDGED, "query 'q3', document 'zz': judged, but not in the corpus"),
        ]


class TestRuns:
    @pytest.mark.parametrize(
        ("run", "expected"),
        [
            (None, [(MAPPINGS, "the run is of type NoneType")]),
            ([], [(MAPPINGS, "the run is of type list")]),
            ({"q2": "d3"}, [(RANKING, "query 'q2': it is of type str")]),
            ({"q9": []}, [(UNKNOWN_QUERY, "query 'q9': no query of the protocol has this ID")]),
            ({"Q2": []}, [(UNKNOWN_QUERY, "query 'Q2': near miss: 'Q2' is not 'q2'")]),
            ({7: []}, [(UNKNOWN_QUERY, "query '7': no query of the protocol has this ID")]),
            ({"q1": []}, [(UNKNOWN_QUERY, "query 'q1': it belongs to split 'dev', not to 'test'")]),
            ({"q2": None}, [(RANKING, "query 'q2': it is of type NoneType")]),
            (
                {"q2": ["d1", None, ["d2"]]},
                [
                    (RANKING, "query 'q2', position 2: the entry is None, which is no string"),
                    (RANKING, "query 'q2', position 3: the entry is ['d2'], which is no string"),
                ],
            ),
            (
                {"q2": ["d1", "D1", "d1", "x", "x"]},
                [
                    (DUPLICATE, "query 'q2', document 'd1', position 3: first at position 1"),
                    (DUPLICATE, "query 'q2', document 'x', position 5: first at position 4"),
                    (UNKNOWN, "query 'q2', document 'D1', position 2: near miss: 'D1' is not 'd1'"),
                    (UNKNOWN, "query 'q2', document 'x', position 4"),
                    (UNKNOWN, "query 'q2', document 'x', position 5"),
                ],
            ),
        ],
    )
    def test_in_full(self, protocol: rankeval.Protocol, run: Any, expected: list[Any]) -> None:
        assert faults_of(protocol.score, run) == expected

    def test_a_run_beside_a_protocol(self, parts: Parts) -> None:
        parts["k"] = 0

        assert faults_of(rankeval.evaluate, run=[], **parts) == [(K, "k is 0"), (MAPPINGS, "the run is of type list")]

    def test_lines_of_a_query_and_of_a_position(self, protocol: rankeval.Protocol) -> None:
        def locate(_query: str, position: int | None) -> Place | None:
            return Place("r", row=position) if position else Place("r", line=1)

        run = Run({"q1": [], "q2": ["d9"]}, locate=locate)

        assert faults_of(protocol.score, run) == [
            (UNKNOWN_QUERY, "r, line 1, query 'q1': it belongs to split 'dev', not to 'test'"),
            (UNKNOWN, "r, row 1, query 'q2', document 'd9', position 1"),
        ]

    def test_two_protocols(self, protocol: rankeval.Protocol) -> None:
        other = protocol.with_split_and_k(k=3)
        rule = "reports of two different protocols cannot be compared"
        names = f"{protocol.protocol_sha256[:12]} and {other.protocol_sha256[:12]}"

        assert faults_of(rankeval.compare, protocol.score({}), other.score({})) == [
            (rule, f"{names}; score both runs on one of them")
        ]


class TestChunks:
    @pytest.mark.parametrize(
        ("runs", "changed", "expected"),
        [
            ({}, {"corpus": {}, "mapping": {}}, [(CORPUS, "the corpus is empty")]),
            ({}, {"corpus": []}, [(CORPUS, "the corpus is of type list")]),
            ({}, {"queries": []}, [(QUERIES, "queries is of type list")]),
            (
                {},
                {"queries": {}},
                [(QUERIES, "queries is empty"), (SPLIT_EMPTY, "split is 'test'; the queries have none")],
            ),
            ({}, {"mapping": []}, [(CHUNK_MAPPINGS, "the chunk map is of type list")]),
            ([], {}, [(CHUNK_MAPPINGS, "the chunk run is of type list")]),
            (
                [],
                {"mapping": 5},
                [(CHUNK_MAPPINGS, "the chunk map is of type int"), (CHUNK_MAPPINGS, "the chunk run is of type list")],
            ),
            (
                {},
                {"mapping": {"a": "D1", 5: "d1", "b": 6, "c": "x", "": "d1", "e": "", "\ud800": "d1"}},
                [
                    (CHUNK_IDS, "document 'd1', chunk '5'"),
                    (CHUNK_IDS, "document '6', chunk 'b'"),
                    (CHUNK_IDS, "document 'd1', chunk ''"),
                    (CHUNK_IDS, "document '', chunk 'e'"),
                    (CHUNK_IDS, r"document 'd1', chunk '\ud800'"),
                    (OUTSIDE, "document 'D1', chunk 'a': near miss: 'D1' is not 'd1'"),
                    (OUTSIDE, "document 'x', chunk 'c'"),
                ],
            ),
            ({"q2": None}, {}, [(CHUNK_RANKING, "query 'q2': it is of type NoneType")]),
            ({"q2": "d3a"}, {}, [(CHUNK_RANKING, "query 'q2': it is of type str")]),
            ({"Q2": []}, {}, [(UNKNOWN_QUERY, "query 'Q2': near miss: 'Q2' is not 'q2'")]),
            (
                {"q2": ["d3a", "D3A", 5, "zz", "d3a"]},
                {},
                [
                    (UNKNOWN_CHUNK, "query 'q2', chunk 'D3A', position 2: near miss: 'D3A' is not 'd3a'"),
                    (UNKNOWN_CHUNK, "query 'q2', chunk '5', position 3: the chunk map does not hold it"),
                    (UNKNOWN_CHUNK, "query 'q2', chunk 'zz', position 4: the chunk map does not hold it"),
                    (DUPLICATE_CHUNK, "query 'q2', chunk 'd3a', position 5: first at position 1"),
                ],
            ),
        ],
    )
    def test_in_full(self, adapt: Any, runs: Any, changed: Parts, expected: list[Any]) -> None:
        assert faults_of(adapt, runs, **changed) == expected

    def test_everything_at_once_in_the_order_of_the_table(self, adapt: Any) -> None:
        corpus = {"": "x"}
        queries = {"q1": "text", "q2": {"split": 5}}
        faults = faults_of(adapt, {"q2": ["zz"]}, {"c": "d1"}, corpus=corpus, queries=queries, split="")

        assert faults == [
            (CORPUS_IDS, "document ''"),
            (SPLIT, "split is ''"),
            (METADATA, "query 'q1'"),
            (QUERY_SPLIT, "query 'q2': split is 5"),
            (OUTSIDE, "document 'd1', chunk 'c'"),
            (UNKNOWN_QUERY, "query 'q2': it belongs to split None, not to ''"),
            (UNKNOWN_CHUNK, "query 'q2', chunk 'zz', position 1: the chunk map does not hold it"),
        ]

    def test_lines_of_a_chunk_run(self, adapt: Any) -> None:
        run = Run({"q9": [], "q2": ["zz"]}, locate=lambda _query, position: Place("r", line=position or 9))

        assert faults_of(adapt, run) == [
            (UNKNOWN_QUERY, "r, line 9, query 'q9': no query of the protocol has this ID"),
            (UNKNOWN_CHUNK, "r, line 1, query 'q2', chunk 'zz', position 1: the chunk map does not hold it"),
        ]

    @pytest.mark.parametrize("budget", [0, True, 1.5])
    def test_budgets(self, budget: Any) -> None:
        from rankeval.core.chunks import cut_chunks  # noqa: PLC0415 - one test's matter

        assert faults_of(cut_chunks, {}, budget) == [
            ("a chunk budget must be a positive integer", f"the budget is {budget!r}")
        ]
