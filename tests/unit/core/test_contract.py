from __future__ import annotations

from typing import Any

import pytest

import rankeval
from rankeval.core.contract import ContractError, Fault, Faults, Place, ProtocolError, Rule, RunError, every
from rankeval.core.run import Run

Parts = dict[str, Any]

TABLE = [
    "k must be a positive integer",
    "nonempty corpus and queries, mapping run required",
    "nonempty corpus dictionary required",
    "nonempty query dictionary required",
    "corpus document IDs must be nonempty strings",
    "query IDs and metadata are invalid",
    "query split must be a nonempty string",
    "split must be a nonempty string",
    "corpus and queries must be JSON values in UTF-8",
    "qrels must cover every query",
    "split has no queries",
    "unjudged or unknown documents: exhaustive qrels required",
    "qrels labels must be integer 0 or 1",
    "unknown or wrong-split query",
    "ranking must be a list of document IDs",
    "duplicate document ID; deduplicate upstream explicitly",
    "unknown document ID",
    "mapping and runs must be dictionaries",
    "chunk and document IDs must be strings",
    "mapping points outside the corpus",
    "chunk ranking must be a list",
    "unknown or invalid chunk ID",
    "duplicate chunk ID",
]
"""SPEC.md, "Refusals", copied by hand."""


def refusal_of(call: Any, *arguments: Any, **named: Any) -> ContractError:
    with pytest.raises(ContractError) as refusal:
        call(*arguments, **named)
    return refusal.value


class TestRule:
    def test_the_table_of_refusals_word_for_word(self) -> None:
        assert [str(rule) for rule in Rule][: len(TABLE)] == TABLE

    def test_the_last_sentences_are_ours(self) -> None:
        assert [str(rule) for rule in Rule][len(TABLE) :] == [
            "a chunk budget must be a positive integer",
            "reports of two different protocols cannot be compared",
            "a review round takes queries by status, or by regression",
            "a proposal changes at least one judgment",
            "a proposed judgment must be of a query and a document of the protocol",
            "a query-document pair is proposed twice",
            "a query-document pair is proposed with both labels",
            "a proposed label must differ from the one that stands",
            "a proposed label needs somebody who proposes it, and a reason",
            "a what-if needs a protocol and a proposal made from it",
        ]


class TestContractError:
    def test_is_a_value_error(self) -> None:
        assert issubclass(ContractError, ValueError)

    def test_the_message_is_the_rule_and_then_the_places(self) -> None:
        fault = Fault("a rule", "q1", "d1", position=3, file="run.txt", line=7, detail="why")

        assert str(ContractError([fault])) == ("a rule\n  run.txt, line 7, query 'q1', document 'd1', position 3: why")

    def test_rows_and_chunks_are_named(self) -> None:
        assert str(Fault("r", chunk="c", row=2, file="f")) == "f, row 2, chunk 'c'"

    def test_a_fault_without_a_place_is_the_rule_alone(self) -> None:
        assert str(ContractError([Fault("a rule")])) == "a rule"

    def test_each_rule_is_said_once(self) -> None:
        faults = [Fault("one", "q1"), Fault("one", "q2"), Fault("two", "q3")]

        assert str(ContractError(faults)) == "one\n  query 'q1'\n  query 'q2'\ntwo\n  query 'q3'"

    def test_the_rule_is_a_plain_string(self) -> None:
        assert type(ContractError([Fault(Rule.K)]).rule) is str

    def test_the_total_is_the_number_of_faults_unless_said(self) -> None:
        assert ContractError([Fault("r"), Fault("r")]).total == 2

    def test_a_message_shows_twenty(self) -> None:
        message = str(ContractError([Fault("r", f"q{i}") for i in range(21)]))

        assert "query 'q19'" in message
        assert "query 'q20'" not in message
        assert message.endswith("\n  ... 21 faults in all, the first 20 shown")

    def test_twenty_are_shown_without_a_remark(self) -> None:
        assert "faults in all" not in str(ContractError([Fault("r", f"q{i}") for i in range(20)]))


class TestFaults:
    def test_a_thousand_are_kept_and_all_are_counted(self, parts: Parts) -> None:
        parts["corpus"] = {f"d{i}": "x" for i in range(1, 1_008)}
        refusal = refusal_of(rankeval.Protocol, **parts)

        assert (len(refusal.faults), refusal.total) == (1_000, 5 * 1_001)

    def test_places_are_looked_for_as_long_as_there_is_room(self) -> None:
        faults = Faults()
        faults.add_many(999, (Fault(Rule.K) for _ in range(999)))
        assert not faults.are_enough
        faults.add(Fault(Rule.K))
        assert faults.are_enough

    def test_nothing_found_refuses_nothing(self) -> None:
        Faults().refuse(RunError)


class TestEvery:
    def test_values_in_order(self) -> None:
        assert every(RunError, [lambda: 1, lambda: 2]) == [1, 2]

    def test_refusals_are_told_together(self) -> None:
        def refused(document: str, total: int) -> None:
            raise RunError([Fault(Rule.UNKNOWN_DOCUMENT, document=document)], total)

        calls = [lambda: refused("d7", 3), lambda: None, lambda: refused("d9", 4)]
        with pytest.raises(RunError) as refusal:
            every(RunError, calls)

        assert ([fault.document for fault in refusal.value.faults], refusal.value.total) == (["d7", "d9"], 7)

    def test_another_kind_is_not_waited_for(self) -> None:
        def refused() -> None:
            raise ProtocolError([Fault(Rule.K)])

        with pytest.raises(ProtocolError):
            every(RunError, [refused, lambda: 1])


class TestOrder:
    """When several rules are broken, all are reported, and `.rule` is the first of SPEC.md's order."""

    def broken(self, parts: Parts, upto: int) -> tuple[Parts, Any]:
        """Break the rules from the last to the first, `upto` of them."""
        run: Any = {"q1": ["d1"], "q2": "d3", "q3": ["d1", "d1"], "q4": ["d9"]}
        steps = [
            lambda: parts["qrels"]["q2"].update(d1=2),
            lambda: parts["qrels"]["q2"].pop("d2"),
            lambda: parts.update(split="train"),
            lambda: parts["qrels"].pop("q5"),
            lambda: parts["corpus"].update(d1=float("nan")),
            lambda: parts["queries"]["q3"].update(split=""),
            lambda: parts["queries"].update(q4="text"),
            lambda: parts["corpus"].update({"": "x"}),
        ]
        for step in steps[:upto]:
            step()
        return parts, run

    @pytest.mark.parametrize(
        ("upto", "first"),
        [(0, 13), (1, 12), (2, 11), (3, 10), (4, 9), (5, 8), (6, 6), (7, 5), (8, 4)],
    )
    def test_the_first_broken_rule_is_the_rule(self, parts: Parts, upto: int, first: int) -> None:
        parts, run = self.broken(parts, upto)

        assert refusal_of(rankeval.evaluate, run=run, **parts).rule == TABLE[first]

    def test_k_comes_before_everything(self, parts: Parts) -> None:
        parts["k"] = 0
        parts["corpus"] = {}
        refusal = refusal_of(rankeval.evaluate, run=[], **parts)

        assert [fault.rule for fault in refusal.faults[:3]] == [TABLE[0], TABLE[1], TABLE[1]]

    def test_all_that_apply_are_reported(self, parts: Parts) -> None:
        parts, run = self.broken(parts, 2)
        found = {fault.rule for fault in refusal_of(rankeval.evaluate, run=run, **parts).faults}

        assert found == {TABLE[i] for i in (11, 12, 13, 14, 15, 16)}

    def test_within_a_run_unknown_queries_come_before_rankings(self, protocol: rankeval.Protocol) -> None:
        run = {"q2": ["d9", "d9"], "q3": 5, "q9": []}
        rules = [fault.rule for fault in refusal_of(protocol.score, run).faults]

        assert rules == [TABLE[13], TABLE[15], TABLE[16], TABLE[16], TABLE[14]]

    def test_a_run_alone_is_refused_as_a_run(self, parts: Parts) -> None:
        assert type(refusal_of(rankeval.evaluate, run={"q9": []}, **parts)) is rankeval.RunError

    def test_a_protocol_is_refused_as_a_protocol(self, parts: Parts) -> None:
        parts["k"] = 0

        assert type(refusal_of(rankeval.evaluate, run={"q9": []}, **parts)) is rankeval.ProtocolError


class TestPlaces:
    def test_faults_of_a_run_from_a_file_carry_its_lines(self, protocol: rankeval.Protocol) -> None:
        run = Run(
            {"q2": ["d3", "d3"], "q9": []},
            locate=lambda query, position: Place("run.txt", line=len(query) * 10 + (position or 0)),
        )
        faults = refusal_of(protocol.score, run).faults

        assert [(fault.query, fault.position, fault.file, fault.line) for fault in faults] == [
            ("q9", None, "run.txt", 20),
            ("q2", 2, "run.txt", 22),
        ]

    def test_a_duplicate_names_where_it_stood_first(self, protocol: rankeval.Protocol) -> None:
        fault = refusal_of(protocol.score, {"q2": ["d3", "d1", "d3"]}).faults[0]

        assert (fault.document, fault.position, fault.detail) == ("d3", 3, "first at position 1")
