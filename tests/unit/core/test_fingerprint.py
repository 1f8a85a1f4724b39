from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.core import fingerprint

ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
documents = st.one_of(ids, st.fixed_dictionaries({"title": ids, "text": ids}))


def plain_sha256(value: Any) -> str:
    """SPEC.md's definition, as it stands there."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@st.composite
def collections(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any], dict[str, list[str]]]:
    corpus = draw(st.dictionaries(ids, documents, min_size=1, max_size=6))
    queries = {query: {"text": query, "split": "test"} for query in draw(st.sets(ids, min_size=1, max_size=5))}
    relevant = {query: draw(st.lists(st.sampled_from(sorted(corpus)), unique=True)) for query in queries}
    return corpus, queries, relevant


class TestStreamsEqualPlainJson:
    @given(collections())
    def test_protocol(self, made: tuple[dict[str, Any], dict[str, Any], dict[str, list[str]]]) -> None:
        corpus, queries, relevant = made
        qrels = {query: {document: int(document in relevant[query]) for document in corpus} for query in queries}
        value = {"corpus": corpus, "queries": queries, "qrels": qrels, "split": "test", "k": 3}

        assert fingerprint.protocol_sha256(corpus, queries, relevant, "test", 3) == plain_sha256(value)

    @given(collections())
    def test_compact(self, made: tuple[dict[str, Any], dict[str, Any], dict[str, list[str]]]) -> None:
        corpus, queries, relevant = made
        in_order = {query: sorted(relevant[query]) for query in queries}
        value = {"corpus": corpus, "queries": queries, "relevant": in_order, "split": "test", "k": 3}

        assert fingerprint.compact_sha256(corpus, queries, relevant, "test", 3) == plain_sha256(value)

    @given(st.dictionaries(ids, st.lists(ids)))
    def test_run(self, rankings: dict[str, list[str]]) -> None:
        assert fingerprint.run_sha256(rankings) == plain_sha256(rankings)

    @given(st.dictionaries(ids, ids))
    def test_adapter(self, mapping: dict[str, str]) -> None:
        value = {"adapter": "first-occurrence-document-v1", "chunk_to_doc": mapping}

        assert fingerprint.adapter_sha256(mapping) == plain_sha256(value)

    def test_more_entries_than_are_encoded_at_a_time(self) -> None:
        rankings = {f"q{i}": [f"d{i}"] for i in range(2_001)}

        assert fingerprint.run_sha256(rankings) == plain_sha256(rankings)


class TestCanonicalJson:
    def test_sorted_tight_and_unescaped(self) -> None:
        assert fingerprint.canonical_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'

    def test_nan_is_no_json(self) -> None:
        with pytest.raises(ValueError, match="JSON"):
            fingerprint.canonical_json(float("nan"))


class TestProgress:
    def test_every_query_is_counted(self) -> None:
        seen: list[tuple[int, int]] = []
        queries = {query: {"split": "test"} for query in ("q1", "q2")}
        fingerprint.protocol_sha256(
            {"d": "x"}, queries, {"q1": [], "q2": ["d"]}, "test", 1, lambda done, total: seen.append((done, total))
        )

        assert seen == [(1, 2), (2, 2)]
