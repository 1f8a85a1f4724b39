"""Why different? in a browser: wrong numbers beside the strict one, and the way to the queries behind them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from visitor import open_page, rows_of, settle, tick_row

pytestmark = pytest.mark.browser


class TestExplain:
    def test_the_published_figures_are_labelled_as_wrong(self, page: Page) -> None:
        open_page(page, "/explain", "explain-steps")
        dropping = page.locator(".st-key-exhibit-0")
        expect(dropping).to_contain_text("Missing queries dropped from the mean")
        expect(dropping).to_contain_text("strict 0.5000 = 1/2")
        expect(dropping).to_contain_text("wrong 0.7500 = 3/4")
        expect(page.locator(".st-key-exhibit-2")).to_contain_text("Hit rate passed off as Recall")

        assert rows_of(page, "exhibit-2")[0][-4:-1] == ["q2", "1/2", "1"]

    def test_a_query_behind_a_difference_opens_on_compare(self, page: Page) -> None:
        open_page(page, "/explain", "exhibit-2")
        tick_row(page, "exhibit-2", 0)
        expect(page.locator(".st-key-query-pane")).to_contain_text("d3 fell from 1 to 2")
        settle(page)
        assert "query=q2" in page.url
        page.go_back()

        expect(page.locator(".st-key-explain-steps")).to_contain_text("fixture_A: 3 looser scorers")

    def test_the_other_side_outlasts_a_reload(self, page: Page) -> None:
        open_page(page, "/explain", "explain-steps")
        page.locator(".st-key-explain-side").get_by_text("B, the candidate").click()
        expect(page.locator(".rk-verdict")).to_contain_text("fixture_B: 1 looser scorer")
        settle(page)
        page.reload()
        expect(page.locator(".rk-verdict")).to_contain_text("fixture_B: 1 looser scorer")
        settle(page)
        page.go_back()

        expect(page.locator(".rk-verdict")).to_contain_text("fixture_A: 3 looser scorers")

    @pytest.mark.parametrize("page", ["zh-CN"], indirect=True)
    def test_in_chinese(self, page: Page) -> None:
        open_page(page, "/explain", "explain-steps")

        expect(page.locator(".rk-verdict")).to_contain_text("fixture_A")
        expect(page.locator(".st-key-protocol-bar")).to_contain_text("A 缺失 1 个，B 缺失 0 个，1 个空值")
