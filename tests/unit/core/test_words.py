from __future__ import annotations

from fractions import Fraction
from gettext import NullTranslations

import pytest

import rankeval
from rankeval.core.comparison import Status
from rankeval.core.run import FromChunks
from rankeval.core.words import (
    count_said,
    decimal,
    marked_status,
    movement,
    signed,
    signed_exactly,
    status_word,
    verdict,
)

Rankings = dict[str, list[str]]


def compared(protocol: rankeval.Protocol, a: Rankings, b: Rankings) -> rankeval.Comparison:
    return rankeval.compare(protocol.score(a), protocol.score(b))


class TestAskedFor:
    """What a translator needs to tell apart: where a word stands, and how many there are."""

    def test_a_status(self, asked: NullTranslations) -> None:
        assert status_word(Status.WORSE, asked) == "[status|worse]"

    def test_a_verdict(self, protocol: rankeval.Protocol, asked: NullTranslations) -> None:
        a, b = {"q2": ["d1", "d3"], "q3": ["d1", "d5"]}, {"q2": ["d3"], "q3": ["d5"], "q4": ["d6"]}
        said = verdict("x", "y", compared(protocol, a, b), asked)

        assert said.startswith(
            "y against x: 2 [status|better][between counts|, ]1 [status|entered][between clauses|; ]"
        )

    def test_how_many_are_missing(self, protocol: rankeval.Protocol, asked: NullTranslations) -> None:
        said = verdict("x", "y", compared(protocol, {}, {}), asked)

        assert "<4 query is missing in A|4 queries are missing in A|4>" in said

    def test_names_that_are_missing(self, protocol: rankeval.Protocol, asked: NullTranslations) -> None:
        assert "q2[between names|, ]q3 and q4 are missing in A" in verdict(
            "x", "y", compared(protocol, {"q5": []}, {"q2": [], "q3": [], "q4": [], "q5": []}), asked
        )

    def test_counts(self, asked: NullTranslations) -> None:
        assert count_said("regression", 2, asked) == "<2 regression|2 regressions|2>"
        assert count_said("improvement", 1, asked) == "<1 improvement|1 improvements|1>"
        assert count_said("worse", 2, asked).startswith("▼ ")
        assert count_said("worse", 2, asked) != count_said("worse", 2)


class TestVerdict:
    def test_of_the_published_example(
        self, protocol: rankeval.Protocol, fixture_a: Rankings, fixture_b: Rankings
    ) -> None:
        assert verdict("fixture_A", "fixture_B", compared(protocol, fixture_a, fixture_b)) == (
            "fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3;"
            " q4 is missing in A; 1 null"
        )

    def test_nothing_moved_and_many_are_missing(self, protocol: rankeval.Protocol) -> None:
        assert verdict("x", "y", compared(protocol, {"q5": []}, {})) == (
            "y against x: no first relevant rank moved; Recall 0, MRR 0; q2, q3 and q4 are missing in A;"
            " 4 queries are missing in B; 1 null"
        )

    def test_no_null(self, protocol: rankeval.Protocol) -> None:
        dev = protocol.with_split_and_k(split="dev")

        assert verdict("x", "y", compared(dev, {"q1": ["d2"]}, {"q1": ["d2"]})) == (
            "y against x: no first relevant rank moved; Recall 0, MRR 0"
        )

    def test_left(self, protocol: rankeval.Protocol) -> None:
        found = verdict("x", "y", compared(protocol, {"q4": ["d6"]}, {"q4": ["d1"]}))

        assert found.startswith("y against x: 1 left; Recall -1/3, MRR -1/3; ")

    @pytest.mark.parametrize(
        ("origins", "said"),
        [
            ((None, None), ""),
            ((FromChunks("r", "a" * 64, 2), FromChunks("s", "a" * 64, 2)), ""),
            (
                (FromChunks("r", "a" * 64, 1), FromChunks("r", "a" * 64, 2)),
                (
                    "; two experiments, not one: A takes the first 1 chunk, map aaaaaaaa,"
                    " B takes the first 2 chunks, map aaaaaaaa"
                ),
            ),
            (
                (None, FromChunks("r", "b" * 64, None)),
                "; two experiments, not one: A ranks documents, B takes all received chunks, map bbbbbbbb",
            ),
            (
                (FromChunks("r", "a" * 64, None), FromChunks(None, "a" * 64, None)),
                (
                    "; perhaps two experiments, not one: A takes all received chunks, map aaaaaaaa,"
                    " B takes a number of chunks that is not stated, map aaaaaaaa"
                ),
            ),
            (
                (FromChunks(None, "a" * 64, None), FromChunks(None, "b" * 64, None)),
                (
                    "; two experiments, not one: A takes a number of chunks that is not stated, map aaaaaaaa,"
                    " B takes a number of chunks that is not stated, map bbbbbbbb"
                ),
            ),
        ],
    )
    def test_other_maps_or_numbers_of_chunks(
        self, protocol: rankeval.Protocol, origins: tuple[FromChunks | None, FromChunks | None], said: str
    ) -> None:
        comparison = compared(protocol, {}, {})
        plain = verdict("x", "y", comparison)

        assert verdict("x", "y", comparison, origins=origins) == plain + said


class TestMarkedStatus:
    @pytest.mark.parametrize(
        ("a", "b", "marked"),
        [
            ({"q2": ["d3"]}, {"q2": ["d3"]}, "＝ same"),
            ({}, {"q2": ["d3"]}, "⇥ entered · missing in A"),
            ({"q2": ["d3"]}, {}, "⇤ left · missing in B"),
            ({}, {}, "∅ neither · missing in A and B"),
        ],
    )
    def test_the_sides_on_which_a_query_is_missing(
        self, protocol: rankeval.Protocol, a: Rankings, b: Rankings, marked: str
    ) -> None:
        (row,) = (row for row in compared(protocol, a, b).rows if row.query == "q2")

        assert marked_status(row) == marked

    def test_null_is_marked_too(self, protocol: rankeval.Protocol) -> None:
        (row,) = (row for row in compared(protocol, {}, {"q5": []}).rows if row.query == "q5")

        assert marked_status(row) == "– null · missing in A"


class TestMovement:
    @pytest.mark.parametrize(
        ("a", "b", "documents", "sentence"),
        [
            (["d3"], ["d1", "d3"], ("d3", "d3"), "d3 fell from 1 to 2"),
            (["d1", "d3"], ["d3"], ("d3", "d3"), "d3 rose from 2 to 1"),
            (["d3"], ["d3"], ("d3", "d3"), "d3 stayed at 1"),
            (["d3"], ["d3", "d4"], ("d3", "d3"), "d3 stayed at 1; Recall rose from 1/2 to 1"),
            (["d3", "d4"], ["d1", "d3"], ("d3", "d3"), "d3 fell from 1 to 2; Recall fell from 1 to 1/2"),
            (["d3"], ["d1", "d4"], ("d3", "d4"), "the first relevant document was d3 at 1, and is d4 at 2"),
            ([], ["d4"], (None, "d4"), "d4 entered at 1; A had no relevant document within the cut-off"),
            (["d3"], [], ("d3", None), "d3 stood at 1; B has no relevant document within the cut-off"),
            ([], [], (None, None), "neither side has a relevant document within the cut-off"),
        ],
    )
    def test_one_sentence(
        self,
        protocol: rankeval.Protocol,
        a: list[str],
        b: list[str],
        documents: tuple[str | None, str | None],
        sentence: str,
    ) -> None:
        assert movement(compared(protocol, {"q2": a}, {"q2": b}).rows[0], documents) == sentence

    def test_null(self, protocol: rankeval.Protocol) -> None:
        row = compared(protocol, {}, {}).rows[3]

        assert movement(row, (None, None)) == "no document is relevant to this query, so there is nothing to find"


class Bracketed(NullTranslations):
    """A language in which every message is the English one between brackets."""

    def gettext(self, message: str) -> str:
        return f"[{message}]"

    def pgettext(self, context: str, message: str) -> str:
        return message if context.startswith("between") else f"[{message}]"

    def ngettext(self, one: str, many: str, count: int) -> str:
        return f"[{one if count == 1 else many}]"


class TestLanguage:
    def test_every_word_of_a_sentence_comes_from_the_catalogue(self, protocol: rankeval.Protocol) -> None:
        found = compared(protocol, {"q2": ["d3"], "q5": []}, {})

        assert verdict("x", "y", found, Bracketed()) == (
            "[y against x: [1 [left]]; [Recall -1/6, MRR -1/3]; [q3 and q4 are missing in A];"
            " [4 queries are missing in B]; [1 [null]]]"
        )
        assert marked_status(found.rows[0], Bracketed()) == "[⇤ [left] · missing in B]"
        assert movement(found.rows[0], ("d3", None), Bracketed()) == (
            "[d3 stood at 1; B has no relevant document within the cut-off]"
        )


class TestFigures:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (Fraction(1, 999), "+1/999"),
            (Fraction(1, 1000), "+0.0010"),
            (Fraction(-1, 10_001), "-<0.0001"),
            (Fraction(1, 10_000), "+0.0001"),
            (Fraction(0), "0"),
            (None, "null"),
        ],
    )
    def test_signed(self, value: Fraction | None, text: str) -> None:
        assert signed(value) == text

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (Fraction(2, 3), "0.6667"),
            (Fraction(1, 20_000), "0.0000"),
            (Fraction(3, 20_000), "0.0002"),
            (Fraction(-5, 2), "-2.5000"),
        ],
    )
    def test_decimal_rounds_half_to_even(self, value: Fraction, text: str) -> None:
        assert decimal(value) == text


class TestCounts:
    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("left", "⇤ 3 left"),
            ("null", "– 3 null"),
            ("missing_a", "3 missing in A"),
            ("missing_b", "3 missing in B"),
            ("regression", "3 regressions"),
            ("improvement", "3 improvements"),
        ],
    )
    def test_each_has_its_word(self, name: str, said: str) -> None:
        assert count_said(name, 3) == said

    def test_all_of_a_comparison_have(self, comparison: rankeval.Comparison) -> None:
        assert all(count_said(name, count) for name, count in comparison.counts.items())


class TestSignedExactly:
    @pytest.mark.parametrize(
        ("value", "said"),
        [(Fraction(1, 1009), "+1/1009"), (Fraction(-1, 1009), "-1/1009"), (Fraction(0), "0"), (None, "null")],
    )
    def test_no_digit_is_dropped(self, value: Fraction | None, said: str) -> None:
        assert signed_exactly(value) == said
