"""How far annotators agree on nominal labels, exactly: observed agreement first, then one coefficient beside it.

A coefficient is a ratio of two disagreements, the observed one and the one that chance would bring.  Where there is
none by chance it is 0/0: undefined, and neither 1 nor 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations_with_replacement

from rankeval.core.language import mark

Ratings = Mapping[str, Mapping[str, str]]
"""Annotator -> item -> label; an item that an annotator did not label is absent."""


@dataclass(frozen=True, slots=True)
class LabelPairs:
    """Every two annotators who labelled the same item, counted by the two labels that they gave it.

    Attributes:
        counts: two labels, the first not after the second -> how many pairs of annotators gave them; never 0.

    """

    counts: Mapping[tuple[str, str], int]

    @property
    def pairs(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def agreeing(self) -> int:
        """How many of them gave one and the same label."""
        return sum(count for (first, second), count in self.counts.items() if first == second)

    @property
    def observed(self) -> Fraction | None:
        """The share of those that agree; None where no item has two labels."""
        return Fraction(self.agreeing, self.pairs) if self.counts else None

    def between(self, first: str, second: str) -> int:
        """Give how many pairs of annotators gave two labels, whichever of them gave which."""
        return self.counts.get((min(first, second), max(first, second)), 0)


class Coefficient(StrEnum):
    """What sets observed agreement against chance."""

    KAPPA = mark("Cohen's kappa")
    ALPHA = mark("Krippendorff's alpha")


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree.

    Attributes:
        annotators: how many have labelled anything.
        shared_items: how many items have labels of two annotators or more.
        pairs: the labels of every two annotators on one item.
        coefficient: kappa where there are two annotators, alpha for any other number.
        value: its value; None where it is undefined.

    """

    annotators: int
    shared_items: int
    pairs: LabelPairs
    coefficient: Coefficient
    value: Fraction | None


def agreement(ratings: Ratings) -> Agreement:
    """Say how far annotators agree: the share that agrees, and kappa for two of them or alpha for more."""
    own = [labels for labels in ratings.values() if labels]
    two = len(own) == 2  # noqa: PLR2004 - kappa is defined for two
    return Agreement(
        annotators=len(own),
        shared_items=sum(1 for _ in _shared(ratings)),
        pairs=label_pairs(ratings),
        coefficient=Coefficient.KAPPA if two else Coefficient.ALPHA,
        value=cohens_kappa(*own) if two else krippendorffs_alpha(ratings),
    )


def label_pairs(ratings: Ratings) -> LabelPairs:
    """Count the labels that every two annotators gave to one item.

    >>> found = label_pairs({"Ann": {"q1": "same", "q2": "worse"}, "Bo": {"q1": "same", "q2": "same"}})
    >>> found.counts, found.observed
    ({('same', 'same'): 1, ('same', 'worse'): 1}, Fraction(1, 2))
    """
    counts: Counter[tuple[str, str]] = Counter()
    for labels in _shared(ratings):
        for first, second in combinations_with_replacement(sorted(labels), 2):
            times = labels[first]
            counts[first, second] += times * (times - 1) // 2 if first == second else times * labels[second]
    return LabelPairs({pair: count for pair, count in sorted(counts.items()) if count})


def cohens_kappa(first: Mapping[str, str], second: Mapping[str, str]) -> Fraction | None:
    """Give Cohen's kappa of two annotators: (p_o - p_c) / (1 - p_c).

    p_o is the share of items on which they agree, p_c the share on which they would if each gave their own labels as
    often as they do, but at random.  Items that only one of them labelled count in neither.

    J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960).

    Args:
        first: item -> label of one annotator.
        second: the same of the other.

    Returns:
        Kappa, at most 1; None where no item has both labels, or both annotators gave one and the same label to all.

    """
    shared = first.keys() & second.keys()
    items = len(shared)
    agreeing = sum(first[item] == second[item] for item in shared)
    often_first, often_second = (Counter(own[item] for item in shared) for own in (first, second))
    by_chance = sum(times * often_second[label] for label, times in often_first.items())
    if by_chance == items * items:
        return None
    return Fraction(items * agreeing - by_chance, items * items - by_chance)


def krippendorffs_alpha(ratings: Ratings) -> Fraction | None:
    """Give Krippendorff's alpha for nominal labels: 1 - D_o / D_e, for any number of annotators, gaps allowed.

    An item with m labels, two or more, adds to the coincidences of labels c and k every ordered pair of its labels,
    weighed 1 / (m - 1).  With n_c the coincidences of c with all labels and n those of all, D_o is the share of
    coincidences of two different labels, and D_e what that share would be if the n labels were paired at random.

    K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), sections C and D; "Content Analysis", ch. 11.

    Args:
        ratings: annotator -> item -> label.

    Returns:
        Alpha, at most 1; None where no item has two labels, or all labels that can be paired are one and the same.

    """
    often: Counter[str] = Counter()
    differing = Fraction(0)
    for labels in _shared(ratings):
        given = labels.total()
        often.update(labels)
        differing += Fraction(given * given - sum(times * times for times in labels.values()), given - 1)
    paired = often.total()
    differing_by_chance = paired * paired - sum(times * times for times in often.values())
    if differing_by_chance == 0:
        return None
    return 1 - (paired - 1) * differing / differing_by_chance


def _shared(ratings: Ratings) -> Iterator[Counter[str]]:
    """Give for each item with two labels or more how often each label was given to it."""
    by_item: dict[str, Counter[str]] = {}
    for own in ratings.values():
        for item, label in own.items():
            by_item.setdefault(item, Counter())[label] += 1
    return (labels for labels in by_item.values() if labels.total() > 1)
