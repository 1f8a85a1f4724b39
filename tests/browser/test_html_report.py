"""The report that is mailed, opened from disk as whoever receives it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import rankeval
from rankeval.formats.html_report import comparison_html
from rankeval.formats.samples import sample_set

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)></bdi><script>alert(1)</script>[a](javascript:alert(1)) $x$ \u202eright"


def written(folder: Path, name: str) -> str:
    """Write the report of a sample set, and give its address."""
    sample = sample_set(name)
    runs = {run.name: run for run in sample.runs}
    pair = (runs[sample.baseline], runs[sample.candidate])
    found = rankeval.compare(*(sample.protocol.score(run) for run in pair))
    file = folder / f"{name}.html"
    file.write_bytes(comparison_html(sample.protocol, pair, found, name=sample.title))
    return file.as_uri()


@pytest.fixture
def reader(chromium: Browser) -> Iterator[BrowserContext]:
    """Somebody without a network, whose browser is watched: nothing is asked for but the file, and nothing is amiss."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    asked: list[str] = []
    amiss: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.on("console", lambda message: amiss.append(message.text))
    context.on("weberror", lambda error: amiss.append(str(error.error)))
    context.on("dialog", lambda dialog: (amiss.append(dialog.message), dialog.dismiss()))
    context.set_default_timeout(20_000)
    yield context
    context.close()
    assert asked
    assert [url for url in asked if not url.startswith("file:///")] == []
    assert len({url.partition("#")[0] for url in asked}) == 1
    assert amiss == []


@pytest.fixture
def tutorial(reader: BrowserContext, tmp_path: Path) -> Page:
    page = reader.new_page()
    page.goto(written(tmp_path, "tutorial"))
    return page


def rows_shown(page: Page) -> list[str]:
    return [
        row.inner_text()
        for row in page.locator(".queries tbody tr th a, .queries tbody tr th > bdi").all()
        if row.is_visible()
    ]


class TestPublishedExample:
    def test_it_says_what_happened(self, tutorial: Page) -> None:
        expect(tutorial.locator("h1")).to_have_text(
            "fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3;"
            " q4 is missing in A; 1 null"
        )
        expect(tutorial.locator(".means tbody tr").first).to_contain_text("0.8333 = 5/6")

    def test_the_style_that_the_policy_allows_is_applied(self, tutorial: Page) -> None:
        assert tutorial.locator(".two.even").evaluate("each => getComputedStyle(each).display") == "grid"

    def test_the_table_is_narrowed_without_a_script(self, tutorial: Page) -> None:
        assert rows_shown(tutorial) == ["q2", "q3", "q4", "q5"]
        tutorial.get_by_label("1 regression").check()
        assert rows_shown(tutorial) == ["q2"]
        tutorial.get_by_label("1 missing in A").check()
        assert rows_shown(tutorial) == ["q4"]
        tutorial.get_by_label("4 in all").check()
        assert rows_shown(tutorial) == ["q2", "q3", "q4", "q5"]

    def test_the_filter_is_there_for_the_keyboard(self, tutorial: Page) -> None:
        tutorial.get_by_label("4 in all").focus()
        tutorial.keyboard.press("ArrowRight")

        assert rows_shown(tutorial) == ["q3"]
        assert tutorial.get_by_label("▲ 1 better").is_checked()


class TestHelpCentre:
    @pytest.fixture
    def page(self, reader: BrowserContext, tmp_path: Path) -> Page:
        page = reader.new_page()
        page.goto(written(tmp_path, "help_centre"))
        return page

    def test_a_query_of_the_table_opens_below(self, page: Page) -> None:
        second = page.locator("details.query").nth(1)
        expect(second.locator(".need")).to_be_hidden()
        page.locator(".queries tbody a").nth(1).click()

        expect(second.locator(".need")).to_be_in_viewport()

    @pytest.mark.parametrize("width", [390, 800, 1280, 1920])
    def test_no_page_is_wider_than_its_window(self, page: Page, width: int) -> None:
        page.set_viewport_size({"width": width, "height": 900})

        assert page.evaluate("document.documentElement.scrollWidth") <= width

    @pytest.mark.parametrize("width", [800, 1280])
    def test_the_table_needs_no_scrolling_sideways(self, page: Page, width: int) -> None:
        page.set_viewport_size({"width": width, "height": 900})
        table = page.locator(".scroll")

        assert table.evaluate("each => each.scrollWidth - each.clientWidth") == 0

    def test_it_is_dark_where_the_reader_likes_it_dark(self, page: Page) -> None:
        colour = "getComputedStyle(document.body).backgroundColor"
        page.emulate_media(color_scheme="light")
        assert page.evaluate(colour) == "rgb(255, 255, 255)"
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(colour) == "rgb(18, 23, 31)"

    def test_print_is_light_and_opens_every_query(self, page: Page) -> None:
        page.emulate_media(media="print", color_scheme="dark")

        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        for pane in page.locator("details.query").all():
            expect(pane.locator(".need .words")).to_be_visible()
        expect(page.locator(".filter")).to_be_hidden()


class TestText:
    def test_hostile_text_is_read_and_not_obeyed(self, reader: BrowserContext, tmp_path: Path) -> None:
        protocol = rankeval.Protocol(
            {HOSTILE: HOSTILE, "d": "d"},
            {HOSTILE: {"text": HOSTILE, "split": "test"}},
            {HOSTILE: {HOSTILE: 1, "d": 0}},
            split="test",
            k=1,
        )
        pair = (rankeval.Run({HOSTILE: [HOSTILE]}, HOSTILE), rankeval.Run({HOSTILE: ["d"]}, "b"))
        found = rankeval.compare(*(protocol.score(run) for run in pair))
        file = tmp_path / "hostile.html"
        file.write_bytes(comparison_html(protocol, pair, found, name=HOSTILE))
        page = reader.new_page()
        page.goto(file.as_uri())

        expect(page.locator(".need .words")).to_have_text(HOSTILE)
        expect(page.locator(".queries tbody th a")).to_have_text(HOSTILE)
        assert page.locator("img, script").count() == 0
