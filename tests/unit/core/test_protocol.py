from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

import rankeval
from rankeval.core.protocol import Judgment
from rankeval.core.provenance import Provenance

Parts = dict[str, Any]


def rule_of(**parts: Any) -> str:
    with pytest.raises(rankeval.ProtocolError) as refusal:
        rankeval.Protocol(**parts)
    return refusal.value.rule


class TestOwnCopy:
    def test_changing_the_callers_objects_changes_nothing(self, parts: Parts) -> None:
        parts["corpus"]["d1"] = {"text": "x", "tags": ["y"]}
        protocol = rankeval.Protocol(**parts)
        before = protocol.protocol_sha256
        parts["corpus"]["d1"]["tags"].append("z")
        parts["queries"]["q1"]["split"] = "test"
        parts["qrels"]["q2"]["d1"] = 1

        assert protocol.corpus["d1"] == {"text": "x", "tags": ["y"]}
        assert (
            protocol.compute_sha256()
            == before
            == rankeval.Protocol.from_relevant(
                protocol.corpus, protocol.queries, protocol.relevant, "test", 2
            ).protocol_sha256
        )

    def test_a_flat_document_is_copied_too(self, parts: Parts) -> None:
        parts["corpus"]["d1"] = {"text": "x"}
        protocol = rankeval.Protocol(**parts)
        parts["corpus"]["d1"]["text"] = "y"

        assert protocol.corpus["d1"] == {"text": "x"}

    def test_mappings_cannot_be_assigned_to(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(TypeError):
            protocol.corpus["d1"] = "x"  # type: ignore[index]

    def test_fields_cannot_be_assigned_to(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(AttributeError):
            protocol.k = 3  # type: ignore[misc]


class TestJsonValues:
    @pytest.mark.parametrize(
        "value",
        [
            float("nan"),
            float("inf"),
            dt.date(2026, 1, 1),
            {"text": "\ud800"},
            {"tags": ["\ud800"]},
            "\ud800",
            {"a": {1: "x"}},
            {"a": ("x",)},
            {"\udfff": "x"},
            [[[[b"bytes"]]]],
        ],
    )
    def test_documents_that_json_cannot_hold(self, parts: Parts, value: object) -> None:
        parts["corpus"]["d1"] = value

        assert rule_of(**parts) == "corpus and queries must be JSON values in UTF-8"

    def test_an_endless_document(self, parts: Parts) -> None:
        endless: list[Any] = []
        endless.append(endless)
        parts["corpus"]["d1"] = endless

        assert rule_of(**parts) == "corpus and queries must be JSON values in UTF-8"

    def test_metadata_that_json_cannot_hold(self, parts: Parts) -> None:
        parts["queries"]["q1"]["when"] = dt.date(2026, 1, 1)

        assert rule_of(**parts) == "corpus and queries must be JSON values in UTF-8"

    def test_ids_that_utf8_cannot_hold(self, parts: Parts) -> None:
        parts["corpus"]["\ud800"] = "x"

        assert rule_of(**parts) == "corpus and queries must be JSON values in UTF-8"

    @pytest.mark.parametrize("at", [0, 999, 1_000, 2_499])
    @pytest.mark.parametrize("value", [float("nan"), {"text": "\ud800"}, "\ud800"])
    def test_one_of_thousands_is_named_alone(self, at: int, value: object) -> None:
        """Documents are looked at a thousand at a time."""
        corpus: dict[str, Any] = {f"d{i}": {"text": "x"} for i in range(2_500)}
        corpus[f"d{at}"] = value
        with pytest.raises(rankeval.ProtocolError) as refusal:
            rankeval.Protocol(corpus, {"q": {"split": "s"}}, {"q": dict.fromkeys(corpus, 0)}, "s", 1)

        assert [fault.document for fault in refusal.value.faults] == [f"d{at}"]

    def test_what_was_just_parsed_is_not_copied(self) -> None:
        corpus = {"d": {"text": "x"}}
        kept = rankeval.Protocol.from_relevant(corpus, {"q": {"split": "s"}}, {"q": []}, "s", 1)
        held = rankeval.Protocol.from_relevant(corpus, {"q": {"split": "s"}}, {"q": []}, "s", 1, just_parsed=True)

        assert kept == held
        assert (kept.corpus["d"] is corpus["d"], held.corpus["d"] is corpus["d"]) == (False, True)

    def test_nor_asked_whether_json_holds_it(self) -> None:
        parts: Any = ({"d": ("x",)}, {"q": {"split": "s"}}, {"q": []}, "s", 1)
        with pytest.raises(rankeval.ProtocolError):
            rankeval.Protocol.from_relevant(*parts)

        assert rankeval.Protocol.from_relevant(*parts, just_parsed=True).corpus["d"] == ("x",)

    @pytest.mark.parametrize("value", ["", {"text": ""}, {"title": "t", "text": "é"}, {}, 5, None, [1.5, True]])
    def test_documents_of_any_other_shape_are_taken(self, parts: Parts, value: object) -> None:
        parts["corpus"]["d1"] = value

        assert rankeval.Protocol(**parts).corpus["d1"] == value

    def test_a_query_without_text_is_scored(self, parts: Parts) -> None:
        del parts["queries"]["q2"]["text"]

        assert rankeval.Protocol(**parts).score({"q2": ["d3"]}).rows[0].hits == 1

    def test_extra_metadata_is_hashed(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        parts["queries"]["q2"]["kind"] = "how-to"

        assert rankeval.Protocol(**parts) != protocol


class TestShapes:
    @pytest.mark.parametrize("corpus", [{}, [], None, "x"])
    def test_corpus(self, parts: Parts, corpus: object) -> None:
        parts["corpus"] = corpus

        assert rule_of(**parts) == "nonempty corpus and queries, mapping run required"

    @pytest.mark.parametrize("queries", [{}, [], None])
    def test_queries(self, parts: Parts, queries: object) -> None:
        parts["queries"] = queries

        assert rule_of(**parts) == "nonempty corpus and queries, mapping run required"

    @pytest.mark.parametrize("document", ["", 3])
    def test_document_ids(self, parts: Parts, document: object) -> None:
        parts["corpus"][document] = "x"

        assert rule_of(**parts) == "corpus document IDs must be nonempty strings"

    @pytest.mark.parametrize(("query", "metadata"), [("", {"split": "test"}), (3, {"split": "test"}), ("q", "text")])
    def test_query_metadata(self, parts: Parts, query: object, metadata: object) -> None:
        parts["queries"][query] = metadata

        assert rule_of(**parts) == "query IDs and metadata are invalid"

    @pytest.mark.parametrize("split", [None, "", 5])
    def test_query_split(self, parts: Parts, split: object) -> None:
        parts["queries"]["q1"]["split"] = split

        assert rule_of(**parts) == "query split must be a nonempty string"

    @pytest.mark.parametrize("split", [None, "", 5])
    def test_split(self, parts: Parts, split: object) -> None:
        parts["split"] = split

        assert rule_of(**parts) == "split must be a nonempty string"

    def test_split_without_queries(self, parts: Parts) -> None:
        parts["split"] = "train"

        assert rule_of(**parts) == "split has no queries"

    @pytest.mark.parametrize("qrels", [None, [], "x"])
    def test_qrels_that_are_no_mapping(self, parts: Parts, qrels: object) -> None:
        parts["qrels"] = qrels

        assert rule_of(**parts) == "qrels must cover every query"

    def test_qrels_of_a_query_that_is_not_there(self, parts: Parts) -> None:
        parts["qrels"]["q9"] = {}

        assert rule_of(**parts) == "qrels must cover every query"

    @pytest.mark.parametrize("judged", [None, []])
    def test_judgments_of_a_query_that_are_no_mapping(self, parts: Parts, judged: object) -> None:
        parts["qrels"]["q2"] = judged

        assert rule_of(**parts) == "unjudged or unknown documents: exhaustive qrels required"

    def test_a_judged_document_outside_the_corpus(self, parts: Parts) -> None:
        parts["qrels"]["q2"]["D1"] = 0
        with pytest.raises(rankeval.ProtocolError) as refusal:
            rankeval.Protocol(**parts)

        assert refusal.value.faults[0].detail == "judged, but not in the corpus; near miss: 'D1' is not 'd1'"


class TestFromRelevant:
    def test_is_the_same_protocol(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        relevant = {"q1": ["d2"], "q2": ["d4", "d3"], "q3": ["d5"], "q4": ["d6"], "q5": []}
        made = rankeval.Protocol.from_relevant(parts["corpus"], parts["queries"], relevant, "test", 2)

        assert (made, made.protocol_sha256) == (protocol, protocol.protocol_sha256)

    def test_a_relevant_document_outside_the_corpus(self, parts: Parts) -> None:
        relevant = {query: ["d9"] for query in parts["queries"]}
        with pytest.raises(rankeval.ProtocolError, match="unjudged or unknown documents"):
            rankeval.Protocol.from_relevant(parts["corpus"], parts["queries"], relevant, "test", 2)

    def test_a_stated_fingerprint_is_not_verified(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        made = rankeval.Protocol.from_relevant(
            parts["corpus"], parts["queries"], protocol.relevant, "test", 2, recorded_sha256="stated"
        )

        assert (made.protocol_sha256, made.protocol_sha256_verified) == ("stated", False)

    def test_computing_it_verifies(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        made = rankeval.Protocol.from_relevant(
            parts["corpus"], parts["queries"], protocol.relevant, "test", 2, recorded_sha256="stated"
        )
        made.compute_sha256()

        assert (made.protocol_sha256, made.protocol_sha256_verified) == (protocol.protocol_sha256, True)


class TestWithRelevant:
    def test_is_the_protocol_with_those_judgments(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        parts["qrels"]["q5"]["d1"] = 1
        changed = protocol.with_relevant({"q5": ["d1"]}, Provenance(notes=("n",)))

        assert changed == rankeval.Protocol(**parts)
        assert changed.protocol_sha256 == rankeval.Protocol(**parts).protocol_sha256
        assert changed.provenance.notes == ("n",)

    def test_holds_the_same_documents_in_memory(self, protocol: rankeval.Protocol) -> None:
        changed = protocol.with_relevant({}, Provenance())

        assert (changed.corpus, changed.queries) == (protocol.corpus, protocol.queries)
        assert changed.corpus is protocol.corpus

    @pytest.mark.parametrize(
        ("changed", "rule"),
        [
            ({"q9": ["d1"]}, "qrels must cover every query"),
            ({"q2": ["d9"]}, "unjudged or unknown documents: exhaustive qrels required"),
        ],
    )
    def test_what_is_not_there_is_refused(
        self, protocol: rankeval.Protocol, changed: dict[str, list[str]], rule: str
    ) -> None:
        with pytest.raises(rankeval.ProtocolError) as refusal:
            protocol.with_relevant(changed, Provenance())

        assert refusal.value.rule == rule


class TestView:
    def test_qrels_are_given_back_as_they_were(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        assert dict(protocol.qrels()) == parts["qrels"]

    def test_another_split_is_another_protocol(self, protocol: rankeval.Protocol) -> None:
        other = protocol.with_split_and_k(split="dev")

        assert (other.split_queries, other.k, other == protocol) == (("q1",), 2, False)

    def test_another_k_is_another_protocol(self, protocol: rankeval.Protocol) -> None:
        assert protocol.with_split_and_k(k=3).protocol_sha256 != protocol.protocol_sha256

    def test_the_same_split_and_k_are_the_same_protocol(self, protocol: rankeval.Protocol) -> None:
        assert protocol.with_split_and_k() == protocol
        assert hash(protocol.with_split_and_k()) == hash(protocol)

    def test_two_protocols_have_two_places_in_a_set(self, protocol: rankeval.Protocol) -> None:
        assert hash(protocol) == hash(protocol.compact_sha256)

    def test_its_provenance_goes_with_it(self, parts: Parts) -> None:
        provenance = Provenance(notes=("a note",))

        assert rankeval.Protocol(**parts, provenance=provenance).with_split_and_k(k=3).provenance is provenance

    def test_computing_says_how_far_it_is(self, parts: Parts) -> None:
        seen: list[int] = []
        rankeval.Protocol(**parts).compute_sha256(lambda done, _total: seen.append(done))

        assert seen == [1, 2, 3, 4, 5]

    def test_it_is_no_other_thing(self, protocol: rankeval.Protocol) -> None:
        assert protocol != "protocol"

    def test_judged_pairs(self, protocol: rankeval.Protocol) -> None:
        assert protocol.judged_pairs == 30

    def test_its_name_in_a_notebook(self, protocol: rankeval.Protocol) -> None:
        assert repr(protocol).startswith(f"<Protocol {protocol.compact_sha256[:12]} (")
        assert repr(protocol).endswith("(compact): 6 documents, 5 queries, split 'test', k = 2>")

    def test_groups_that_span_splits(self, parts: Parts) -> None:
        for query in ("q1", "q2", "q3"):
            parts["queries"][query]["group"] = "export" if query != "q3" else "sync"

        assert rankeval.Protocol(**parts).groups_across_splits() == {"export": ["dev", "test"]}


class TestJudgment:
    def test_relevant_and_judged_not(self, protocol: rankeval.Protocol) -> None:
        assert protocol.judgment("q2", "d3") is Judgment.RELEVANT
        assert protocol.judgment("q2", "d1") is Judgment.NOT_RELEVANT_JUDGED

    def test_a_zero_that_nobody_judged_is_declared(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        made = rankeval.Protocol.from_relevant(
            parts["corpus"],
            parts["queries"],
            protocol.relevant,
            "test",
            2,
            provenance=Provenance(judged_zero={"q2": frozenset({"d1"})}),
        )

        assert made.judgment("q2", "d1") is Judgment.NOT_RELEVANT_JUDGED
        assert made.judgment("q2", "d2") is Judgment.NOT_RELEVANT_DECLARED
        assert made.judgment("q3", "d1") is Judgment.NOT_RELEVANT_DECLARED
