from __future__ import annotations

import re
from fractions import Fraction

import rankeval
from rankeval.formats.delta_picture import HEIGHT, WIDTH, Picture, recall_picture, rr_picture


def of_ranks(ranks: list[tuple[int, int]]) -> rankeval.Comparison:
    """A comparison with one relevant document a query, at these ranks of A and of B."""
    queries = {f"q{number}": {"text": "", "split": "s"} for number in range(len(ranks))}
    corpus = {f"d{number}": "" for number in range(10)}
    protocol = rankeval.Protocol.from_relevant(corpus, queries, {query: ["d0"] for query in queries}, "s", 10)
    others = list(corpus)[1:]

    def run(side: int) -> dict[str, list[str]]:
        return {
            query: [*others[: rank[side] - 1], "d0"] for query, rank in zip(queries, ranks, strict=True) if rank[side]
        }

    return rankeval.compare(protocol.score(run(0)), protocol.score(run(1)))


def lefts(picture: Picture) -> list[float]:
    return [float(re.match(r"M([\d.]+),", arrow.path)[1]) for arrow in picture.arrows]  # type: ignore[index]


class TestPublishedExample:
    def test_from_the_greatest_fall_to_the_greatest_rise(self, comparison: rankeval.Comparison) -> None:
        picture = rr_picture(comparison)

        assert [(arrow.queries, arrow.delta, arrow.direction) for arrow in picture.arrows] == [
            (("q2",), Fraction(-1, 2), "down"),
            (("q3",), Fraction(1, 2), "up"),
            (("q4",), Fraction(1), "up"),
        ]
        assert (picture.fell, picture.still, picture.rose) == (1, 0, 2)

    def test_recall_has_an_order_of_its_own(self, comparison: rankeval.Comparison) -> None:
        picture = recall_picture(comparison)

        assert [(arrow.queries, arrow.direction) for arrow in picture.arrows] == [
            (("q2",), "still"),
            (("q3",), "still"),
            (("q4",), "up"),
        ]
        assert (picture.fell, picture.still, picture.rose) == (0, 2, 1)

    def test_an_arrow_points_where_the_query_went(self, comparison: rankeval.Comparison) -> None:
        """The line of no change is at 90, +1 at 8 and -1 at 172; each of three queries gets 48, 8 of them a gap."""
        assert [arrow.path for arrow in rr_picture(comparison).arrows] == [
            "M38.0,90.0h40.0v34.0l-20.0,7.0l-20.0,-7.0v-34.0z",
            "M86.0,90.0h40.0v-34.0l-20.0,-7.0l-20.0,7.0v34.0z",
            "M134.0,90.0h40.0v-75.0l-20.0,-7.0l-20.0,7.0v75.0z",
        ]
        assert recall_picture(comparison).arrows[0].path == "M38.0,88.0h40.0v4h-40.0z"

    def test_the_scale(self, comparison: rankeval.Comparison) -> None:
        assert rr_picture(comparison).lines == (("+1", 8.0), ("0", HEIGHT / 2), ("-1", HEIGHT - 8.0))


class TestManyQueries:
    def test_up_to_80_have_an_arrow_each(self) -> None:
        assert len(rr_picture(of_ranks([(1, 2)] * 80)).arrows) == 80

    def test_more_are_drawn_together_where_they_moved_by_the_same(self) -> None:
        picture = rr_picture(of_ranks([(1, 2)] * 50 + [(1, 1)] * 30 + [(2, 1)] * 20))

        assert [(len(arrow.queries), arrow.direction) for arrow in picture.arrows] == [
            (50, "down"),
            (30, "still"),
            (20, "up"),
        ]
        # 100 queries between 34 and 596 have 5.62 each.
        assert lefts(picture) == [34.0, 315.0, 483.6]
        assert [re.findall(r"h([\d.]+)", arrow.path)[0] for arrow in picture.arrows] == ["281.0", "168.6", "112.4"]

    def test_every_query_stands_in_it_once(self) -> None:
        compared = of_ranks([(1 + number % 3, 1 + number % 4) for number in range(200)])
        drawn = [query for arrow in rr_picture(compared).arrows for query in arrow.queries]

        assert sorted(drawn) == sorted(row.query for row in compared.rows)

    def test_null_queries_do_not(self) -> None:
        queries = {"q1": {"text": "", "split": "s"}}
        protocol = rankeval.Protocol.from_relevant({"d": ""}, queries, {"q1": []}, "s", 1)
        report = protocol.score({})

        assert rr_picture(rankeval.compare(report, report)).arrows == ()

    def test_it_stays_within_its_size(self) -> None:
        picture = rr_picture(of_ranks([(1, 0), (0, 1)] * 40))

        assert max(lefts(picture)) < WIDTH
        assert {arrow.delta for arrow in picture.arrows} == {Fraction(-1), Fraction(1)}
