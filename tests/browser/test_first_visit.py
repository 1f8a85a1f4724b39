"""What a new user does: look, read, bring their own files, and read a refusal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from visitor import click_row, expect_selected, open_compare, select_row, settle, table_rows, upload, verdict

import rankeval
from rankeval.core.words import verdict as worded
from rankeval.formats import Declared, frozen_protocol_json

pytestmark = pytest.mark.browser

CASES = Path(__file__).parents[3] / "shared" / "cases"


class TestPublishedExample:
    def test_the_verdict_is_there_without_an_upload(self, page: Page) -> None:
        open_compare(page)

        assert verdict(page) == (
            "fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3;"
            " q4 is missing in A; 1 null"
        )
        expect(page.locator(".st-key-protocol-bar")).to_contain_text("9dd1a576cc83")
        expect(page.locator(".st-key-denominator")).to_contain_text(
            "A: 3 scored = 2 with results + 0 empty as 0 + 1 missing as 0; 1 null, left out"
        )

    def test_q2_is_worse_with_plus_1_and_stands_first(self, page: Page) -> None:
        open_compare(page)
        first = table_rows(page)[0]
        cells = first[first.index("q2") :]

        assert cells[:4] == ["q2", "▼ worse", "1", "2"]
        assert [float(cell) for cell in cells[4:7]] == [1, -0.5, 0]

    def test_the_worst_query_is_open(self, page: Page) -> None:
        open_compare(page)
        pane = page.locator(".st-key-query-pane")

        expect(pane).to_contain_text("d3 fell from 1 to 2")
        expect(pane).to_contain_text("有哪些导出格式，分别怎样导出？")
        expect(pane).to_contain_text("Which export formats are there")

    def test_a_selected_row_is_read_and_stands_in_the_address(self, page: Page) -> None:
        open_compare(page)
        select_row(page, 2)
        expect(page.locator(".st-key-query-pane")).to_contain_text("d6 entered at 1")

        assert "query=q4" in page.url

    def test_a_link_opens_the_same_view_for_somebody_else(self, page: Page, chromium: Browser) -> None:
        open_compare(page)
        select_row(page, 1)
        expect(page.locator(".st-key-query-pane")).to_contain_text("d5 rose from 2 to 1")
        other = chromium.new_page()
        other.goto(page.url)

        expect(other.locator(".st-key-query-pane")).to_contain_text("d5 rose from 2 to 1")
        other.close()

    def test_arrow_keys_go_from_query_to_query(self, page: Page) -> None:
        open_compare(page)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".st-key-query-pane")).to_contain_text("d5 rose from 2 to 1")
        expect(page.locator(".st-key-previous button")).to_be_enabled()
        settle(page)
        page.keyboard.press("ArrowLeft")

        expect(page.locator(".st-key-query-pane")).to_contain_text("d3 fell from 1 to 2")

    def test_the_table_shows_the_query_that_the_keys_went_to(self, page: Page) -> None:
        open_compare(page)
        select_row(page, 2)
        expect(page.locator(".st-key-query-pane")).to_contain_text("d6 entered at 1")
        settle(page)
        page.locator(".st-key-previous button").click()
        expect(page.locator(".st-key-query-pane")).to_contain_text("d5 rose from 2 to 1")

        expect_selected(page, 1)

    def test_a_click_anywhere_in_a_row_reads_it(self, page: Page) -> None:
        open_compare(page)
        click_row(page, "compare-table", 1, 200)
        expect(page.locator(".st-key-query-pane")).to_contain_text("d5 rose from 2 to 1")

        expect_selected(page, 1)

    def test_a_pill_narrows_the_table(self, page: Page) -> None:
        open_compare(page)
        page.get_by_role("radio", name="1 entered").or_(page.get_by_role("button", name="1 entered")).first.click()
        expect(page.locator(".st-key-query-pane")).to_contain_text("d6 entered at 1")

        assert "filter=entered" in page.url

    def test_compare_has_a_path_of_its_own(self, page: Page) -> None:
        open_compare(page, "/compare")

        assert verdict(page).startswith("fixture_B against fixture_A")

    def test_the_larger_sample_is_one_click_away(self, page: Page) -> None:
        open_compare(page)
        page.get_by_role("button", name="A help centre").click()

        expect(page.locator(".rk-verdict")).to_contain_text("char_ngrams against bm25")


class TestOwnFiles:
    def test_cranfield_from_upload_to_both_rankings(self, page: Page, cranfield: Path, tmp_path: Path) -> None:
        protocol = rankeval.read_protocol(
            cranfield, split="test", k=10, declared=Declared("all 1400 documents were judged", 1)
        )
        frozen = tmp_path / "cranfield.json"
        frozen.write_text("".join(frozen_protocol_json(protocol)), encoding="utf-8")
        runs = [cranfield / "runs" / f"{name}.trec" for name in ("bm25", "minilm")]
        comparison = rankeval.compare(*(protocol.score(rankeval.read_run(run)) for run in runs))

        page.goto("/data")
        upload(page, "upload-protocol", "load-protocol", [frozen], "accepted protocol: cranfield.json")
        upload(page, "upload-runs", "load-runs", runs, "accepted run: minilm.trec")
        page.get_by_role("link", name="Compare").click()
        expect(page.locator(".rk-verdict")).to_have_text(worded("bm25", "minilm", comparison))
        expect(page.locator(".st-key-protocol-bar")).to_contain_text("all 1400 documents were judged")
        settle(page)

        select_row(page, 3)
        page.wait_for_function("location.search.includes('query=')")
        query = re.search(r"query=([^&]+)", page.url)
        assert query is not None
        pane = page.locator(".st-key-query-pane")
        expect(pane).to_contain_text(str(protocol.queries[query[1]]["text"]))
        for run in runs:
            first = rankeval.read_run(run).rankings[query[1]][0]
            expect(pane.locator(".rk-two > div", has_text=run.stem)).to_contain_text(f"1{first}")

    def test_a_refused_file_says_why_and_leaves_nothing(self, page: Page, tmp_path: Path) -> None:
        good, bad = tmp_path / "mine.json", tmp_path / "again" / "mine.json"
        bad.parent.mkdir()
        good.write_text(json.dumps({"q2": ["d3"]}))
        bad.write_text(json.dumps({"q2": ["d3", "d3"]}))
        page.goto("/data")
        upload(page, "upload-runs", "load-runs", [good], "accepted run: mine.json")
        page.reload()
        upload(page, "upload-runs", "load-runs", [bad], "refused run: mine.json")
        report = page.locator(".st-key-upload-report")
        expect(report).to_contain_text("duplicate document ID; deduplicate upstream explicitly")
        expect(report).not_to_contain_text("accepted run: mine.json")
        page.get_by_role("link", name="Compare").click()
        expect(page.locator(".rk-verdict")).to_be_visible()
        settle(page)
        page.locator(".st-key-select-a").click()

        expect(page.get_by_role("option", name="fixture_B")).to_be_visible()
        expect(page.get_by_role("option", name="mine")).to_have_count(0)

    @pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared/cases, which is not beside this checkout")
    def test_a_second_upload_of_the_same_name_shows_its_own_numbers(self, page: Page) -> None:
        case = CASES / "b27-upload-again-same-name"
        page.goto("/data")
        upload(page, "upload-protocol", "load-protocol", [case / "protocol.json"], "accepted protocol: protocol.json")
        upload(page, "upload-runs", "load-runs", [case / "first" / "run.json"], "accepted run: run.json")
        page.get_by_role("link", name="Compare").click()
        expect(page.locator(".rk-means")).to_contain_text("A 1.0000 = 1 → B 1.0000 = 1")
        page.get_by_role("link", name="Data").click()
        expect(page.locator(".st-key-upload-report")).to_contain_text("accepted run: run.json")
        settle(page)
        again = case / "second" / "run.json"
        upload(page, "upload-runs", "load-runs", [again], rankeval.read_run(again).run_sha256[:12])
        expect(page.locator(".st-key-notices")).to_have_count(0)
        page.get_by_role("link", name="Compare").click()

        expect(page.locator(".rk-means")).to_contain_text("A 0.0000 = 0 → B 0.0000 = 0")

    def test_hostile_text_shows_as_it_is_written(self, page: Page, tmp_path: Path) -> None:
        word = "<img src=http://example.org/x.png onerror=document.title='owned'> $x$ :red[x] [a](javascript:b)"
        protocol, run = tmp_path / "hostile.json", tmp_path / "hostile_run.json"
        parts = {
            "corpus": {word: word},
            "queries": {word: {"text": word, "split": "test"}},
            "qrels": {word: {word: 1}},
            "split": "test",
            "k": 1,
        }
        protocol.write_text(json.dumps(parts))
        run.write_text(json.dumps({"format": "rankeval-run/1", "name": word, "rankings": {word: [word]}}))
        page.goto("/data")
        upload(page, "upload-protocol", "load-protocol", [protocol], "accepted protocol: hostile.json")
        upload(page, "upload-runs", "load-runs", [run], "accepted run: hostile_run.json")
        page.get_by_role("link", name="Compare").click()
        pane = page.locator(".st-key-query-pane")
        expect(pane).to_contain_text(word)
        settle(page)

        assert word in verdict(page)
        assert page.locator(".stApp img").count() == 0
        assert page.title() != "owned"
