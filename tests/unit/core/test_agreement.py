from __future__ import annotations

from fractions import Fraction
from itertools import chain

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from rankeval.core.agreement import (
    Coefficient,
    LabelPairs,
    agreement,
    cohens_kappa,
    krippendorffs_alpha,
    label_pairs,
)

HALF = Fraction(1, 2)

Labels = dict[str, str]


def labelled(text: str) -> Labels:
    """Item -> label, from labels in the order of the items; a dot is a gap."""
    return {f"{item}": label for item, label in enumerate(text.split(), 1) if label != "."}


def ratings_of(*texts: str) -> dict[str, Labels]:
    return {f"annotator {number}": labelled(text) for number, text in enumerate(texts, 1)}


def tabled(table: list[list[int]]) -> tuple[Labels, Labels]:
    """The labels of two annotators whose table of labels this is: the first by rows, the second by columns."""
    cells = [[(str(row), str(column))] * times for row, own in enumerate(table) for column, times in enumerate(own)]
    both = list(chain.from_iterable(cells))
    return {f"{i}": first for i, (first, _) in enumerate(both)}, {f"{i}": second for i, (_, second) in enumerate(both)}


BINARY = ratings_of("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")
"""Krippendorff (2011), section A."""

NOMINAL = ratings_of("a a b b d c c c e d d a", "b a b b b c c c e d d d")
"""Section B."""

WITH_GAPS = ratings_of(
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
"""Section C: nominal data of any number of observers, with missing data."""

MOSTLY_GAPS = ratings_of(
    ". . . . . 3 4 1 2 1 1 3 3 . 3",
    "1 . 2 1 3 3 4 3 . . . . . . .",
    ". . 2 1 3 4 4 . 2 1 1 3 3 . 4",
)
"""Wikipedia, "Krippendorff's alpha", the computational example."""


class TestLabelPairs:
    def test_of_two_annotators(self) -> None:
        """They differ on items 1 (a, b), 5 (d, b) and 12 (a, d)."""
        found = label_pairs(NOMINAL)

        assert found.counts == {
            ("a", "a"): 1,
            ("a", "b"): 1,
            ("a", "d"): 1,
            ("b", "b"): 2,
            ("b", "d"): 1,
            ("c", "c"): 3,
            ("d", "d"): 2,
            ("e", "e"): 1,
        }
        assert list(found.counts) == sorted(found.counts)
        assert (found.pairs, found.agreeing, found.observed) == (12, 9, Fraction(3, 4))

    def test_of_four_annotators_on_one_item(self) -> None:
        """Of x, x, x, y there are three pairs that agree, and three that do not."""
        found = label_pairs(ratings_of("x", "y", "x", "x"))

        assert found.counts == {("x", "x"): 3, ("x", "y"): 3}
        assert (found.pairs, found.agreeing, found.observed) == (6, 3, HALF)

    def test_whichever_annotator_gave_which(self) -> None:
        found = label_pairs(ratings_of("x y x", "y x x"))

        assert (found.between("x", "y"), found.between("y", "x"), found.between("x", "x")) == (2, 2, 1)
        assert found.between("y", "y") == 0

    def test_a_label_that_nobody_shared_is_in_no_pair(self) -> None:
        assert label_pairs(ratings_of("x .", ". x")) == LabelPairs({})
        assert label_pairs(ratings_of("x .", ". x")).observed is None

    def test_those_who_never_agree(self) -> None:
        assert label_pairs(ratings_of("x y", "y x")).observed == 0


class TestCohensKappa:
    def test_of_cohen_1960(self) -> None:
        """Table 2: N = 200, p_o = .70, p_c = .41, kappa = .492."""
        kappa = cohens_kappa(*tabled([[88, 14, 18], [10, 40, 10], [2, 6, 12]]))

        assert kappa == Fraction(70 - 41, 100 - 41)
        assert round(float(kappa), 3) == 0.492

    def test_of_fleiss_levin_and_paik(self) -> None:
        """Statistical Methods for Rates and Proportions, 3rd ed., table 18.1: p_o = .89, kappa = .68."""
        kappa = cohens_kappa(*tabled([[75, 1, 4], [5, 4, 1], [0, 0, 10]]))

        assert kappa == Fraction(89 - 66, 100 - 66)
        assert round(float(kappa), 2) == 0.68

    def test_of_two_who_agree_less_than_by_chance(self) -> None:
        assert cohens_kappa(*tabled([[0, 1], [1, 0]])) == -1

    def test_no_agreement_but_by_chance_is_zero(self) -> None:
        assert cohens_kappa(*tabled([[1, 1], [1, 1]])) == 0

    def test_one_who_always_says_the_same(self) -> None:
        """p_o and p_c are both 1/2."""
        assert cohens_kappa(labelled("x x"), labelled("x y")) == 0

    def test_items_that_one_of_them_left_out_count_nowhere(self) -> None:
        """Shared are x-x, x-y and y-y: p_o = 2/3, p_c = 4/9."""
        assert cohens_kappa(labelled("x x y y ."), labelled("x y y . x")) == Fraction(2, 5)

    def test_undefined_where_nothing_is_shared(self) -> None:
        assert cohens_kappa(labelled("x ."), labelled(". x")) is None

    def test_undefined_where_chance_alone_would_agree(self) -> None:
        assert cohens_kappa(labelled("x x"), labelled("x x")) is None


class TestKrippendorffsAlpha:
    @pytest.mark.parametrize(
        ("ratings", "published", "digits"),
        [(BINARY, 0.095, 3), (NOMINAL, 0.692, 3), (WITH_GAPS, 0.743, 3), (MOSTLY_GAPS, 0.691, 3)],
    )
    def test_of_published_examples(self, ratings: dict[str, Labels], published: float, digits: int) -> None:
        alpha = krippendorffs_alpha(ratings)

        assert alpha is not None
        assert round(float(alpha), digits) == published

    def test_exactly(self) -> None:
        """Section A: 8 of 20 coincidences differ, of 14 zeros and 6 ones; 1 - 19 * 8 / (2 * 14 * 6)."""
        assert krippendorffs_alpha(BINARY) == Fraction(2, 21)

    def test_each_item_weighs_by_its_labels_and_not_by_their_pairs(self) -> None:
        """x, x, y adds 4 / 2 coincidences that differ, and x, x none: 1 - 4 * 2 / (25 - 16 - 1)."""
        assert krippendorffs_alpha(ratings_of("x x", "x x", "y .")) == 0

    def test_those_who_agree_on_all_of_two_labels(self) -> None:
        assert krippendorffs_alpha(ratings_of("x y", "x y", "x .")) == 1

    def test_an_item_with_one_label_takes_no_part(self) -> None:
        assert krippendorffs_alpha(ratings_of("x y z", "x y .")) == krippendorffs_alpha(ratings_of("x y", "x y")) == 1

    def test_undefined_where_no_item_has_two_labels(self) -> None:
        assert krippendorffs_alpha({}) is None
        assert krippendorffs_alpha(ratings_of("x y")) is None
        assert krippendorffs_alpha(ratings_of("x .", ". y")) is None

    def test_undefined_where_there_is_one_label_only(self) -> None:
        assert krippendorffs_alpha(ratings_of("x x y", "x x .")) is None


class TestAgreement:
    def test_of_two_is_kappa(self) -> None:
        found = agreement(ratings_of("x x y y .", "x y y . x"))

        assert (found.annotators, found.shared_items, found.pairs.observed) == (2, 3, Fraction(2, 3))
        assert (found.coefficient, found.value) == (Coefficient.KAPPA, Fraction(2, 5))
        assert str(found.coefficient) == "Cohen's kappa"

    def test_of_more_is_alpha(self) -> None:
        found = agreement(ratings_of("x x", "x x", "y ."))

        assert (found.annotators, found.shared_items, found.pairs.observed) == (3, 2, HALF)
        assert (found.coefficient, found.value) == (Coefficient.ALPHA, 0)
        assert str(found.coefficient) == "Krippendorff's alpha"

    def test_whoever_has_labelled_nothing_yet_is_no_annotator(self) -> None:
        found = agreement({**ratings_of("x y", "x y"), "late": {}})

        assert (found.annotators, found.coefficient, found.value) == (2, Coefficient.KAPPA, 1)

    @pytest.mark.parametrize("ratings", [{}, {"Ann": {}}, {"Ann": {"q1": "x"}}])
    def test_of_fewer_than_two_is_undefined(self, ratings: dict[str, Labels]) -> None:
        found = agreement(ratings)

        assert (found.shared_items, found.pairs.observed, found.value) == (0, None, None)


labels = st.sampled_from("wxyz")


class TestAgainstNltk:
    @given(st.lists(st.tuples(labels, labels), min_size=1, max_size=12))
    def test_kappa(self, both: list[tuple[str, str]]) -> None:
        first, second = ({str(i): pair[side] for i, pair in enumerate(both)} for side in (0, 1))
        kappa = cohens_kappa(first, second)
        assume(kappa is not None)
        task = AnnotationTask([(who, i, own[i]) for who, own in (("a", first), ("b", second)) for i in own])

        assert float(kappa) == pytest.approx(task.kappa(), abs=1e-9)

    @given(st.lists(st.lists(st.none() | labels, min_size=4, max_size=4), min_size=1, max_size=8))
    def test_alpha(self, items: list[list[str | None]]) -> None:
        given_labels = [
            (str(who), str(item), label)
            for item, own in enumerate(items)
            for who, label in enumerate(own)
            if label is not None
        ]
        ratings: dict[str, Labels] = {}
        for who, item, label in given_labels:
            ratings.setdefault(who, {})[item] = label
        alpha = krippendorffs_alpha(ratings)
        assume(alpha is not None)

        assert float(alpha) == pytest.approx(AnnotationTask(given_labels).alpha(), abs=1e-9)
