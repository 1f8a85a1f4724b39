"""What a visitor reads whose browser prefers Chinese, and how they change it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from visitor import settle, table_rows, upload

pytestmark = pytest.mark.browser

IN_CHINESE = "fixture_B 相比 fixture_A：1 个变好，1 个变差，1 个进入；Recall +1/3，MRR +1/3；A 缺失 q4；1 个空值"


@pytest.mark.parametrize("page", ["zh-CN"], indirect=True)
class TestChinese:
    def test_the_verdict_and_the_table_are_in_chinese(self, page: Page) -> None:
        page.goto("/")
        expect(page.locator(".rk-verdict")).to_have_text(IN_CHINESE)
        expect(page.locator(".st-key-query-pane")).to_contain_text("d3 从第 1 名降到第 2 名")
        expect(page.locator(".st-key-denominator")).to_contain_text(
            "A：3 个计分 = 2 个有结果 + 0 个空列表计 0 + 1 个缺失计 0；1 个空值，不计入"
        )
        settle(page)
        first = table_rows(page)[0]

        assert first[first.index("q2") :][:4] == ["q2", "▼ 变差", "1", "2"]

    def test_english_is_one_click_away_and_outlasts_a_reload(self, page: Page) -> None:
        page.goto("/")
        expect(page.locator(".rk-verdict")).to_have_text(IN_CHINESE)
        settle(page)
        page.locator(".st-key-language").get_by_text("English").click()
        expect(page.locator(".rk-verdict")).to_contain_text("fixture_B against fixture_A: 1 better")
        settle(page)
        page.reload()
        expect(page.locator(".rk-verdict")).to_contain_text("fixture_B against fixture_A: 1 better")
        page.get_by_role("link", name="Data").click()

        expect(page.locator(".st-key-upload-report")).to_contain_text("Nothing was uploaded yet")

    def test_a_rule_stays_in_english_with_its_translation_beside_it(self, page: Page, tmp_path: Path) -> None:
        bad = tmp_path / "bad.json"
        bad.write_text(json.dumps({"q2": ["d3", "d3"]}))
        page.goto("/data")
        expect(page.locator(".st-key-upload-report")).to_contain_text("尚未上传文件")
        upload(page, "upload-runs", "load-runs", [bad], "已拒绝运行结果：bad.json")
        report = page.locator(".st-key-upload-report")

        expect(report.locator(".rule")).to_contain_text("duplicate document ID; deduplicate upstream explicitly")
        expect(report.locator(".rule")).to_contain_text("文档 ID 重复；请在上游明确去重")


class TestTwoVisitors:
    def test_at_once_each_reads_their_own(self, chromium: Browser, address: str) -> None:
        """Their scripts run in one server at the same time: nobody waits for a page before the next is asked for."""
        said = {"zh-CN": IN_CHINESE, "en-GB": "fixture_B against fixture_A: 1 better"}
        visitors = {locale: chromium.new_page(base_url=address, locale=locale) for locale in said}
        for path in ("/", "/compare?query=q3", "/compare?query=q4"):
            for visitor in visitors.values():
                visitor.goto(path, wait_until="commit")
            for locale, visitor in visitors.items():
                expect(visitor.locator(".rk-verdict")).to_contain_text(said[locale])
        for visitor in visitors.values():
            settle(visitor)
            visitor.close()
