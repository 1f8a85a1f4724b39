"""What a source leaves open is declared, or refused; and what was declared is recorded."""

from __future__ import annotations

from typing import Any

import pytest

import rankeval
from rankeval.formats import Declared, Source, read_collection
from rankeval.formats.declared import NOTHING

CORPUS = '{"_id": "d1", "text": "x"}\n{"_id": "d2", "text": "y"}\n{"_id": "d3", "text": "z"}\n'
QUERIES = '{"_id": "q1", "text": "a", "split": "test"}\n{"_id": "q2", "text": "b", "split": "test"}\n'
FULL = "".join(f"{query} 0 {document} 1\n" for query in ("q1", "q2") for document in ("d1", "d2", "d3"))
SPARSE = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 1\n"
GRADED = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d3 -2\n"


def read(
    qrels: str, declared: Declared = NOTHING, corpus: str = CORPUS, queries: str = QUERIES, **options: Any
) -> rankeval.Protocol:
    parts = (("corpus", corpus), ("queries", queries), ("qrels", qrels))
    sources = [Source(name, text.encode()) for name, text in parts]
    return read_collection(*sources, declared=declared, **({"k": 1} | options))


def refusal_of(*arguments: Any, **options: Any) -> rankeval.ContractError:
    with pytest.raises(rankeval.ContractError) as refusal:
        read(*arguments, **options)
    return refusal.value


class TestUnlisted:
    def test_pairs_are_refused_with_their_number_and_the_first_of_them(self) -> None:
        refusal = refusal_of(SPARSE)

        assert refusal.total == 3
        assert [(fault.query, fault.document) for fault in refusal.faults] == [("q1", "d3"), ("q2", "d1"), ("q2", "d2")]
        assert "3 of 6 pairs are unjudged; or declare --unlisted-nonrelevant WHY" in str(refusal)

    def test_both_ways_out_are_said_where_both_are_needed(self) -> None:
        assert "2 labels are not 0 or 1, so declare --relevant-from N too" in str(refusal_of(GRADED))

    def test_declared_zeros_are_told_from_judged_ones(self) -> None:
        protocol = read(SPARSE, Declared("the pool was deep"))

        assert [each.as_dict() for each in protocol.provenance.declarations] == [
            {
                "option": "unlisted-nonrelevant",
                "value": "the pool was deep",
                "effect": "3 of 6 pairs are unlisted and count as not relevant",
            }
        ]
        assert protocol.provenance.judged_pairs == 3
        assert protocol.provenance.judged_zero == {"q1": {"d2"}, "q2": frozenset()}

    def test_where_all_pairs_are_judged_every_zero_is_a_judgment(self) -> None:
        protocol = read(FULL, Declared("in case"))

        assert (protocol.provenance.judged_pairs, protocol.provenance.judged_zero) == (None, None)
        assert protocol.provenance.declarations[0].effect.startswith("0 of 6 pairs")

    def test_judgments_of_no_pair_are_judgments(self) -> None:
        assert dict(read('{"q1": {}, "q2": {"d1": 1}}', Declared("w")).relevant) == {"q1": frozenset(), "q2": {"d1"}}


class TestLabels:
    @pytest.mark.parametrize(
        ("threshold", "relevant", "effect"),
        [
            (2, {"q1": {"d1"}, "q2": frozenset()}, "1 labels count as 1, 2 as 0, of which 1 are negative"),
            (1, {"q1": {"d1", "d2"}, "q2": frozenset()}, "2 labels count as 1, 1 as 0, of which 1 are negative"),
            (-2, {"q1": {"d1", "d2"}, "q2": {"d3"}}, "3 labels count as 1, 0 as 0, of which 1 are negative"),
        ],
    )
    def test_from_a_number_on_are_relevant(self, threshold: int, relevant: Any, effect: str) -> None:
        protocol = read(GRADED, Declared("w", threshold))

        assert dict(protocol.relevant) == relevant
        assert str(protocol.provenance.declarations[1]) == f"--relevant-from {threshold} ({effect})"

    def test_are_all_named_without_it(self) -> None:
        refusal = refusal_of(GRADED, Declared("w"))

        assert [(fault.line, fault.document, fault.detail) for fault in refusal.faults] == [
            (1, "d1", "the label is 2; or declare --relevant-from N"),
            (3, "d3", "the label is -2; or declare --relevant-from N"),
        ]


class TestQueries:
    def test_that_no_file_judges_are_refused_with_their_number(self) -> None:
        refusal = refusal_of("q1 0 d1 1\n", Declared("w"))

        assert refusal.rule == "queries that no file judges"
        assert "query 'q2': 1 of 2; or declare --leave-out-unjudged-queries WHY" in str(refusal)

    def test_may_be_left_out(self) -> None:
        protocol = read("q1 0 d1 1\n", Declared("w", None, "of next year"))

        assert list(protocol.queries) == ["q1"]
        assert str(protocol.provenance.declarations[1]) == (
            "--leave-out-unjudged-queries of next year (1 queries are left out)"
        )

    def test_that_are_judged_and_not_there(self) -> None:
        refusal = refusal_of(FULL + "q1.0 0 d1 1\n")

        assert "qrels, line 7, query 'q1.0': judged, but not in queries" in str(refusal)


class TestReasons:
    @pytest.mark.parametrize("declared", [Declared(""), Declared(" \t"), Declared("w", 1, "")])
    def test_are_needed(self, declared: Declared) -> None:
        refusal = refusal_of(SPARSE, declared)

        assert refusal.rule == "an option does not fit the file"
        assert "needs a reason" in str(refusal)


class TestSplitAndK:
    def test_several_splits_need_a_choice(self) -> None:
        queries = QUERIES.replace("test", "dev", 1)

        assert "--split dev or test" in str(refusal_of(FULL, queries=queries))
        assert read(FULL, queries=queries, split="dev").split_queries == ("q1",)

    def test_a_choice_of_what_is_not_there(self) -> None:
        assert "the queries have 'test'" in str(refusal_of(FULL, split="dev"))

    def test_k_needs_a_choice(self) -> None:
        assert refusal_of(FULL, k=None).rule == "the source does not state k; choose one"

    @pytest.mark.parametrize(
        ("query", "said"),
        [
            ('{"_id": "q1", "text": "a"}', "none is stated"),
            (
                '{"_id": "q1", "text": "a", "split": "dev", "metadata": {"split": "test"}}',
                "stated are 'dev' and 'test'",
            ),
            ('{"_id": "q1", "text": "a", "split": 5}', "split is 5"),
            ('{"_id": "q1", "text": "a", "split": ["test"]}', "split is a list"),
        ],
    )
    def test_a_query_without_one_split(self, query: str, said: str) -> None:
        refusal = refusal_of(FULL, queries=query + "\n" + QUERIES.split("\n")[1])

        assert f"queries, query 'q1': {said}" in str(refusal)

    def test_metadata_of_another_shape_is_the_matter_of_the_core(self) -> None:
        refusal = refusal_of('{"q1": {"d1": 1}}', Declared("w"), queries='{"q1": 5}')

        assert refusal.rule == "the split of a query is not stated, or is stated twice and differently"


class TestNotes:
    def test_of_all_parts(self) -> None:
        protocol = read(
            "qid,doc,rel,by\n" + "".join(f"{q},{d},1,me\n" for q in ("q1", "q2") for d in ("d1", "d2", "d3")),
            corpus=CORPUS.replace("}", ', "url": "u"}', 1),
            queries=QUERIES.replace("}", ', "lang": "en"}', 1),
        )

        assert protocol.provenance.notes == (
            "corpus: not used: url",
            "queries: not used: lang",
            "qrels: not used: by",
        )
        assert protocol == read(FULL)


class TestNearMisses:
    @pytest.mark.parametrize(
        ("document", "shown"),
        [
            ("D1", "'D1' is not 'd1'"),
            ("d1\u00a0", "'d1\\xa0' is not 'd1'"),
            ("\ufeffd1", "'\\ufeffd1' is not 'd1'"),
            ("\uff441", "'\\uff441' is not 'd1'"),
        ],
    )
    def test_of_judged_documents_are_pointed_out(self, document: str, shown: str) -> None:
        assert (
            f"qrels, line 7, query 'q1', document {document!r}: judged, but not in corpus; near miss: {shown}"
            in str(refusal_of(FULL + f"q1 0 {document} 1\n"))
        )
