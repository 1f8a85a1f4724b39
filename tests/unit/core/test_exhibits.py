from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rankeval
from rankeval.core.chunks import collapse_run
from rankeval.core.exhibits import (
    ALL_JUDGED,
    ALL_MISSING,
    DECLARED,
    EXPLANATIONS,
    NO_CHUNKS,
    NO_REPEATS,
    NOTHING_SCORED,
    TITLES,
    Behind,
    Chunks,
    Control,
    Exhibit,
    exhibits,
)
from rankeval.core.provenance import Provenance
from rankeval.core.run import Run
from rankeval.core.scoring import Measure

Rankings = dict[str, list[str]]

ZERO, THIRD, HALF, ONE = Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)


def shown(
    protocol: rankeval.Protocol, run: Run, control: Control, measure: Measure, chunks: Chunks | None = None
) -> Exhibit:
    found = exhibits(protocol, run, protocol.score(run), chunks)
    return next(each for each in found if (each.control, each.measure) == (control, measure))


class TestDocuments:
    def test_which_and_in_which_order(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        found = exhibits(protocol, Run(fixture_a), protocol.score(fixture_a))

        assert [(str(each.control), str(each.measure)) for each in found] == [
            ("dropping-missing", "recall"),
            ("dropping-missing", "rr"),
            ("hit-rate", "recall"),
            ("occurrences", "recall"),
            ("untruncated-rr", "rr"),
            ("chunk-ranks", "rr"),
            ("unjudged-as-zero", "recall"),
        ]

    @pytest.mark.parametrize("measure", Measure)
    def test_dropping_missing(self, protocol: rankeval.Protocol, fixture_a: Rankings, measure: Measure) -> None:
        found = shown(protocol, Run(fixture_a), Control.DROPPING_MISSING, measure)

        assert (found.strict, found.wrong, found.difference) == (HALF, Fraction(3, 4), Fraction(1, 4))
        assert found.behind == (Behind("q4", ZERO, None),)
        assert found.reason is None

    def test_the_two_measures_are_dropped_apart(self, protocol: rankeval.Protocol) -> None:
        run = Run({"q2": ["d3"]})

        assert shown(protocol, run, Control.DROPPING_MISSING, Measure.RECALL).wrong == HALF
        assert shown(protocol, run, Control.DROPPING_MISSING, Measure.RR).wrong == ONE

    def test_a_missing_null_query_is_behind_nothing(self, protocol: rankeval.Protocol) -> None:
        run = Run({"q2": ["d3"], "q3": [], "q4": []})
        found = shown(protocol, run, Control.DROPPING_MISSING, Measure.RECALL)

        assert (found.difference, found.behind) == (ZERO, ())

    def test_where_every_query_is_missing_none_is_left(self, protocol: rankeval.Protocol) -> None:
        found = shown(protocol, Run({}), Control.DROPPING_MISSING, Measure.RECALL)

        assert (found.strict, found.wrong, found.difference, found.reason) == (ZERO, None, None, ALL_MISSING)

    def test_hit_rate(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        """q2 finds one of two, q3 one of one, q4 nothing: 2/3 against 1/2."""
        found = shown(protocol, Run(fixture_a), Control.HIT_RATE, Measure.RECALL)

        assert (found.strict, found.wrong) == (HALF, Fraction(2, 3))
        assert found.behind == (Behind("q2", HALF, ONE),)

    def test_untruncated_rr(self, protocol: rankeval.Protocol) -> None:
        """q2's d3 at rank 3 earns 1/3 over three queries; cut at 2 it earns nothing."""
        found = shown(protocol, Run({"q2": ["d1", "d2", "d3"]}), Control.UNTRUNCATED_RR, Measure.RR)

        assert (found.strict, found.wrong) == (ZERO, Fraction(1, 9))
        assert found.behind == (Behind("q2", ZERO, THIRD),)

    def test_a_null_query_has_no_rr_uncut_either(self, protocol: rankeval.Protocol) -> None:
        found = shown(protocol, Run({"q2": ["d3"], "q5": ["d1", "d2", "d3"]}), Control.UNTRUNCATED_RR, Measure.RR)

        assert (found.strict, found.wrong, found.behind) == (THIRD, THIRD, ())

    def test_what_is_found_within_k_is_the_same_uncut(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        found = shown(protocol, Run(fixture_a), Control.UNTRUNCATED_RR, Measure.RR)

        assert (found.strict, found.wrong, found.behind) == (HALF, HALF, ())

    def test_the_greatest_difference_first_then_the_protocols_order(self, protocol: rankeval.Protocol) -> None:
        run = Run({"q2": ["d1", "d2", "d5", "d3"], "q3": ["d1", "d2", "d5"], "q4": ["d1", "d2", "d6"]})
        found = shown(protocol, run, Control.UNTRUNCATED_RR, Measure.RR)

        assert [each.query for each in found.behind] == ["q3", "q4", "q2"]

    @pytest.mark.parametrize(
        ("control", "measure", "strict", "reason"),
        [
            (Control.OCCURRENCES, Measure.RECALL, ONE, NO_REPEATS),
            (Control.CHUNK_RANKS, Measure.RR, Fraction(5, 6), NO_CHUNKS),
            (Control.UNJUDGED_AS_ZERO, Measure.RECALL, ONE, ALL_JUDGED),
        ],
    )
    def test_what_does_not_apply_says_why(
        self, protocol: rankeval.Protocol, control: Control, measure: Measure, strict: Fraction, reason: str
    ) -> None:
        run = Run({"q2": ["d3", "d4"], "q3": ["d1", "d5"], "q4": ["d6"]})

        assert shown(protocol, run, control, measure) == Exhibit(control, measure, strict, None, reason=reason)

    def test_without_an_eligible_query_nothing_applies(self, parts: dict[str, Any], fixture_a: Rankings) -> None:
        parts["qrels"] = {query: dict.fromkeys(parts["corpus"], 0) for query in parts["queries"]}
        protocol = rankeval.Protocol(**parts)
        found = exhibits(protocol, Run(fixture_a), protocol.score(fixture_a))

        assert [each.measure for each in found] == ["recall", "rr", "recall", "recall", "rr", "rr", "recall"]
        assert {(each.strict, each.wrong, each.reason) for each in found} == {(None, None, NOTHING_SCORED)}


class TestChunks:
    def test_a_chunks_rank_read_as_a_documents(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        """q2's first chunk is relevant either way; q3's d5 is document 2 and chunk 3."""
        run, _ = collapse_run(protocol, Run(chunk_run), chunk_to_doc)
        found = shown(protocol, run, Control.CHUNK_RANKS, Measure.RR, (chunk_run, chunk_to_doc))

        assert (found.strict, found.wrong) == (HALF, Fraction(4, 9))
        assert found.behind == (Behind("q3", HALF, THIRD),)

    def test_occurrences_can_crowd_out(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        """q2's d3, d3 count as two of two, which d3, d4 are too; q3's d1, d1 leave no place for d5."""
        run, _ = collapse_run(protocol, Run(chunk_run), chunk_to_doc)
        found = shown(protocol, run, Control.OCCURRENCES, Measure.RECALL, (chunk_run, chunk_to_doc))

        assert (found.strict, found.wrong) == (Fraction(2, 3), THIRD)
        assert found.behind == (Behind("q3", ONE, ZERO),)

    def test_a_fall_is_as_great_a_difference_as_a_rise(
        self, protocol: rankeval.Protocol, chunk_to_doc: dict[str, str]
    ) -> None:
        """q2's d3, d3 make 1 of 1/2; q3's d1, d1 make 0 of 1."""
        chunk_run = {"q2": ["d3a", "d3b", "d1a"], "q3": ["d1a", "d1b", "d5a"]}
        run, _ = collapse_run(protocol, Run(chunk_run), chunk_to_doc)
        found = shown(protocol, run, Control.OCCURRENCES, Measure.RECALL, (chunk_run, chunk_to_doc))

        assert found.behind == (Behind("q3", ONE, ZERO), Behind("q2", HALF, ONE))

    def test_the_naive_count_of_two_chunks(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        run, _ = collapse_run(protocol, Run(chunk_run), chunk_to_doc, 2)
        found = shown(protocol, run, Control.OCCURRENCES, Measure.RECALL, (chunk_run, chunk_to_doc))

        assert (found.strict, found.wrong) == (Fraction(1, 6), THIRD)
        assert found.behind == (Behind("q2", HALF, ONE),)

    def test_the_budget_of_the_run_is_kept(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        """q3's relevant chunk is the third, which a budget of two never received."""
        run, _ = collapse_run(protocol, Run(chunk_run), chunk_to_doc, 2)
        found = shown(protocol, run, Control.CHUNK_RANKS, Measure.RR, (chunk_run, chunk_to_doc))

        assert (found.strict, found.wrong, found.behind) == (THIRD, THIRD, ())


class TestUnjudged:
    def test_zeros_by_declaration_are_counted_on_scored_queries(
        self, protocol: rankeval.Protocol, fixture_a: Rankings
    ) -> None:
        """Of 18 pairs of q2, q3 and q4, four are relevant, and one was judged 0: q2-d3 is relevant whatever is said."""
        declared = rankeval.Protocol.from_relevant(
            protocol.corpus,
            protocol.queries,
            protocol.relevant,
            "test",
            2,
            provenance=Provenance(judged_zero={"q2": frozenset({"d1", "d3"})}),
        )
        found = shown(declared, Run(fixture_a), Control.UNJUDGED_AS_ZERO, Measure.RECALL)

        assert (found.strict, found.wrong, found.reason, found.figures) == (HALF, None, DECLARED, {"pairs": 13})

    def test_where_the_scored_queries_were_judged_there_is_nothing_to_misread(
        self, protocol: rankeval.Protocol, fixture_a: Rankings
    ) -> None:
        judged = dict.fromkeys(("q2", "q3", "q4"), frozenset(protocol.corpus))
        declared = rankeval.Protocol.from_relevant(
            protocol.corpus, protocol.queries, protocol.relevant, "test", 2, provenance=Provenance(judged_zero=judged)
        )
        found = shown(declared, Run(fixture_a), Control.UNJUDGED_AS_ZERO, Measure.RECALL)

        assert (found.reason, found.figures) == (ALL_JUDGED, {})


class TestWords:
    @pytest.mark.parametrize("control", Control)
    def test_every_control_is_told_in_words(self, control: Control) -> None:
        exhibit = Exhibit(control, Measure.RECALL, ONE, ONE)

        assert (exhibit.title, exhibit.explanation) == (TITLES[control], EXPLANATIONS[control])
        assert not exhibit.title.endswith(".")
        assert exhibit.explanation.endswith(".")

    def test_the_count_of_declared_pairs_has_its_place(self) -> None:
        assert DECLARED.format(pairs=13).startswith("13 pairs of a scored query and a document")
