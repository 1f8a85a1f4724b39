"""Missing and null in a browser: what was not returned, what null does not say, and the way to the query itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from visitor import open_page, rows_of, settle, tick_row

pytestmark = pytest.mark.browser


class TestMissing:
    def test_missing_empty_and_short_are_told_apart(self, page: Page) -> None:
        open_page(page, "/missing", "missing-panel")
        expect(page.locator(".st-key-missing-panel")).to_contain_text(
            "The missing pull Recall down from 0.7500 to 0.5000"
        )
        rows = rows_of(page, "missing-table")

        assert [row[-6:-1] for row in rows] == [
            ["✘ missing", "◐ short", "0", "1", ""],
            ["○ empty", "○ empty", "0", "0", "– null"],
        ]

    def test_a_row_opens_its_query_on_compare_and_back_returns(self, page: Page) -> None:
        open_page(page, "/missing", "missing-table")
        tick_row(page, "missing-table", 0)
        expect(page.locator(".st-key-query-pane")).to_contain_text("d6 entered at 1")
        settle(page)
        assert "query=q4" in page.url
        page.reload()
        expect(page.locator(".st-key-query-pane")).to_contain_text("d6 entered at 1")
        settle(page)
        page.go_back()

        expect(page.locator(".st-key-missing-panel")).to_contain_text("Side by side")

    def test_null_is_no_pass_and_shows_what_was_returned(self, page: Page) -> None:
        open_page(page, "/missing", "null-panel")
        panel = page.locator(".st-key-null-panel")
        expect(panel).to_contain_text("Null is not a pass")
        panel.locator("summary").first.click()

        expect(panel.get_by_text("0 documents returned").first).to_be_visible()

    @pytest.mark.parametrize("page", ["zh-CN"], indirect=True)
    def test_in_chinese(self, page: Page) -> None:
        open_page(page, "/missing", "missing-panel")

        expect(page.locator(".st-key-protocol-bar")).to_contain_text("A 缺失 1 个，B 缺失 0 个，1 个空值")
        expect(page.locator(".st-key-null-panel")).to_contain_text("q5")
