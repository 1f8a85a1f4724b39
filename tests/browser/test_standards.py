"""What holds on every page: nobody is shut out, nothing leaves the machine, and text from files is text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from annotator import begin, choose, options_of
from axe_playwright_python.sync_playwright import Axe
from hostile import ANNOTATORS, BASELINE, CANDIDATE, CHUNKS, DOCUMENTS, QUERIES, WORD, Hostile, hostile
from playwright.sync_api import Browser, FloatRect, Page, expect
from reviewed import VISITOR, reviewed
from server import serving
from visitor import open_page, rows_of, settle, tick_row

pytestmark = pytest.mark.browser

PAGES = {
    "compare": "query-pane",
    "overview": "overview-table",
    "missing": "null-panel",
    "budgets": "provenance-table",
    "explain": "explain-steps",
    "data": "upload-report",
    "review": "make",
    "results": "review-export",
    "annotator": "save-or-skip",
}
"""Every page, and the container that comes last; Review is one to who makes a round, reads it, or annotates."""

EQUAL = 2
"""The key of a verdict."""

Visit = Callable[[Page, str], None]

HARM = {"serious", "critical"}


def faults_of(page: Page) -> list[str]:
    """Give what axe-core calls serious or critical, with the place of each."""
    found = Axe().run(page).response["violations"]
    return [
        f"{fault['impact']} {fault['id']}: {node['target']}"
        for fault in found
        if fault["impact"] in HARM
        for node in fault["nodes"]
    ]


def charts_are_drawn(page: Page) -> None:
    for chart in page.get_by_test_id("stVegaLiteChart").all():
        expect(chart.locator("svg, canvas").first).to_be_visible()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The sample data with a review round, and the paths of Review."""
    file = tmp_path_factory.mktemp("reviewed") / "reviewed.db"
    return file, reviewed(file)


@pytest.fixture(scope="module")
def address(workspace: tuple[Path, dict[str, str]]) -> Iterator[str]:
    """A server on it."""
    file, _ = workspace
    with serving(file.parent, workspace=file) as address:
        yield address


@pytest.fixture
def visit(workspace: tuple[Path, dict[str, str]]) -> Visit:
    """Open a page by its name, wait until all of it is there, and its charts are drawn."""
    _, paths = workspace

    def open_it(page: Page, name: str) -> None:
        if name == "annotator":
            begin(page, paths[name], VISITOR)
            choose(page, EQUAL)
        else:
            open_page(page, paths.get(name, f"/{name}"), PAGES[name])
        charts_are_drawn(page)

    return open_it


class TestAccess:
    @pytest.mark.parametrize("theme", ["light", "dark"])
    @pytest.mark.parametrize("name", PAGES)
    def test_axe_finds_nothing_serious(self, page: Page, visit: Visit, name: str, theme: str) -> None:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        visit(page, name)

        assert faults_of(page) == []

    def test_axe_would_find_what_cannot_be_read(self, page: Page) -> None:
        open_page(page, "/explain", "explain-steps")
        page.evaluate("document.querySelector('.rk-verdict').style.color = '#ddd'")

        assert any("color-contrast" in fault for fault in faults_of(page))

    @pytest.mark.parametrize("name", PAGES)
    def test_nothing_is_cut_off_at_800(self, page: Page, visit: Visit, name: str) -> None:
        page.set_viewport_size({"width": 800, "height": 1000})
        visit(page, name)
        wide = page.evaluate(
            """() => ['html', 'body', '[data-testid=stMain]'].map(each => document.querySelector(each))
                .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.tagName)"""
        )

        assert wide == []

    @pytest.mark.parametrize("name", PAGES)
    def test_every_control_is_reached_by_the_keyboard_and_shows_it(self, page: Page, visit: Visit, name: str) -> None:
        """One control of each container is looked at: with the focus it is drawn otherwise than without."""
        visit(page, name)
        controls = set(page.evaluate(CONTROLS))
        stops = tab_stops(page)

        assert controls - stops.keys() == set()
        assert [key for key, visible in stops.items() if not visible] == []


KEY = """const key = each => each.closest('[class*=st-key-]')?.className.match(/st-key-[\\w-]+/)[0] ?? each.tagName;"""
"""Names a control by the nearest key that it stands under."""

CONTROLS = f"""() => {{
    {KEY}
    const seen = {{opacityProperty: true, visibilityProperty: true}};
    return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
        .filter(each => !each.disabled && each.tabIndex >= 0 && each.type !== 'file' && each.checkVisibility(seen)
            && each.getBoundingClientRect().width > 1)
        .map(key);
}}"""

FOCUSED = f"""() => {{
    {KEY}
    const each = document.activeElement;
    return each && each !== document.body ? key(each) : null;
}}"""


def tab_stops(page: Page, most: int = 150) -> dict[str, bool]:
    """Press Tab until the focus leaves the page; give where it stood, and whether that can be seen."""
    stops: dict[str, bool] = {}
    for _ in range(most):
        page.keyboard.press("Tab")
        key = page.evaluate(FOCUSED)
        if key is None:
            break
        if key not in stops and key != "MAIN":  # what scrolls the page can be focused, and is no control
            stops[key] = is_seen(page)
    return stops


def is_seen(page: Page) -> bool:
    """Whether what has the focus, with its surroundings, is drawn otherwise than without it."""
    element = page.evaluate_handle("document.activeElement").as_element()
    assert element is not None
    element.evaluate("each => each.scrollIntoView({block: 'nearest'})")
    box = element.bounding_box()
    if box is None:
        return False
    around = 8.0
    left, top = max(0.0, box["x"] - around), max(0.0, box["y"] - around)
    width, height = box["width"] + 2 * around, min(box["height"] + 2 * around, 300.0)
    clip: FloatRect = {"x": left, "y": top, "width": width, "height": height}
    focused = page.screenshot(clip=clip, animations="disabled")
    element.evaluate("each => each.blur()")
    blurred = page.screenshot(clip=clip, animations="disabled")
    element.evaluate("each => each.focus({preventScroll: true})")
    return focused != blurred


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    """The hostile collection in a workspace of its own."""
    return hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def hostile_address(collection: Hostile) -> Iterator[str]:
    """A server on it."""
    with serving(collection.workspace.parent, workspace=collection.workspace) as address:
        yield address


@pytest.fixture
def visitor(chromium: Browser, hostile_address: str) -> Iterator[Page]:
    """A visitor of that server, watched: no request may leave it, and nothing that stands in a file may run."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000}, base_url=hostile_address, locale="en-GB")
    outside: list[str] = []
    context.on("request", lambda request: outside.append(request.url))
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield page
    assert page.evaluate("window.hacked") is None
    assert page.locator(".stApp img, .stApp .katex, .stApp iframe").count() == 0
    assert (
        page.evaluate(
            "[...document.querySelectorAll('a')].map(a => a.href).filter(a => new URL(a).host !== location.host)"
        )
        == []
    )
    context.close()
    loopback = (hostile_address, "data:", "blob:", hostile_address.replace("http:", "ws:"))
    assert [url for url in outside if not url.startswith(loopback)] == []


class TestTextIsText:
    def test_compare(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/compare?{collection.address}", "query-pane")
        expect(visitor.locator(".st-key-protocol-bar")).to_contain_text(f"declared: --unlisted-nonrelevant {WORD}")
        expect(visitor.locator(".st-key-verdict")).to_contain_text(f"{CANDIDATE} against {BASELINE}: ")
        pane = visitor.locator(".st-key-query-pane")
        expect(pane).to_contain_text(f"query {QUERIES[1]}")
        expect(pane).to_contain_text(f"group: {WORD}")
        expect(pane).to_contain_text(f"{DOCUMENTS[1]}")

        assert QUERIES[1] in rows_of(visitor, "compare-table")[0]

    def test_a_selector_shows_names_as_written(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/compare?{collection.address}", "query-pane")
        visitor.locator(".st-key-select-a input").click()
        options = visitor.get_by_role("option")
        expect(options).to_have_count(3)

        assert [option.inner_text() for option in options.all()] == [BASELINE, CANDIDATE, CHUNKS]

    def test_overview(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/overview?{collection.address}", "curve-mrr")
        charts_are_drawn(visitor)
        expect(visitor.locator(".st-key-overview-verdict")).to_contain_text(f"baseline {BASELINE}")
        names = [row[0] for row in rows_of(visitor, "overview-table")]
        headers = visitor.locator(".rk-matrix th[scope=col]").all_text_contents()

        assert names == [f"◆ {BASELINE}", CANDIDATE, CHUNKS]
        assert headers == ["baseline", BASELINE, CANDIDATE, CHUNKS]

    def test_charts_and_their_tooltips(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/overview?{collection.address}", "curve-mrr")
        charts_are_drawn(visitor)
        curve = visitor.locator(".st-key-curve-mrr")
        point = curve.locator("svg .mark-symbol path[aria-label*='baseline']").first
        assert BASELINE in (point.get_attribute("aria-label") or "")
        point.hover(force=True)
        tooltip = visitor.locator("#vg-tooltip-element")
        expect(tooltip).to_contain_text(BASELINE)

        assert tooltip.locator("img, a").count() == 0

    def test_missing(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/missing?{collection.address}", "null-panel")
        panel = visitor.locator(".st-key-null-panel")
        panel.locator("summary").first.click()
        expect(panel).to_contain_text(QUERIES[3])
        expect(panel).to_contain_text(DOCUMENTS[3])
        expect(visitor.locator(".st-key-missing-panel")).to_contain_text(f"B {CANDIDATE}")
        assert QUERIES[2] in rows_of(visitor, "missing-table")[0]
        tick_row(visitor, "missing-table", 0)
        expect(visitor.locator(".st-key-query-pane")).to_contain_text(f"query {QUERIES[2]}")
        settle(visitor)
        visitor.reload()

        expect(visitor.locator(".st-key-query-pane")).to_contain_text(f"query {QUERIES[2]}")

    def test_budgets(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/budgets?{collection.address}", "provenance-table")
        charts_are_drawn(visitor)
        expect(visitor.locator(".rk-verdict")).to_contain_text(f"{CHUNKS}, first 2 of all received chunks")
        provenance = rows_of(visitor, "provenance-table")[0]

        assert provenance[1] == DOCUMENTS[3]
        assert provenance[3] == f"{DOCUMENTS[3]} x"
        assert visitor.locator(".st-key-provenance-query input").input_value() in {"", QUERIES[0]}

    def test_explain(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/explain?{collection.address}&side=B", "explain-steps")
        expect(visitor.locator(".rk-verdict")).to_contain_text(f"{CANDIDATE}: ")

        assert QUERIES[2] in rows_of(visitor, "exhibit-0")[0]

    def test_data_and_a_refusal(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/data?{collection.address}", "upload-report")
        name = WORD.replace("/", "")
        refused = {"name": f"{name}.json", "mimeType": "", "buffer": f'{{"{QUERIES[0]}": ["{WORD}"]}}'.encode()}
        visitor.locator(".st-key-upload-runs").get_by_test_id("stFileUploaderDropzoneInput").set_input_files([refused])
        expect(visitor.locator(".st-key-upload-runs")).to_contain_text("=1+1")
        visitor.locator(".st-key-load-runs button").first.click()
        report = visitor.locator(".st-key-upload-report")
        expect(report).to_contain_text(f"refused run: {name}.json")
        settle(visitor)

        assert re.search(re.escape(WORD), " ".join(rows_of(visitor, "upload-report")[0]))

    def test_review_for_who_leads(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/review?{collection.address}", "review-export")
        differ = visitor.locator(".st-key-review-disagreements .rk-null")
        expect(differ).to_contain_text(f"query {QUERIES[1]}")
        expect(differ).to_contain_text(f"{ANNOTATORS[0]} notes")
        expect(differ).to_contain_text(f"decided by {WORD} lead: about equal, because {WORD}")
        verdicts = rows_of(visitor, "review-verdicts")

        assert WORD in rows_of(visitor, "review-rounds")[0]
        assert [row[0] for row in rows_of(visitor, "review-progress")] == ANNOTATORS
        assert [row[0] for row in verdicts] == [QUERIES[1]] * 2
        assert rows_of(visitor, "review-disputes")[0][:2] == [QUERIES[1], DOCUMENTS[2]]

    def test_choices_on_review_show_names_as_written(self, visitor: Page, collection: Hostile) -> None:
        open_page(visitor, f"/review?{collection.address}", "review-export")

        assert options_of(visitor, "Judgments to change") == [f"{QUERIES[1]} · {DOCUMENTS[2]}"]

    def test_review_for_annotators(self, visitor: Page, collection: Hostile) -> None:
        begin(visitor, f"/review?round={collection.round}", f"{WORD} east")
        expect(visitor.locator(".st-key-review-head")).to_contain_text(WORD)
        card = visitor.locator(".st-key-review-card")
        expect(card).to_contain_text(f"query {QUERIES[1]}")
        expect(card).to_contain_text(DOCUMENTS[0])
        visitor.get_by_role("button", name="Guidelines").click()
        expect(visitor.get_by_test_id("stPopoverBody")).to_contain_text(WORD)
        visitor.keyboard.press("Escape")
        choose(visitor, EQUAL)
        offered = options_of(visitor, "Relevant, I think")
        assert set(offered) - {"Select all"} <= set(DOCUMENTS)
        assert offered
        visitor.keyboard.press("Escape")
        visitor.locator(".st-key-save button").click()
        saved = visitor.locator(".st-key-review-saved")
        expect(saved).to_contain_text(f"Saved: query {QUERIES[1]}, about equal.")
        expect(saved).to_contain_text(f"was {BASELINE}")
        settle(visitor)

        expect(visitor.get_by_role("combobox", name="Go back to a query that you answered")).to_be_visible()

    def test_no_table_is_downloaded_but_by_us(self, page: Page) -> None:
        """Streamlit's own download would write a formula as one."""
        open_page(page, "/overview", "overview-table")
        page.locator(".st-key-overview-table").get_by_test_id("stDataFrame").hover()
        toolbar = page.locator(".st-key-overview-table").get_by_test_id("stElementToolbar")

        expect(toolbar.get_by_role("button", name="Search")).to_be_visible()
        expect(toolbar.locator("[aria-label='Download as CSV']")).to_have_count(1)
        expect(toolbar.locator("[aria-label='Download as CSV']")).to_be_hidden()

    def test_an_address_cannot_bring_markup_in(self, visitor: Page) -> None:
        words = "<img src=x onerror=window.hacked=1>"
        open_page(visitor, f"/overview?query={words}&filter={words}&a={words}&lang={words}", "notices")

        expect(visitor.locator(".st-key-notices")).to_contain_text(f"run A {words}, which is not loaded here")
