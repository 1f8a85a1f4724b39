"""The page Why different? without a browser: the strict score beside what looser scorers would have said."""

from __future__ import annotations

from typing import Any

import pytest
from shown import record, table_in, words_of
from streamlit.testing.v1 import AppTest

import rankeval
from rankeval.core.exhibits import EXPLANATIONS, TITLES, Control
from rankeval.dashboard.library import Library, LoadedProtocol

Cranfield = tuple[LoadedProtocol, dict[str, rankeval.Run]]


def explain_page() -> None:
    from rankeval.dashboard import explain  # noqa: PLC0415 - AppTest runs the function as a script of its own

    explain.page()


def opened(**address: str) -> AppTest:
    app = AppTest.from_function(explain_page, default_timeout=60)
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


@pytest.mark.usefixtures("loaded")
class TestPublishedExample:
    """Of fixture_A: 3/4 without the missing q4 against 1/2; hit rate 1 on q2 against its Recall 1/2 (SPEC.md)."""

    def test_the_verdict_counts_the_scorers_that_differ(self) -> None:
        assert (
            "fixture_A: 3 looser scorers would have said another number. The strict one is right; each of the others is"
            " wrong." in words_of(opened())
        )

    def test_the_published_figures_come_out_labelled_as_wrong(self) -> None:
        shown = words_of(opened())
        dropping, hit_rate = "Missing queries dropped from the mean", "Hit rate passed off as Recall"

        assert "Recall@2 ✔ strict 0.5000 = 1/2 ✘ wrong 0.7500 = 3/4 +1/4" in shown.split(dropping)[1]
        assert "MRR@2 ✔ strict 0.5000 = 1/2 ✘ wrong 0.7500 = 3/4 +1/4" in shown.split(dropping)[2]
        assert "Recall@2 ✔ strict 0.5000 = 1/2 ✘ wrong 0.6667 = 2/3 +1/6" in shown.split(hit_rate)[1]

    def test_the_queries_behind_a_difference(self) -> None:
        app = opened()
        left_out, hit = table_in(app, "exhibit-0"), table_in(app, "exhibit-2")

        assert [record(left_out, 0)[name] for name in ("query", "strict", "wrong")] == ["q4", "0", "left out"]
        assert [record(hit, 0)[name] for name in ("query", "strict", "wrong")] == ["q2", "1/2", "1"]
        assert len(left_out) == len(hit) == 1

    def test_what_cannot_be_tried_says_why(self) -> None:
        shown = words_of(opened()).split("These would have said the same of this run, or cannot be tried on it")[1]

        assert "An accepted run of documents has none twice" in shown
        assert "It takes the chunk run that a run was collapsed from, and none belongs to this run." in shown
        assert "Every pair of a scored query and a document was judged: there is nothing to misread." in shown
        assert "Reciprocal rank not cut at k" in shown
        assert "Here it changes nothing." in shown

    def test_the_candidate_is_one_click_away(self) -> None:
        app = opened()
        app.segmented_control(key="explain-side").set_value("B").run()

        assert "fixture_B: 1 looser scorer would have said another number." in words_of(app)
        assert app.query_params["side"] == "B"

    def test_every_wrong_way_is_told_in_the_language_of_the_page(self) -> None:
        shown = words_of(opened(lang="zh"))

        assert "求均值时略去缺失查询" in shown
        for control in Control:
            assert TITLES[control] not in shown
            assert EXPLANATIONS[control] not in shown

    def test_what_says_the_same_of_both_measures_is_said_once(self) -> None:
        assert words_of(opened(side="B")).count("Missing queries dropped from the mean") == 1

    def test_a_side_that_there_is_not_is_said(self) -> None:
        app = opened(side="C")

        assert app.segmented_control(key="explain-side").value == "A"
        assert any("the side 'C', which there is not" in each.value for each in app.text)

    def test_the_address_names_the_side(self) -> None:
        app = opened(side="B")

        assert "fixture_B: 1 looser scorer would have said another number." in words_of(app)


class TestOtherRuns:
    def test_a_relevant_document_past_k_still_earns_in_a_loose_scorer(
        self, loaded: Library, tutorial: LoadedProtocol
    ) -> None:
        """q2 under [d1, d2, d3] has RR 1/3 uncut and 0 at k = 2 (SPEC.md); over three queries that is 1/9 against 0."""
        rankings: dict[str, list[str]] = {"q2": ["d1", "d2", "d3"], "q3": [], "q4": []}
        run = loaded.add_run(tutorial, rankeval.Run(rankings, "late"))
        app = opened(a=run.key[:12])
        uncut = words_of(app).split("Reciprocal rank not cut at k")[1]

        assert "MRR@2 ✔ strict 0.0000 = 0 ✘ wrong 0.1111 = 1/9 +1/9" in uncut
        assert [record(table_in(app, "exhibit-0"), 0)[name] for name in ("query", "strict", "wrong")] == [
            "q2",
            "0",
            "1/3",
        ]

    def test_chunk_ranks_and_repeats_of_a_run_from_chunks(
        self, loaded: Library, tutorial: LoadedProtocol, chunk_run: Any
    ) -> None:
        """q3's chunk rank gives 1/3 where its document has 1/2; its first two chunks are both d1, which hides d5."""
        own = loaded.chunk_maps(tutorial)["chunk_to_doc"]
        run = loaded.add_chunk_run(tutorial, rankeval.Run(chunk_run, "c"), own, None, "c, all chunks")
        app = opened(a=run.key[:12])
        shown = words_of(app)
        repeats = shown.split("Repeated documents counted at every occurrence")[1]
        ranks = shown.split("Chunk ranks read as document ranks")[1]

        assert "Recall@2 ✔ strict 0.6667 = 2/3 ✘ wrong 0.3333 = 1/3 -1/3" in repeats
        assert "MRR@2 ✔ strict 0.5000 = 1/2 ✘ wrong 0.4444 = 4/9 -1/18" in ranks

    def test_no_run_says_where_to_load_one(self, loaded: Library, protocol: rankeval.Protocol) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        app = opened(protocol=entry.key[:12])

        assert [each.value for each in app.info] == ["This protocol has no run yet. Load one or more under Data."]

    def test_one_run_is_explained_on_either_side(
        self, loaded: Library, protocol: rankeval.Protocol, fixture_a: Any
    ) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        loaded.add_run(entry, rankeval.Run(fixture_a, "only"))

        for side in "AB":
            assert "only: " in words_of(opened(protocol=entry.key[:12], side=side))


class TestCranfield:
    def test_dropping_the_missing_of_the_crashed_run(self, cranfield_entry: Cranfield) -> None:
        entry, runs = cranfield_entry
        report = entry.protocol.score(runs["bm25_crashed"])
        answered = [row.recall for row in report.rows if not row.missing and row.recall is not None]
        wrong = sum(answered) / len(answered)
        app = opened(protocol=entry.key[:12], a=runs["bm25_crashed"].run_sha256[:12])

        assert f"✔ strict {float(report.recall_at_k or 0):.4f} = " in words_of(app)
        assert f"✘ wrong {float(wrong):.4f} = {wrong}" in words_of(app)
        assert list(table_in(app, "exhibit-0")["query"]) == list(report.missing_queries)

    def test_what_is_zero_by_declaration_only_is_counted(self, cranfield_entry: Cranfield) -> None:
        """Each scored query has 1,400 documents; its judged ones are its relevant ones and its judged zeros."""
        entry, _runs = cranfield_entry
        protocol = entry.protocol
        zeros = protocol.provenance.judged_zero
        assert zeros is not None
        pairs = sum(
            len(protocol.corpus) - len(protocol.relevant[query]) - len(zeros.get(query, ()))
            for query in protocol.split_queries
            if protocol.relevant[query]
        )

        assert f"{pairs} pairs of a scored query and a document are 0 by declaration only." in words_of(
            opened(protocol=entry.key[:12])
        )
