"""Laws that hold for every protocol and every run (STYLE.md), on generated ones."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.core.chunk_budgets import budget_curve, two_cuts
from rankeval.core.chunks import collapse_run, score_budgets
from rankeval.core.controls import recall_dropping_missing, rr_dropping_missing
from rankeval.core.exhibits import exhibits
from rankeval.core.gaps import gaps
from rankeval.core.near_miss import NearMisses
from rankeval.core.overview import curves, distribution, regression_matrix
from rankeval.core.run import Run, _ranking_faults, count_faults
from rankeval.core.scoring import Measure, macro_average
from rankeval.core.side_by_side import side_by_side

ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)

Parts = dict[str, Any]
Rankings = dict[str, list[str]]


@st.composite
def cases(draw: st.DrawFn, runs: int = 1) -> tuple[Any, ...]:
    """Draw the parts of a protocol and some runs on it."""
    documents = draw(st.lists(ids, min_size=1, max_size=6, unique=True))
    queries = draw(st.lists(ids, min_size=1, max_size=5, unique=True))
    splits = [draw(st.sampled_from(["dev", "test"])) for _ in queries]
    splits[0] = "test"
    parts = {
        "corpus": {document: {"text": document} for document in documents},
        "queries": {query: {"text": query, "split": split} for query, split in zip(queries, splits, strict=True)},
        "qrels": {query: {document: draw(st.integers(0, 1)) for document in documents} for query in queries},
        "split": "test",
        "k": draw(st.integers(1, 7)),
    }
    in_split = [query for query, split in zip(queries, splits, strict=True) if split == "test"]
    ranking = st.lists(st.sampled_from(documents), unique=True)
    made = [{query: draw(ranking) for query in in_split if draw(st.booleans())} for _ in range(runs)]
    return (parts, *made)


@st.composite
def chunk_cases(draw: st.DrawFn) -> tuple[rankeval.Protocol, Run, dict[str, str]]:
    """Draw a protocol, a chunk run on it and its map."""
    parts, run = draw(cases())
    mapping = {f"c{i}": draw(st.sampled_from(sorted(parts["corpus"]))) for i in range(8)}
    chunks = {query: draw(st.lists(st.sampled_from(sorted(mapping)), unique=True)) for query in run}
    return rankeval.Protocol(**parts), Run(chunks), mapping


def scores(report: rankeval.Report) -> tuple[Any, Any]:
    return (report.recall_at_k, report.mrr_at_k)


class TestScores:
    @given(cases())
    def test_relabelling_ids_changes_no_score(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        relabelled = {
            "corpus": {f"<{document}>": text for document, text in parts["corpus"].items()},
            "queries": {f"[{query}]": metadata for query, metadata in parts["queries"].items()},
            "qrels": {
                f"[{query}]": {f"<{document}>": label for document, label in labels.items()}
                for query, labels in parts["qrels"].items()
            },
            "split": "test",
            "k": parts["k"],
        }
        renamed = {f"[{query}]": [f"<{document}>" for document in ranking] for query, ranking in run.items()}

        assert scores(rankeval.evaluate(run=renamed, **relabelled)) == scores(rankeval.evaluate(run=run, **parts))

    @given(cases(), st.randoms())
    def test_permuting_queries_changes_no_score(self, case: tuple[Parts, Rankings], chance: Any) -> None:
        parts, run = case
        queries, entries = list(parts["queries"].items()), list(run.items())
        chance.shuffle(queries)
        chance.shuffle(entries)
        turned = rankeval.evaluate(run=dict(entries), **{**parts, "queries": dict(queries)})

        assert scores(turned) == scores(rankeval.evaluate(run=run, **parts))

    @given(cases())
    def test_appending_documents_past_k_changes_no_score(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        longer = {
            query: ranking
            if len(ranking) < parts["k"]
            else ranking + [document for document in parts["corpus"] if document not in ranking]
            for query, ranking in run.items()
        }

        assert scores(rankeval.evaluate(run=longer, **parts)) == scores(rankeval.evaluate(run=run, **parts))

    @given(cases())
    def test_a_relevant_document_put_first_never_lowers_a_score(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        better = {}
        for query, ranking in run.items():
            absent = [
                document
                for document, label in parts["qrels"][query].items()
                if label and document not in ranking[: parts["k"]]
            ]
            first = absent[:1] if len(ranking) < parts["k"] else []
            better[query] = first + [document for document in ranking if document not in first]
        before, after = rankeval.evaluate(run=run, **parts), rankeval.evaluate(run=better, **parts)

        for row_before, row_after in zip(before.rows, after.rows, strict=True):
            assert (row_before.recall or 0) <= (row_after.recall or 0)
            assert (row_before.rr or 0) <= (row_after.rr or 0)

    @given(cases())
    def test_scores_stay_between_0_and_1(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case

        for row in rankeval.evaluate(run=run, **parts).rows:
            assert row.recall is None or 0 <= row.recall <= 1
            assert row.rr is None or 0 <= row.rr <= 1

    @given(cases())
    def test_dropping_an_entry_never_raises_a_mean(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        fewer = dict(list(run.items())[1:])
        before, after = rankeval.evaluate(run=run, **parts), rankeval.evaluate(run=fewer, **parts)

        assert (after.recall_at_k or 0) <= (before.recall_at_k or 0)
        assert after.eligible_queries == before.eligible_queries


class TestProtocols:
    @given(cases())
    def test_relevant_documents_alone_make_the_same_protocol(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        exhaustive = rankeval.Protocol(**parts)
        compact = rankeval.Protocol.from_relevant(
            parts["corpus"], parts["queries"], exhaustive.relevant, parts["split"], parts["k"]
        )

        assert compact.protocol_sha256 == exhaustive.protocol_sha256
        assert compact.score(run) == exhaustive.score(run)

    @given(cases())
    def test_a_turned_label_moves_the_fingerprint(self, case: tuple[Parts, Rankings]) -> None:
        parts, _ = case
        before = rankeval.Protocol(**parts)
        labels = next(iter(parts["qrels"].values()))
        document = next(iter(labels))
        labels[document] = 1 - labels[document]
        after = rankeval.Protocol(**parts)

        assert after.protocol_sha256 != before.protocol_sha256
        assert after.compact_sha256 != before.compact_sha256


class TestComparisons:
    @given(cases(runs=2))
    def test_swapping_turns_every_delta_round(self, case: tuple[Parts, Rankings, Rankings]) -> None:
        parts, run_a, run_b = case
        protocol = rankeval.Protocol(**parts)
        a, b = protocol.score(run_a), protocol.score(run_b)
        there, back = rankeval.compare(a, b), rankeval.compare(b, a)
        turned = {"better": "worse", "worse": "better", "entered": "left", "left": "entered"}

        for row, other in zip(there.rows, back.rows, strict=True):
            assert other.status == turned.get(row.status, row.status)
            assert (row.rr_delta or 0) == -(other.rr_delta or 0)
            assert (row.rank_delta or 0) == -(other.rank_delta or 0)

    @given(cases(runs=2))
    def test_statuses_count_every_query_once(self, case: tuple[Parts, Rankings, Rankings]) -> None:
        parts, run_a, run_b = case
        protocol = rankeval.Protocol(**parts)
        counts = rankeval.compare(protocol.score(run_a), protocol.score(run_b)).counts
        statuses = ("better", "worse", "same", "entered", "left", "neither", "null")

        assert sum(counts[status] for status in statuses) == len(protocol.split_queries)


class TestCollapse:
    @given(cases())
    def test_documents_that_are_their_own_chunks_stay_as_they_are(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        itself = {document: document for document in parts["corpus"]}
        adapted = rankeval.adapt_runs(parts["corpus"], parts["queries"], itself, run, "test")

        assert adapted.document_runs == run

    @given(cases(), st.data())
    def test_every_received_chunk_is_some_documents_evidence(
        self, case: tuple[Parts, Rankings], data: st.DataObject
    ) -> None:
        parts, run = case
        mapping = {f"c{i}": data.draw(st.sampled_from(sorted(parts["corpus"]))) for i in range(6)}
        chunks = {query: data.draw(st.lists(st.sampled_from(sorted(mapping)), unique=True)) for query in run}
        adapted = rankeval.adapt_runs(parts["corpus"], parts["queries"], mapping, chunks, "test")

        for query, evidence in adapted.evidence.items():
            ranks = sorted(rank for row in evidence["documents"] for rank in row["chunk_ranks"])
            assert ranks == list(range(1, len(chunks[query]) + 1))
            assert len(set(adapted.document_runs[query])) == evidence["distinct_documents"]

    @given(chunk_cases())
    def test_the_curve_says_of_each_budget_what_scoring_says(
        self, case: tuple[rankeval.Protocol, Run, dict[str, str]]
    ) -> None:
        protocol, chunk_run, mapping = case
        budgets = range(1, 10)
        reports = score_budgets(protocol, chunk_run, mapping, budgets)
        named = {str(point.budget or "all"): point for point in budget_curve(protocol, chunk_run, mapping, budgets)}

        assert list(named) == list(reports)
        for name, point in named.items():
            _, adapted = collapse_run(protocol, chunk_run, mapping, point.budget)
            evidence = adapted.evidence.values()
            assert (point.recall_at_k, point.mrr_at_k) == scores(reports[name])
            assert point.received_chunks == sum(each["received_chunks"] for each in evidence)
            assert point.distinct_documents == sum(each["distinct_documents"] for each in evidence)

    @given(chunk_cases(), st.integers(1, 9))
    def test_both_cuts_say_what_scoring_says_and_nothing_is_lost_but_what_is_gone(
        self, case: tuple[rankeval.Protocol, Run, dict[str, str]], budget: int
    ) -> None:
        protocol, chunk_run, mapping = case
        found = two_cuts(protocol, chunk_run, mapping, budget)
        everything, _ = collapse_run(protocol, chunk_run, mapping)
        within, _ = collapse_run(protocol, chunk_run, mapping, budget)
        lost = {each.query: list(each.documents) for each in found.lost}

        assert found.collapse_then_cut == protocol.score(everything)
        assert found.cut_then_collapse == protocol.score(within)
        for query, ranking in everything.rankings.items():
            assert within.rankings[query] + lost.get(query, []) == ranking

    @given(cases())
    def test_where_documents_are_their_own_chunks_reading_chunks_as_documents_is_no_mistake(
        self, case: tuple[Parts, Rankings]
    ) -> None:
        parts, run = case
        protocol = rankeval.Protocol(**parts)
        itself = {document: document for document in parts["corpus"]}
        found = {str(each.control): each for each in exhibits(protocol, Run(run), protocol.score(run), (run, itself))}

        assert found["occurrences"].wrong == found["occurrences"].strict
        assert found["chunk-ranks"].wrong == found["untruncated-rr"].wrong


class TestViews:
    @given(cases(runs=3))
    def test_the_matrix_counts_what_comparing_calls_a_regression(self, case: tuple[Any, ...]) -> None:
        parts, *runs = case
        protocol = rankeval.Protocol(**parts)
        reports = [protocol.score(run) for run in runs]

        assert regression_matrix(reports) == tuple(
            tuple(rankeval.compare(a, b).regressions() for b in reports) for a in reports
        )

    @given(cases())
    def test_a_curve_says_at_each_cut_off_what_scoring_there_says(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        protocol = rankeval.Protocol(**parts)
        points = curves(protocol, run).points
        report = protocol.score(run)

        assert [point.cutoff for point in points] == list(range(1, len(points) + 1))
        for point in points:
            assert (point.recall, point.mrr) == scores(protocol.with_split_and_k(k=point.cutoff).score(run))
        assert (points[-1].recall, points[-1].mrr) == scores(report) if points else report.recall_at_k is None

    @given(cases(), st.sampled_from(Measure), st.integers(1, 7))
    def test_a_distribution_holds_every_eligible_query_once(
        self, case: tuple[Parts, Rankings], measure: Measure, inner_bins: int
    ) -> None:
        parts, run = case
        report = rankeval.evaluate(run=run, **parts)
        found = distribution(report, measure, inner_bins)

        assert sum(queries for _, queries in found.values) == report.eligible_queries
        for each in found.bins:
            held = (
                queries
                for value, queries in found.values
                if value == each.low == each.high or (each.low <= value < each.high and value > 0)
            )
            assert each.queries == sum(held)

    @given(cases())
    def test_a_pull_is_the_mean_minus_the_mean_of_the_others(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        report = rankeval.evaluate(run=run, **parts)
        found = gaps(report)

        for gap in {*found.missing, *found.empty, *found.short, *found.null}:
            others = [row for row in report.rows if row.query != gap.query]
            recall, mrr = (macro_average(measure.of(row) for row in others) for measure in Measure)
            known = gap.recall is not None and recall is not None
            assert gap.recall_pull == (report.recall_at_k - recall if known else None)
            assert gap.mrr_pull == (report.mrr_at_k - mrr if known else None)
        assert found.without_missing.recall == recall_dropping_missing(report)
        assert found.without_missing.mrr == rr_dropping_missing(report)

    @given(cases())
    def test_a_headroom_is_what_the_best_answer_would_add(self, case: tuple[Parts, Rankings]) -> None:
        parts, run = case
        protocol = rankeval.Protocol(**parts)
        report = protocol.score(run)

        for gap in gaps(report).missing:
            perfect = protocol.score({**run, gap.query: sorted(protocol.relevant[gap.query])})
            if not gap.null:
                assert perfect.recall_at_k == report.recall_at_k + gap.recall_headroom
                assert perfect.mrr_at_k == report.mrr_at_k + gap.mrr_headroom

    @given(cases(runs=2), st.integers(0, 7))
    def test_every_relevant_document_has_one_place_beside_two_rankings(
        self, case: tuple[Parts, Rankings, Rankings], depth: int
    ) -> None:
        parts, run_a, run_b = case
        protocol = rankeval.Protocol(**parts)

        for query in protocol.split_queries:
            rankings = run_a.get(query, []), run_b.get(query, [])
            sides = side_by_side(protocol, query, *rankings, depth)
            for shown, beyond, ranking in zip((sides.a, sides.b), sides.relevant_beyond, rankings, strict=True):
                places = [
                    (each.document, each.rank)
                    for each in (*shown, *beyond)
                    if each.document in protocol.relevant[query]
                ]
                assert places == [
                    (document, rank) for rank, document in enumerate(ranking, 1) if document in protocol.relevant[query]
                ]


class TestCountingFaults:
    @given(st.lists(st.sampled_from(["d1", "d2", "d9", 7, None]), max_size=6) | st.just("d1"))
    def test_counts_what_would_be_made(self, ranking: object) -> None:
        known = {"d1": "", "d2": ""}
        found = list(_ranking_faults("q", ranking, known, NearMisses(known)))

        assert count_faults(ranking, known) == len(found)
