"""Compare, as somebody uses it who wants to know what got worse."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from visitor import click_row, open_compare, select_row, settle, table_rows, tick_row

from rankeval.formats.samples import sample_sets

pytestmark = pytest.mark.browser

HELP_CENTRE = sample_sets()[1]
ADDRESS = f"/compare?protocol={HELP_CENTRE.protocol.protocol_sha256[:12]}"


def queries(page: Page) -> list[str]:
    return [next(cell for cell in row if re.fullmatch(r"[qt]\d+", cell)) for row in table_rows(page)]


def expect_address(page: Page, part: str) -> None:
    page.wait_for_function("part => location.search.includes(part)", arg=part)
    settle(page)


class TestHints:
    def test_three_hints_that_close_for_good(self, page: Page) -> None:
        open_compare(page)
        hints = page.locator(".rk-hints li")
        expect(hints).to_have_count(3)
        expect(hints.first).to_be_visible()
        page.locator(".rk-hints-close").click()
        expect(hints.first).to_be_hidden()

        open_compare(page)
        expect(hints).to_have_count(3)
        expect(hints.first).to_be_hidden()

    def test_ways_on(self, page: Page) -> None:
        open_compare(page)
        page.locator(".st-key-use-your-own button").click()

        expect(page.locator(".st-key-upload-protocol")).to_be_visible()
        assert "/data" in page.url

    def test_see_a_refused_file(self, page: Page) -> None:
        open_compare(page)
        page.locator(".st-key-show-refused button").click()

        expect(page.locator(".st-key-upload-report")).to_contain_text("refused run")


class TestNarrowing:
    def test_every_count_is_there_and_filters(self, page: Page) -> None:
        open_compare(page)
        pills = page.locator(".st-key-count-pills button")

        assert [pill.inner_text() for pill in pills.all()] == [
            "▲ 1 better",
            "▼ 1 worse",
            "＝ 0 same",
            "⇥ 1 entered",
            "⇤ 0 left",
            "∅ 0 neither",
            "– 1 null",
            "1 missing in A",
            "0 missing in B",
            "1 regression",
            "2 improvements",
        ]
        pills.filter(has_text="2 improvements").click()
        expect_address(page, "filter=improvement")
        assert queries(page) == ["q3", "q4"]

    def test_search_by_information_need_and_back(self, page: Page) -> None:
        open_compare(page)
        page.locator(".st-key-find input").fill("导出")
        page.keyboard.press("Enter")
        expect_address(page, "find=")
        assert queries(page) == ["q2"]

        page.go_back()
        page.wait_for_function("!location.search.includes('find=')")
        settle(page)
        assert queries(page) == ["q2", "q3", "q4", "q5"]

    def test_a_group_of_queries(self, page: Page) -> None:
        open_compare(page, f"{ADDRESS}&group=kind")
        kinds = [str(query.get("kind")) for query in HELP_CENTRE.protocol.queries.values() if query["split"] == "test"]
        groups = page.locator(".st-key-groups-table canvas table[role=grid] tbody tr")
        expect(groups.first).to_be_attached()
        kind = next(cell for cell in groups.first.locator("td").all_text_contents() if cell in kinds)
        tick_row(page, "groups-table", 0)
        expect_address(page, "where=is")

        assert len(queries(page)) == kinds.count(kind)
        page.reload()
        expect(page.locator(".st-key-compare-table")).to_be_visible()
        settle(page)
        assert len(queries(page)) == kinds.count(kind)


class TestTable:
    def test_the_last_of_many_rows_is_read(self, page: Page) -> None:
        open_compare(page, ADDRESS)
        rows = len(HELP_CENTRE.protocol.split_queries)
        assert rows == 29
        select_row(page, rows - 1)
        page.wait_for_function("location.search.includes('query=')")
        settle(page)

        expect(page.locator(".st-key-query-pane")).to_contain_text("29 of 29 in the table")

    def test_a_table_of_a_few_rows_shows_them_all(self, page: Page) -> None:
        interrupted = next(run for run in HELP_CENTRE.runs if run.name == "strict_interrupted")
        open_compare(page, f"{ADDRESS}&b={interrupted.run_sha256[:12]}&filter=regression")
        grid = page.locator(".st-key-compare-table .dvn-scroller")
        expect(page.locator(".st-key-query-pane")).to_contain_text("1 of 15 in the table")

        assert grid.evaluate("each => each.scrollHeight - each.clientHeight") == 0

    def test_stays_where_it_is_when_another_query_is_read_as_does_the_picture(self, page: Page) -> None:
        open_compare(page, ADDRESS)
        kept = page.evaluate_handle(
            """['glance .marks', 'compare-table canvas'].map(part => document.querySelector('.st-key-' + part))"""
        )
        second = queries(page)[1]
        select_row(page, 1)
        expect_address(page, f"query={second}")
        expect(page.locator(".st-key-query-pane")).to_contain_text(f"query {second}")
        settle(page)

        assert kept.evaluate("parts => parts.map(part => part.isConnected)") == [True, True]

    def test_fractions_are_sorted_by_value(self, page: Page) -> None:
        open_compare(page, ADDRESS)
        page.locator(".st-key-exact label").first.click()
        expect(page.locator(".st-key-exact input")).to_be_checked()
        settle(page)
        header = page.locator(".st-key-compare-table canvas table[role=grid] thead th")
        expect(header.filter(has_text="Δ RR@5")).to_be_attached()
        titles = header.all_text_contents()
        column = titles.index("Δ RR@5")
        # The first click on the header sorts rising, the second falling.
        for _ in range(2):
            click_row(page, "compare-table", -1, 430)
            page.wait_for_timeout(700)
        falling = [float(row[column]) for row in table_rows(page) if row[column].strip("–")]

        assert falling == sorted(falling, reverse=True)
        assert falling[0] == 1


class TestGlance:
    def test_a_click_on_a_bar_reads_its_query(self, page: Page) -> None:
        open_compare(page)
        bars = page.locator('.st-key-glance [aria-roledescription="bar"]')
        expect(bars).to_have_count(3)
        bars.nth(2).click()
        expect_address(page, "query=q4")

        expect(page.locator(".st-key-query-pane")).to_contain_text("d6 entered at 1")

    def test_by_recall(self, page: Page) -> None:
        open_compare(page, ADDRESS)
        page.locator(".st-key-metric button").nth(1).click()
        expect_address(page, "metric=recall")

        # t17 loses half of its Recall and keeps its first relevant rank.
        assert "t17" in queries(page)[:3]


class TestPane:
    def test_keys_go_from_regression_to_regression(self, page: Page) -> None:
        open_compare(page, ADDRESS)
        fallen = queries(page)[:5]
        for query in fallen[1:3]:
            page.keyboard.press("Shift+ArrowRight")
            expect_address(page, f"query={query}")
        page.keyboard.press("Shift+ArrowLeft")
        expect_address(page, f"query={fallen[1]}")
        page.locator(".st-key-next-regression button").click()
        expect_address(page, f"query={fallen[2]}")

    def test_the_way_of_each_document_is_drawn(self, page: Page) -> None:
        open_compare(page)
        stations = page.locator(".st-key-rank-movement .station")
        lines = page.locator(".st-key-rank-movement .way")

        assert [re.sub(r"\s+", " ", each.inner_text()) for each in stations.all()] == [
            "1 ● d3 → 2",
            "2 ○ d1 → 1",
            "3 ● d4 → 3",
            "1 ○ d1 ← 2",
            "2 ● d3 ← 1",
            "3 ● d4 ← 3",
        ]
        fell = lines.nth(0).bounding_box()
        kept = lines.nth(2).bounding_box()
        assert fell
        assert kept
        assert fell["height"] > 15
        assert kept["height"] < 6

    def test_what_one_click_in_the_table_shows_is_the_same_in_the_picture(self, page: Page) -> None:
        open_compare(page)
        select_row(page, 1)
        expect_address(page, "query=q3")

        expect(page.locator(".st-key-query-pane")).to_contain_text("d5 rose from 2 to 1")
