"""Exact means that grow along a ranking: what curves over cut-offs and over chunk budgets have in common."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate
from math import lcm


def running_means(shares: Iterable[tuple[int, int]], queries: int, stops: Iterable[int]) -> tuple[Fraction, ...]:
    """Give, for each stop, the mean over queries of all the unit fractions that stand at or before it.

    One common denominator turns the sums into sums of integers: a single Fraction is made for each stop.

    Args:
        shares: (position, n) for every 1/n that some query gains from that position on.
        queries: how many queries the mean is over, at least 1.
        stops: the positions to give the mean at, in any order.

    Two queries, of which one gains 1/2 at position 1 and again at 3, the other 1 at 3:

    >>> running_means([(1, 2), (3, 2), (3, 1)], 2, [1, 2, 3])
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 1))

    """
    counted = Counter(shares)
    common = lcm(*(n for _, n in counted))
    gained: Counter[int] = Counter()
    for (position, n), times in counted.items():
        gained[position] += times * (common // n)
    positions = sorted(gained)
    totals = [0, *accumulate(gained[position] for position in positions)]
    return tuple(Fraction(totals[bisect_right(positions, stop)], common * queries) for stop in stops)
