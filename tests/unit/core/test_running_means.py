from __future__ import annotations

from fractions import Fraction

from rankeval.core.running_means import running_means


class TestRunningMeans:
    def test_shares_count_from_their_position_on(self) -> None:
        assert running_means([(2, 3), (5, 6)], 1, [1, 2, 4, 5, 9]) == (
            0,
            Fraction(1, 3),
            Fraction(1, 3),
            Fraction(1, 2),
            Fraction(1, 2),
        )

    def test_equal_shares_are_all_counted(self) -> None:
        assert running_means([(1, 2), (1, 2), (1, 2)], 3, [1]) == (Fraction(1, 2),)

    def test_stops_come_in_any_order(self) -> None:
        assert running_means([(1, 2), (2, 2)], 1, [2, 1, 2]) == (1, Fraction(1, 2), 1)

    def test_without_a_share_every_mean_is_0(self) -> None:
        assert running_means([], 4, [1, 2]) == (0, 0)
