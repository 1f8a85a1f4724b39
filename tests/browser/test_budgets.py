"""Chunk budgets in a browser: both orders of cutting, and a number of chunks that a link keeps."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from visitor import open_page, rows_of, settle

from rankeval.formats.samples import sample_sets

pytestmark = pytest.mark.browser


def follow(page: Page, link: str, container: str) -> None:
    """Go to another page as a visitor does, by the navigation."""
    page.locator(".st-key-navigation").get_by_role("link", name=link, exact=True).click()
    expect(page.locator(f".st-key-{container}").first).to_be_visible()
    settle(page)


class TestBudgets:
    def test_the_published_figures(self, page: Page) -> None:
        open_page(page, "/budgets", "budget-table")
        cuts = page.locator(".rk-means").first
        expect(cuts).to_contain_text("Recall@2 0.6667 = 2/3")
        expect(cuts).to_contain_text("MRR@2 0.5000 = 1/2")
        expect(cuts).to_contain_text("Recall@2 0.1667 = 1/6")
        expect(cuts).to_contain_text("MRR@2 0.3333 = 1/3")

        assert [[row[1], row[3], row[5]] for row in rows_of(page, "budget-table")] == [
            ["1", "1/6", "1/3"],
            ["2", "1/6", "1/3"],
            ["3", "2/3", "1/2"],
            ["all", "2/3", "1/2"],
        ]
        expect(page.locator(".st-key-budget-chart svg, .st-key-budget-chart canvas").first).to_be_visible()

    def test_provenance_down_to_every_chunk_s_rank(self, page: Page) -> None:
        open_page(page, "/budgets", "provenance-table")

        assert rows_of(page, "provenance-table") == [
            ["1", "d3", "● Relevant", "d3a", "1", "1, 2", "yes"],
            ["2", "d4", "● Relevant", "d4a", "3", "3", "no: lost"],
        ]

    def test_a_number_of_chunks_outlasts_reload_and_link(self, page: Page, chromium: Browser) -> None:
        open_page(page, "/budgets", "budget-verdict")
        expect(page.locator(".rk-verdict")).to_contain_text("first 2 of all received chunks")
        page.locator(".st-key-chunks-taken").get_by_test_id("stNumberInputStepUp").click()
        expect(page.locator(".rk-verdict")).to_contain_text("first 3 of all received chunks: Recall@2 0, MRR@2 0")
        settle(page)
        assert "taken=3" in page.url
        page.reload()
        expect(page.locator(".rk-verdict")).to_contain_text("first 3 of all received chunks")
        settle(page)
        other = chromium.new_page()
        other.goto(page.url)
        expect(other.locator(".rk-verdict")).to_contain_text("first 3 of all received chunks")
        other.close()
        page.go_back()

        expect(page.locator(".rk-verdict")).to_contain_text("first 2 of all received chunks")

    def test_what_is_chosen_outlasts_a_way_over_other_pages(self, page: Page) -> None:
        help_centre = sample_sets()[1]
        open_page(page, f"/explain?protocol={help_centre.protocol.protocol_sha256[:12]}", "explain-steps")
        page.locator(".st-key-explain-side").get_by_text("B, the candidate").click()
        expect(page.locator(".rk-verdict")).to_contain_text("char_ngrams: ")
        settle(page)
        follow(page, "Chunk budgets", "budget-verdict")
        page.locator(".st-key-chunk-run input").click()
        page.get_by_role("option", name="title_chunks").click()
        expect(page.locator(".rk-verdict")).to_contain_text("title_chunks, first 2")
        settle(page)
        page.locator(".st-key-chunks-taken").get_by_test_id("stNumberInputStepUp").click()
        expect(page.locator(".rk-verdict")).to_contain_text("title_chunks, first 3")
        settle(page)
        follow(page, "Data", "data-load")
        follow(page, "Compare", "verdict")
        follow(page, "Chunk budgets", "budget-verdict")
        expect(page.locator(".rk-verdict")).to_contain_text("title_chunks, first 3")
        follow(page, "Why different?", "explain-steps")

        expect(page.locator(".rk-verdict")).to_contain_text("char_ngrams: ")

    def test_another_query_is_traced_and_stands_in_the_address(self, page: Page) -> None:
        open_page(page, "/budgets", "provenance-table")
        expect(page.locator(".st-key-budget-chart svg").first).to_be_visible()  # until then, all below it moves
        page.locator(".st-key-provenance-query").scroll_into_view_if_needed()
        settle(page)
        page.locator(".st-key-provenance-query input").click()
        page.get_by_role("option", name="q3").click()
        page.wait_for_function("location.search.includes('query=q3')")
        settle(page)

        expect(page.locator(".st-key-provenance-table canvas table[role=grid] tbody tr").first).to_contain_text("d1a")

    @pytest.mark.parametrize("page", ["zh-CN"], indirect=True)
    def test_in_chinese(self, page: Page) -> None:
        open_page(page, "/budgets", "budget-verdict")

        expect(page.locator(".rk-verdict")).to_contain_text("chunk_run")
        expect(page.locator(".st-key-protocol-bar")).to_contain_text("A 缺失 1 个，B 缺失 0 个，1 个空值")
