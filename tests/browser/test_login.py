"""A server with a login, against a provider of the tests' own: who comes in, as whom, and where they arrive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from annotator import choose, query_of
from identity_provider import Provider, providing, settings
from playwright.sync_api import Browser, Page, expect
from server import free_port, serving
from visitor import settle

from rankeval.dashboard.library import Library
from rankeval.formats.samples import sample_sets
from rankeval.workspace import Reviews, Workspace

pytestmark = pytest.mark.browser

EQUAL = 2


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """Who lets people in."""
    with providing() as provider:
        yield provider


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A workspace, and the address of the round in it."""
    file = tmp_path_factory.mktemp("login") / "login.db"
    library = Library(Workspace(file), sample_sets())
    a, b = library.runs(library.protocols()[0])[:2]
    made = library.begin_round(
        a, b, name="By login", statuses=("worse",), queries=("q2",), guidelines="Read.", annotators_per_query=2
    )
    return file, f"/review?round={made.token}"


@pytest.fixture(scope="module")
def address(provider: Provider, rounds: tuple[Path, str]) -> Iterator[str]:
    """A server that wants a login."""
    folder, port = rounds[0].parent, free_port()
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "secrets.toml").write_text(settings(provider, f"http://127.0.0.1:{port}"))
    with serving(folder, port=port, workspace=rounds[0]) as address:
        yield address


@pytest.fixture
def visitor(chromium: Browser, address: str) -> Iterator[Page]:
    """A visitor who is not logged in yet; whether the dashboard's navigation was ever drawn for them is noted."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000}, base_url=address, locale="en-GB")
    context.set_default_timeout(20_000)
    context.add_init_script(NOTED)
    yield context.new_page()
    context.close()


NOTED = """new MutationObserver(() => {
    if (document.querySelector('.st-key-navigation')) sessionStorage.setItem('navigation', 'drawn');
}).observe(document, {childList: true, subtree: true});"""


def log_in(page: Page, provider: Provider, subject: str, name: str) -> None:
    """Come in by the login that the page asks for."""
    expect(page.locator(".stApp")).to_contain_text("This server is for people who log in.")
    settle(page)
    assert page.locator(".st-key-navigation, .st-key-protocol-bar, .st-key-review-card").count() == 0
    provider.claims = {"sub": subject, "name": name, "email": f"{subject}@review.example"}
    page.locator(".st-key-login button").click()


class TestWhoLeads:
    def test_the_page_that_was_asked_for_comes_after_the_login(self, visitor: Page, provider: Provider) -> None:
        visitor.goto("/overview?lang=en&side=B")
        log_in(visitor, provider, "1", "Lead")

        expect(visitor.locator(".st-key-navigation")).to_be_visible()
        expect(visitor).to_have_url(re.compile(r"/overview\?.*side=B"))

    def test_the_first_page_too_and_it_stays_open(self, visitor: Page, provider: Provider) -> None:
        visitor.goto("/")
        log_in(visitor, provider, "1", "Lead")
        expect(visitor.locator(".st-key-verdict")).to_be_visible()
        settle(visitor)

        visitor.goto("/")
        expect(visitor.locator(".st-key-verdict")).to_be_visible()

    @pytest.mark.parametrize("path", ["/missing", "round"])
    def test_who_is_in_can_leave(self, visitor: Page, provider: Provider, rounds: tuple[Path, str], path: str) -> None:
        visitor.goto(rounds[1] if path == "round" else path)
        log_in(visitor, provider, "5", "Cy")
        visitor.locator(".st-key-log-out button").click()
        expect(visitor.locator(".stApp")).to_contain_text("This server is for people who log in.")
        settle(visitor)

        visitor.goto("/overview")
        expect(visitor.locator(".stApp")).to_contain_text("This server is for people who log in.")


class TestAnnotators:
    def test_each_is_who_the_login_says_and_sees_the_round_alone(
        self, visitor: Page, provider: Provider, rounds: tuple[Path, str]
    ) -> None:
        _, path = rounds
        visitor.goto(path)
        log_in(visitor, provider, "2", "Ann")
        expect(visitor.locator(".st-key-review-progress")).to_contain_text("Ann: 1 query, 0 done")
        settle(visitor)
        assert visitor.url.endswith(path)
        assert visitor.evaluate("sessionStorage.getItem('navigation')") is None
        choose(visitor, EQUAL)
        assert query_of(visitor) == "q2"
        visitor.locator(".st-key-save button").click()
        expect(visitor.locator(".stApp")).to_contain_text("Nothing is left for you: 1 verdict saved. Thank you.")

        visitor.reload()
        expect(visitor.locator(".st-key-review-progress")).to_contain_text("Ann: 1 query, 1 done")

    def test_another_login_does_not_answer_under_the_same_name(
        self, visitor: Page, provider: Provider, rounds: tuple[Path, str]
    ) -> None:
        file, path = rounds
        Reviews(Workspace(file).database).join(path.partition("=")[2], "Bo", "3")
        visitor.goto(path)
        log_in(visitor, provider, "4", "Bo")

        expect(visitor.locator(".stApp")).to_contain_text("takes part already, under another login")
        settle(visitor)
        assert visitor.locator(".st-key-review-card").count() == 0
