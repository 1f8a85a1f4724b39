"""Overview in a browser: every run against the baseline, and from a count of regressions to the queries themselves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from visitor import open_page, rows_of, settle, verdict

pytestmark = pytest.mark.browser


class TestOverview:
    def test_runs_stand_with_their_means_and_counts(self, page: Page) -> None:
        open_page(page, "/overview", "overview-table")
        expect(page.locator(".rk-verdict")).to_contain_text("highest Recall@2 0.8333: fixture_B (+1/3)")
        first, second, _third = rows_of(page, "overview-table")

        assert first[:5] == ["◆ fixture_A", "0.5", "0", "0.5", "0"]
        assert [each[:6] for each in second[:5]] == ["fixture_B"[:6], "0.8333", "0.3333", "0.8333", "0.3333"]
        assert second[5:9] == ["1", "1", "1", "0"]

    def test_a_cell_of_the_matrix_opens_that_pair_s_regressions(self, page: Page) -> None:
        """From fixture_B to fixture_A two queries fall: q4 is missing there, and q3's d5 falls from 1 to 2."""
        open_page(page, "/overview", "regression-matrix")
        page.get_by_role("button", name="2 queries on which fixture_A fell against fixture_B").click()
        expect(page.locator(".st-key-verdict")).to_contain_text("fixture_A against fixture_B")
        expect(page.locator(".st-key-table-side")).to_contain_text("2 of 4 queries, worst first")
        settle(page)

        assert "filter=regression" in page.url
        assert page.url.split("?")[0].rstrip("/").count("/") == 2  # Compare is the default page, at /

    def test_back_and_reload_find_the_matrix_and_the_pair_again(self, page: Page) -> None:
        open_page(page, "/overview", "regression-matrix")
        page.get_by_role("button", name="2 queries on which fixture_A fell against fixture_B").click()
        expect(page.locator(".st-key-verdict")).to_contain_text("fixture_A against fixture_B")
        settle(page)
        page.reload()
        expect(page.locator(".st-key-table-side")).to_contain_text("2 of 4 queries, worst first")
        assert verdict(page).startswith("fixture_A against fixture_B")
        settle(page)
        page.go_back()

        expect(page.locator(".st-key-overview-table")).to_be_visible()
        expect(page.locator(".rk-verdict")).to_contain_text("baseline")

    def test_another_baseline_holds_after_a_reload(self, page: Page) -> None:
        open_page(page, "/overview", "overview-table")
        page.locator(".st-key-swap button").first.click()
        expect(page.locator(".rk-verdict")).to_contain_text("baseline fixture_B")
        settle(page)
        page.reload()
        expect(page.locator(".rk-verdict")).to_contain_text("baseline fixture_B")
        page.get_by_role("link", name="Compare").click()

        expect(page.locator(".st-key-verdict")).to_contain_text("fixture_A against fixture_B")

    def test_charts_are_drawn_with_a_table_beside_each(self, page: Page) -> None:
        open_page(page, "/overview", "curve-mrr")
        for key in ("distribution-recall", "distribution-rr", "curve-recall", "curve-mrr"):
            expect(page.locator(f".st-key-{key} svg, .st-key-{key} canvas").first).to_be_visible()

        expect(page.get_by_text("The same as a table")).to_have_count(3)  # both curves have one

    @pytest.mark.parametrize("page", ["zh-CN"], indirect=True)
    def test_in_chinese(self, page: Page) -> None:
        open_page(page, "/overview", "overview-table")

        expect(page.locator(".st-key-protocol-bar")).to_contain_text("A 缺失 1 个，B 缺失 0 个，1 个空值")
        expect(page.locator(".rk-verdict")).to_contain_text("fixture_B")
