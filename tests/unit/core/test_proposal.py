"""Of the published example: d3 and d4 are relevant to q2, d5 to q3, d6 to q4, d2 to q1 (dev), and nothing to q5."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.core.contract import Place
from rankeval.core.proposal import ProposalError, propose, what_if
from rankeval.core.protocol import Judgment
from rankeval.core.provenance import Declaration, LabelChange, Proposal, Provenance

PARENT_SHA256 = "9dd1a576cc830736a0884e847845f31f2390843c27a250abf3bafaf8fa72cadb"

D2_TO_Q2 = LabelChange("q2", "d2", 1, "Ann", "it answers the second half")
D4_FROM_Q2 = LabelChange("q2", "d4", 0, "Bo", "it is on another product")
D1_TO_Q5 = LabelChange("q5", "d1", 1, "Ann", "it does say so")


def refusal_of(protocol: rankeval.Protocol, *changes: LabelChange) -> ProposalError:
    with pytest.raises(ProposalError) as refusal:
        propose(protocol, changes)
    return refusal.value


def changed(**fields: Any) -> LabelChange:
    """A change that would be fine but for what is given."""
    return LabelChange(**{"query": "q2", "document": "d2", "label": 1, "who": "Ann", "why": "it helps"} | fields)


class TestPropose:
    def test_the_judgments_are_those_of_a_protocol_frozen_with_them(
        self, protocol: rankeval.Protocol, parts: dict[str, Any]
    ) -> None:
        parts["qrels"]["q2"] |= {"d2": 1, "d4": 0}
        parts["qrels"]["q5"] |= {"d1": 1}
        proposed = propose(protocol, [D2_TO_Q2, D1_TO_Q5, D4_FROM_Q2])
        frozen = rankeval.Protocol(**parts)

        assert dict(proposed.relevant) == dict(frozen.relevant)
        assert proposed.relevant["q2"] == {"d2", "d3"}
        assert proposed.compact_sha256 == frozen.compact_sha256
        assert proposed.protocol_sha256 == frozen.protocol_sha256

    def test_everything_else_stays(self, protocol: rankeval.Protocol) -> None:
        proposed = propose(protocol, [D2_TO_Q2])

        assert proposed.corpus is protocol.corpus
        assert proposed.queries is protocol.queries
        assert (proposed.split, proposed.k, proposed.split_queries) == ("test", 2, ("q2", "q3", "q4", "q5"))
        assert proposed.relevant["q3"] == {"d5"}

    def test_the_protocol_that_stands_is_left_as_it_is(self, protocol: rankeval.Protocol) -> None:
        before = protocol.compact_sha256
        proposed = propose(protocol, [D2_TO_Q2])

        assert protocol.relevant["q2"] == {"d3", "d4"}
        assert (protocol.compact_sha256, protocol.protocol_sha256) == (before, PARENT_SHA256)
        assert proposed != protocol
        assert protocol.provenance == Provenance()

    def test_provenance_says_from_what_and_who_and_why(self, protocol: rankeval.Protocol) -> None:
        (proposal,) = propose(protocol, [D2_TO_Q2, D4_FROM_Q2]).provenance.proposals

        assert proposal == Proposal(PARENT_SHA256, protocol.compact_sha256, (D2_TO_Q2, D4_FROM_Q2))

    def test_a_proposal_from_a_proposal_keeps_both(self, protocol: rankeval.Protocol) -> None:
        first = propose(protocol, [D2_TO_Q2])
        second = propose(first, [D4_FROM_Q2])

        assert [each.changes for each in second.provenance.proposals] == [(D2_TO_Q2,), (D4_FROM_Q2,)]
        assert second.provenance.proposals[1].parent_compact_sha256 == first.compact_sha256

    def test_what_a_file_states_is_taken_as_the_parents_fingerprint(self, protocol: rankeval.Protocol) -> None:
        """It may be too costly to recompute."""
        stated = rankeval.Protocol.from_relevant(
            protocol.corpus, protocol.queries, protocol.relevant, "test", 2, recorded_sha256="0" * 64
        )
        proposed = propose(stated, [D2_TO_Q2])

        assert proposed.provenance.proposals[0].parent_protocol_sha256 == "0" * 64
        assert proposed.protocol_sha256_verified

    def test_queries_of_another_split_can_be_changed_too(self, protocol: rankeval.Protocol) -> None:
        assert propose(protocol, [changed(query="q1", document="d1")]).relevant["q1"] == {"d1", "d2"}

    @given(st.lists(st.tuples(st.sampled_from(["q1", "q2", "q5"]), st.sampled_from("abc")), min_size=1, unique=True))
    def test_proposing_the_opposite_gives_the_protocol_again(self, pairs: list[tuple[str, str]]) -> None:
        queries = {query: {"text": query, "split": "test"} for query in ("q1", "q2", "q5")}
        protocol = rankeval.Protocol.from_relevant(
            dict.fromkeys("abc", "text"), queries, {"q1": ["a"], "q2": ["a", "b"], "q5": []}, "test", 1
        )
        there = [
            LabelChange(query, document, int(document not in protocol.relevant[query]), "Ann", "why")
            for query, document in pairs
        ]
        back = [LabelChange(each.query, each.document, 1 - each.label, "Bo", "why not") for each in there]
        proposed = propose(protocol, there)

        assert proposed != protocol
        assert propose(proposed, back) == protocol


class TestWhatIsKept:
    @pytest.fixture
    def sparse(self, protocol: rankeval.Protocol) -> rankeval.Protocol:
        """The published example as though six pairs had been judged: its five relevant ones, and q2-d1 as 0."""
        zeros = {query: frozenset[str]() for query in protocol.queries} | {"q2": frozenset({"d1"})}
        provenance = Provenance(
            declarations=(Declaration("unlisted-nonrelevant", "pooled", "24 of 30 pairs"),),
            judged_pairs=6,
            judged_zero=zeros,
            statements={"criterion": "c"},
            notes=("n",),
        )
        return rankeval.Protocol.from_relevant(
            protocol.corpus, protocol.queries, protocol.relevant, "test", 2, provenance=provenance
        )

    def test_declarations_statements_and_notes(self, sparse: rankeval.Protocol) -> None:
        kept, known = propose(sparse, [D2_TO_Q2]).provenance, sparse.provenance

        assert (kept.declarations, kept.statements, kept.notes) == (known.declarations, {"criterion": "c"}, ("n",))

    def test_a_pair_that_nobody_had_judged_is_judged_now(self, sparse: rankeval.Protocol) -> None:
        proposed = propose(sparse, [D2_TO_Q2])

        assert (proposed.provenance.judged_pairs, proposed.provenance.judged_zero) == (7, sparse.provenance.judged_zero)

    def test_a_zero_that_was_judged_is_one_no_more(self, sparse: rankeval.Protocol) -> None:
        proposed = propose(sparse, [changed(document="d1")])

        assert proposed.provenance.judged_pairs == 6
        assert proposed.provenance.judged_zero == dict.fromkeys(("q1", "q2", "q3", "q4", "q5"), frozenset())

    def test_a_zero_that_is_proposed_is_judged_and_not_declared(self, sparse: rankeval.Protocol) -> None:
        proposed = propose(sparse, [D4_FROM_Q2])

        assert proposed.provenance.judged_pairs == 6
        assert proposed.judgment("q2", "d4") is Judgment.NOT_RELEVANT_JUDGED
        assert proposed.judgment("q2", "d1") is Judgment.NOT_RELEVANT_JUDGED
        assert proposed.judgment("q2", "d2") is Judgment.NOT_RELEVANT_DECLARED

    def test_a_query_that_the_zeros_do_not_name(self, protocol: rankeval.Protocol) -> None:
        sparse = rankeval.Protocol.from_relevant(
            protocol.corpus, protocol.queries, protocol.relevant, "test", 2, provenance=Provenance(judged_zero={})
        )
        proposed = propose(sparse, [D4_FROM_Q2, D1_TO_Q5])

        assert proposed.provenance.judged_zero == {"q2": {"d4"}, "q5": frozenset()}
        assert proposed.provenance.judged_pairs is None

    def test_where_all_was_judged_all_stays_judged(self, protocol: rankeval.Protocol) -> None:
        kept = propose(protocol, [D2_TO_Q2]).provenance

        assert (kept.judged_pairs, kept.judged_zero) == (None, None)


class TestRefusals:
    def test_no_change(self, protocol: rankeval.Protocol) -> None:
        assert str(refusal_of(protocol)) == "a proposal changes at least one judgment"

    @pytest.mark.parametrize(
        ("fields", "detail"),
        [
            ({"query": "q9"}, "no such query"),
            ({"query": "Q2"}, "no such query; near miss: 'Q2' is not 'q2'"),
            ({"query": ["q2"]}, "no such query"),
            ({"document": "d9"}, "no such document"),
            ({"document": "d2 "}, "no such document; near miss: 'd2 ' is not 'd2'"),
            ({"document": ""}, "no such document"),
            ({"query": "q9", "document": "d9"}, "no such query; no such document"),
        ],
    )
    def test_a_pair_outside(self, protocol: rankeval.Protocol, fields: dict[str, Any], detail: str) -> None:
        refusal = refusal_of(protocol, changed(**fields))

        assert refusal.rule == "a proposed judgment must be of a query and a document of the protocol"
        assert (refusal.total, refusal.faults[0].detail) == (1, detail)

    @pytest.mark.parametrize("label", [2, -1, True, "1", 1.0, None])
    def test_a_label_that_is_none(self, protocol: rankeval.Protocol, label: Any) -> None:
        refusal = refusal_of(protocol, changed(label=label))

        assert refusal.rule == "qrels labels must be integer 0 or 1"
        assert (refusal.total, refusal.faults[0].detail) == (1, f"the label is {label!r}")

    @pytest.mark.parametrize(("document", "label"), [("d3", 1), ("d2", 0)])
    def test_a_change_that_changes_nothing(self, protocol: rankeval.Protocol, document: str, label: int) -> None:
        refusal = refusal_of(protocol, changed(document=document, label=label))

        assert refusal.rule == "a proposed label must differ from the one that stands"
        assert refusal.faults[0].detail == f"the label is {label} already"

    def test_a_pair_twice(self, protocol: rankeval.Protocol) -> None:
        refusal = refusal_of(protocol, D2_TO_Q2, D1_TO_Q5, changed(who="Bo"))

        assert refusal.rule == "a query-document pair is proposed twice"
        assert (refusal.total, str(refusal.faults[0])) == (1, "query 'q2', document 'd2': first by 'Ann'")

    def test_a_pair_with_both_labels(self, protocol: rankeval.Protocol) -> None:
        refusal = refusal_of(protocol, D2_TO_Q2, changed(label=0))

        assert refusal.rule == "a query-document pair is proposed with both labels"
        assert refusal.faults[0].detail == "first by 'Ann'"

    @pytest.mark.parametrize(
        ("fields", "detail"),
        [
            ({"why": ""}, "why is empty"),
            ({"why": " \n"}, "why is empty"),
            ({"who": "\t"}, "who is empty"),
            ({"who": None}, "who is None, which is no text"),
            ({"why": "\ud800"}, "why holds half a character"),
        ],
    )
    def test_nobody_or_no_reason(self, protocol: rankeval.Protocol, fields: dict[str, Any], detail: str) -> None:
        refusal = refusal_of(protocol, changed(**fields))

        assert refusal.rule == "a proposed label needs somebody who proposes it, and a reason"
        assert (refusal.total, refusal.faults[0].detail) == (1, detail)

    def test_all_at_once_in_the_order_of_the_rules(self, protocol: rankeval.Protocol) -> None:
        refusal = refusal_of(
            protocol,
            changed(why=""),
            changed(document="d3"),
            changed(document="d4", label=0),
            changed(document="d4", label=1),
            changed(),
            changed(query="q9"),
            changed(document="d5", label=5),
        )

        assert [(fault.rule, fault.query, fault.document) for fault in refusal.faults] == [
            ("qrels labels must be integer 0 or 1", "q2", "d5"),
            ("a proposed judgment must be of a query and a document of the protocol", "q9", "d2"),
            ("a query-document pair is proposed twice", "q2", "d2"),
            ("a query-document pair is proposed with both labels", "q2", "d4"),
            ("a proposed label must differ from the one that stands", "q2", "d3"),
            ("a proposed label must differ from the one that stands", "q2", "d4"),
            ("a proposed label needs somebody who proposes it, and a reason", "q2", "d2"),
        ]

    @pytest.mark.parametrize(("unit", "first"), [("line", "first on line 2"), ("row", "first on row 2")])
    def test_places_of_a_file(self, protocol: rankeval.Protocol, unit: str, first: str) -> None:
        places = [Place("changes", **{unit: number}) for number in (2, 5)]
        refusal = refusal_of(protocol, changed(place=places[0]), changed(place=places[1]))

        assert str(refusal.faults[0]) == f"changes, {unit} 5, query 'q2', document 'd2': {first}"

    def test_a_refusal_changes_nothing(self, protocol: rankeval.Protocol) -> None:
        refusal_of(protocol, D2_TO_Q2, changed(query="q9"))

        assert protocol.relevant["q2"] == {"d3", "d4"}


class TestWhatIf:
    def test_both_scores_each_under_its_fingerprint(
        self, protocol: rankeval.Protocol, fixture_a: dict[str, list[str]]
    ) -> None:
        """With d1 relevant to q2 beside d3 and d4, fixture_A's q2 has two of three; q3 is all right, q4 missing."""
        proposed = propose(protocol, [changed(document="d1")])
        found = what_if(protocol, proposed, fixture_a)

        assert found.standing == protocol.score(fixture_a)
        assert (found.standing.recall_at_k, found.proposed.recall_at_k) == (Fraction(1, 2), Fraction(5, 9))
        assert list(found.as_dict()) == [PARENT_SHA256, proposed.protocol_sha256]
        assert found.as_dict()[PARENT_SHA256] == protocol.score(fixture_a).as_dict()
        assert found.as_dict()[proposed.protocol_sha256]["recall_at_k"] == Fraction(5, 9)

    def test_over_several_steps(self, protocol: rankeval.Protocol) -> None:
        second = propose(propose(protocol, [D2_TO_Q2]), [D4_FROM_Q2])

        assert what_if(protocol, second, {}).proposed.compact_sha256 == second.compact_sha256

    def test_a_protocol_from_elsewhere_is_refused(self, protocol: rankeval.Protocol) -> None:
        proposed = propose(protocol, [D2_TO_Q2])
        other = protocol.with_split_and_k(k=3)
        with pytest.raises(ProposalError) as refusal:
            what_if(other, proposed, {})
        made, given = proposed.compact_sha256[:12], other.compact_sha256[:12]

        assert refusal.value.rule == "a what-if needs a protocol and a proposal made from it"
        assert refusal.value.faults[0].detail == f"{made} was not made from {given} (compact)"

    @pytest.mark.parametrize(("split", "k"), [("dev", 2), ("test", 3)])
    def test_another_split_or_cut_off_is_refused_too(self, protocol: rankeval.Protocol, split: str, k: int) -> None:
        proposed = propose(protocol, [D2_TO_Q2]).with_split_and_k(split, k)

        with pytest.raises(ProposalError, match="a what-if needs"):
            what_if(protocol, proposed, {})

    def test_the_wrong_way_round_is_refused(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(ProposalError, match="a what-if needs"):
            what_if(propose(protocol, [D2_TO_Q2]), protocol, {})

    def test_a_run_that_does_not_fit_is_refused(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.RunError):
            what_if(protocol, propose(protocol, [D2_TO_Q2]), {"q2": ["d9"]})
