"""The Data page as its user sees it: files in, what becomes of them, what may be changed, read and taken away."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect
from server import free_port, serving
from visitor import click_row, settle, tick_row, upload

from rankeval.formats import Source, read_protocol, read_run

pytestmark = pytest.mark.browser

PROTOCOL = "9dd1a576cc830736a0884e847845f31f2390843c27a250abf3bafaf8fa72cadb"
HOSTILE = "<img src=http://example.org/x.png onerror=document.title='owned'> $x$ :red[x] [a](javascript:b)"


def open_data(page: Page, tab: str | None = None) -> None:
    page.goto("/data")
    expect(page.get_by_role("tab", name="Load", exact=True)).to_be_visible()
    settle(page)
    if tab is not None:
        open_tab(page, tab)


def open_tab(page: Page, name: str) -> None:
    containers = {
        "Load": "data-load",
        "What is loaded": "data-loaded",
        "Read the protocol": "data-reader",
        "Downloads": "data-downloads",
    }
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.locator(f".st-key-{containers[name]}")).to_be_visible()
    settle(page)


def rows(page: Page, container: str) -> list[list[str]]:
    """Give the cells of the rows of a table, from its accessible twin."""
    found = page.locator(f".st-key-{container} canvas table[role=grid] tbody tr")
    expect(found.first).to_be_attached()
    return [row.locator("td").all_text_contents() for row in found.all()]


def download(page: Page, key: str) -> tuple[str, bytes]:
    """Click a button, and give the name and the content of the file that comes."""
    with page.expect_download() as started:
        page.locator(f".st-key-get-{key} button").first.click()
    return started.value.suggested_filename, started.value.path().read_bytes()


def select_run(page: Page, row: int) -> None:
    tick_row(page, "loaded-runs", row)


def written(folder: Path, name: str, value: Any) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


class TestLoading:
    def test_several_at_once_and_the_faults_of_the_refused_one_to_take_away(self, page: Page, tmp_path: Path) -> None:
        good = written(tmp_path, "several_good.json", {"q2": ["d3"]})
        bad = written(tmp_path, "several_bad.json", {"q2": ["d3", "=d9"], "q9": []})
        open_data(page)
        upload(page, "upload-runs", "load-runs", [good, bad], "accepted run: several_good.json")
        report = page.locator(".st-key-upload-report")
        expect(report).to_contain_text("refused run: several_bad.json")
        expect(report).to_contain_text("2 faults in all. Nothing of this file is counted anywhere.")

        name, content = download(page, "faults-csv-run-several_bad-json")
        faults = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
        assert name == "faults-several_bad_json.csv"
        assert [(fault["query"], fault["document"]) for fault in faults] == [("q9", ""), ("q2", "'=d9")]
        assert faults[1]["apostrophe_added"] == "document"

        name, content = download(page, "faults-json-run-several_bad-json")
        exact = json.loads(content)
        assert (name, exact["total"]) == ("faults-several_bad_json.json", 2)
        assert [fault["document"] for fault in exact["faults"]] == [None, "=d9"]

    def test_a_refusal_is_one_click_away_and_leaves_nothing(self, page: Page) -> None:
        open_data(page)
        page.get_by_role("button", name="See a refused file").first.click()
        report = page.locator(".st-key-upload-report")
        expect(report).to_contain_text("refused run: refused.json")
        expect(report).to_contain_text("2 faults in all")
        settle(page)
        open_tab(page, "What is loaded")

        assert not [row for row in rows(page, "loaded-runs") if "refused.json" in row]

    def test_a_source_without_k_is_asked_for_it_and_not_for_the_file_again(
        self, page: Page, parts: dict[str, Any], tmp_path: Path
    ) -> None:
        del parts["k"]
        parts["corpus"]["d1"] = "a text of its own"
        open_data(page)
        source = written(tmp_path, "open.json", parts)
        upload(page, "upload-protocol", "load-protocol", [source], "the source does not state k; choose one")
        page.get_by_role("link", name="Compare").click()
        expect(page.locator(".rk-verdict")).to_be_visible()
        page.get_by_role("link", name="Data").click()
        answer = page.locator(".st-key-k-of-open-json input")
        expect(answer).to_be_visible()
        settle(page)
        answer.fill("3")
        answer.press("Tab")
        page.get_by_role("button", name="Freeze it", exact=True).click()

        expect(page.locator(".st-key-upload-report")).to_contain_text("accepted protocol: open.json")
        expect(page.locator(".st-key-protocol-bar")).to_contain_text("k = 3")
        settle(page)

    def test_a_refused_protocol_leaves_no_earlier_one_under_its_name(
        self, page: Page, parts: dict[str, Any], tmp_path: Path
    ) -> None:
        good = written(tmp_path / "first", "pilot.json", {**parts, "k": 4})
        bad = written(tmp_path / "second", "pilot.json", {**parts, "k": 0})
        open_data(page)
        upload(page, "upload-protocol", "load-protocol", [good], "accepted protocol: pilot.json")
        bar = page.locator(".st-key-protocol-bar .rk-bar b").first
        expect(bar).to_have_text("pilot")
        page.reload()
        upload(page, "upload-protocol", "load-protocol", [bad], "refused protocol: pilot.json")

        expect(bar).to_contain_text("pilot (earlier, ")

    def test_the_files_to_start_from_are_accepted_as_they_are(self, page: Page, tmp_path: Path) -> None:
        open_data(page)
        page.get_by_text("Files to start from, in every format").click()
        files = {}
        for template in ("protocol-json", "first-json", "second-trec"):
            name, content = download(page, f"template-{template}")
            files[template] = tmp_path / name
            files[template].write_bytes(content)
        upload(page, "upload-protocol", "load-protocol", [files["protocol-json"]], "accepted protocol: protocol.json")
        runs = [files["first-json"], files["second-trec"]]
        upload(page, "upload-runs", "load-runs", runs, "accepted run: second.trec")
        page.get_by_role("link", name="Compare").click()

        expect(page.locator(".rk-verdict")).to_contain_text("second against first")
        settle(page)


class TestChanging:
    def test_what_made_a_run_is_typed_in_and_read_on_compare(self, page: Page, tmp_path: Path) -> None:
        open_data(page)
        run = written(tmp_path, "described.json", {"q2": ["d3"], "q3": [], "q4": [], "q5": []})
        upload(page, "upload-runs", "load-runs", [run], "accepted run: described.json")
        open_tab(page, "What is loaded")
        names = [row[0] for row in rows(page, "loaded-runs")]
        select_run(page, names.index("described"))
        pane = page.locator(".st-key-change-run")
        expect(pane.get_by_label("Model")).to_be_visible()
        settle(page)
        pane.get_by_label("Model").fill(HOSTILE)
        pane.get_by_label("Name").fill("tuned")
        pane.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
        settle(page)
        page.locator(".st-key-select-b").click()
        before = page.evaluate("location.search")
        page.get_by_role("option", name="tuned").click()
        # Until the page is drawn again, its links lead to the runs that were chosen before.
        page.wait_for_function("before => location.search !== before", arg=before)
        settle(page)
        page.get_by_role("link", name="Compare").click()
        expect(page.locator(".rk-verdict")).to_contain_text("tuned against")
        settle(page)
        page.get_by_text("What made A and B").click()

        expect(page.locator(".st-key-protocol-bar")).to_contain_text(f"B tuned: model {HOSTILE}. Not recorded:")
        assert page.locator(".stApp img").count() == 0

    def test_a_run_is_removed_in_two_steps(self, page: Page, tmp_path: Path) -> None:
        open_data(page)
        run = written(tmp_path, "unwanted.json", {"q2": ["d6"]})
        upload(page, "upload-runs", "load-runs", [run], "accepted run: unwanted.json")
        open_tab(page, "What is loaded")
        names = [row[0] for row in rows(page, "loaded-runs")]
        select_run(page, names.index("unwanted"))
        page.get_by_role("button", name="Remove this run").click()
        expect(page.get_by_text("unwanted and its numbers go from every page, for everybody.")).to_be_visible()
        page.get_by_role("button", name="Remove it").click()
        expect(page.get_by_text("unwanted was removed.")).to_be_visible()
        settle(page)

        assert "unwanted" not in [row[0] for row in rows(page, "loaded-runs")]
        page.locator(".st-key-select-a").click()
        expect(page.get_by_role("option", name="fixture_B")).to_be_visible()
        expect(page.get_by_role("option", name="unwanted")).to_have_count(0)

    def test_freezing_again_stands_beside_the_first(self, page: Page) -> None:
        open_data(page, "What is loaded")
        again = page.locator(".st-key-freeze-again")
        again.locator("input[type=number]").fill("1")
        again.locator("input[type=number]").press("Tab")
        again.get_by_role("button", name="Freeze again").click()
        expect(page.get_by_text("Frozen, and open now. The other one is still here.")).to_be_visible()
        settle(page)

        expect(page.locator(".st-key-protocol-bar")).to_contain_text("k = 1")
        found = {tuple(row[:3]) for row in rows(page, "loaded-protocols")}
        assert {("The published example", "test", "2"), ("The published example", "test", "1")} <= found
        runs = {row[0]: row[1:3] for row in rows(page, "loaded-runs")}
        # Of three queries, A has its first document relevant on one, B on two.
        assert runs["fixture_A"][1] == "0.3333"
        assert runs["fixture_B"][1] == "0.6667"


class TestReading:
    def test_a_search_finds_a_document_and_shows_all_of_it(self, page: Page) -> None:
        open_data(page, "Read the protocol")
        search = page.locator(".st-key-search-documents input")
        search.fill("csv")
        search.press("Enter")
        expect(page.get_by_text("1 of 6 found")).to_be_visible()
        settle(page)
        pane = page.locator(".st-key-read-pane")

        expect(pane).to_contain_text("document d4")
        expect(pane).to_contain_text("relevant to 1 query")
        expect(pane).to_contain_text("q2 有哪些导出格式，分别怎样导出？")
        assert [row[:2] for row in rows(page, "documents-table")] == [["d4", "1"]]

    def test_a_selected_document_is_read(self, page: Page) -> None:
        open_data(page, "Read the protocol")
        click_row(page, "documents-table", 2, 200)

        expect(page.locator(".st-key-read-pane")).to_contain_text("document d3")

    def test_queries_and_their_relevant_documents(self, page: Page) -> None:
        open_data(page, "Read the protocol")
        page.get_by_role("radio", name="Queries").click()
        expect(page.locator(".st-key-queries-table")).to_be_visible()
        settle(page)

        assert rows(page, "queries-table")[0][:3] == ["q2", "test", "2"]
        expect(page.locator(".st-key-read-pane")).to_contain_text("2 relevant documents")

    def test_the_grid_tells_relevant_by_its_shape_and_a_cell_is_read(self, page: Page) -> None:
        open_data(page, "Read the protocol")
        page.get_by_role("radio", name="Judgments").click()
        expect(page.locator(".st-key-judgment-grid")).to_be_visible()
        settle(page)
        grid = page.locator(".st-key-judgment-grid")
        assert rows(page, "judgment-grid")[0] == ["q2", "2", "○", "○", "●", "●", "○", "○"]
        assert rows(page, "judgment-grid")[3] == ["q5", "0", "○", "○", "○", "○", "○", "○"]

        box = grid.locator(".dvn-scroller").bounding_box()
        assert box is not None
        click_row(page, "judgment-grid", 2, box["width"] - 20)
        pane = page.locator(".st-key-read-pane")
        expect(pane).to_contain_text("query q4")
        expect(pane).to_contain_text("d6● Relevant")

    def test_both_fingerprints_are_computed_again(self, page: Page) -> None:
        open_data(page, "Read the protocol")
        expect(page.locator(".st-key-fingerprints")).to_contain_text(PROTOCOL)
        page.get_by_role("button", name="Compute both again").click()

        expect(page.locator(".st-key-fingerprints")).to_contain_text(
            "✔ Both were computed again from what is loaded, and are the same."
        )
        settle(page)


class TestDownloads:
    def test_the_comparison_has_the_published_figures(self, page: Page) -> None:
        open_data(page, "Downloads")
        name, content = download(page, "comparison-json")
        report = json.loads(content)

        assert name == "compare-fixture_A-fixture_B-9dd1a576.json"
        assert (report["baseline"], report["candidate"]) == ("fixture_A", "fixture_B")
        assert (report["recall_delta"], report["mrr_delta"]) == ("1/3", "1/3")
        assert report["protocol"]["protocol_sha256"] == PROTOCOL

    @pytest.mark.parametrize(
        ("page", "said"), [("en-GB", '<html lang="en"'), ("zh-CN", '<html lang="zh"')], indirect=["page"]
    )
    def test_the_report_to_mail_speaks_the_language_of_the_page(self, page: Page, said: str) -> None:
        page.goto("/data")
        page.get_by_role("tab").nth(3).click()
        expect(page.locator(".st-key-data-downloads")).to_be_visible()
        settle(page)
        name, content = download(page, "comparison-html")

        assert name == "compare-fixture_A-fixture_B-9dd1a576.html"
        assert said in content.decode()

    def test_the_parquet_has_exact_scores(self, page: Page) -> None:
        open_data(page, "Downloads")
        _, content = download(page, "comparison-parquet")
        frame = pd.read_parquet(io.BytesIO(content))

        assert list(frame["rr_delta"][:3]) == ["-1/2", "1/2", "1"]

    def test_the_table_has_a_row_a_query_worst_first(self, page: Page) -> None:
        open_data(page, "Downloads")
        _, content = download(page, "comparison-csv")
        table = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))

        assert [row["query"] for row in table] == ["q2", "q3", "q4", "q5"]
        assert (table[0]["status"], table[0]["rank_delta"]) == ("worse", "1")

    def test_runs_and_their_reports(self, page: Page) -> None:
        open_data(page, "Downloads")
        _, content = download(page, "run-json")
        run = read_run(Source("run.json", content))
        assert (run.name, run.rankings["q2"]) == ("fixture_A", ["d3", "d1", "d4"])

        _, content = download(page, "runs-score-json")
        means = {name: each["recall_at_k"] for name, each in json.loads(content)["results"].items()}
        assert means["fixture_A"] == "1/2"
        assert means["fixture_B"] == "5/6"
        assert means["all_empty"] == "0"

    def test_the_protocol_reads_back_as_the_same(self, page: Page) -> None:
        open_data(page, "Downloads")
        _, content = download(page, "protocol-json")

        assert read_protocol(Source("protocol.json", content)).protocol_sha256 == PROTOCOL


class TestHostileText:
    def test_it_shows_as_it_is_written_on_every_part_of_the_page(self, page: Page, tmp_path: Path) -> None:
        name = tmp_path / "hostile.json"
        parts = {
            "corpus": {HOSTILE: HOSTILE},
            "queries": {HOSTILE: {"text": HOSTILE, "split": HOSTILE, HOSTILE: HOSTILE}},
            "qrels": {HOSTILE: {HOSTILE: 1}},
            "split": HOSTILE,
            "k": 1,
        }
        name.write_text(json.dumps(parts))
        run = written(
            tmp_path, "run.json", {"format": "rankeval-run/1", "name": HOSTILE, "rankings": {HOSTILE: [HOSTILE]}}
        )
        open_data(page)
        upload(page, "upload-protocol", "load-protocol", [name], "accepted protocol: hostile.json")
        upload(page, "upload-runs", "load-runs", [run], "accepted run: run.json")
        for tab, shown in (
            ("What is loaded", "change-run"),
            ("Read the protocol", "read-pane"),
            ("Downloads", "download-comparison"),
        ):
            open_tab(page, tab)
            expect(page.locator(f".st-key-{shown}")).to_contain_text(HOSTILE)
        open_tab(page, "Read the protocol")
        page.get_by_role("radio", name="Judgments").click()
        expect(page.locator(".st-key-judgment-grid")).to_be_visible()
        settle(page)

        assert page.locator(".stApp img").count() == 0
        assert page.locator(".stApp a[href^=javascript]").count() == 0
        assert page.title() != "owned"


class TestRestart:
    def test_what_was_uploaded_is_there_after_a_restart(
        self, chromium: Browser, parts: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("RANKEVAL_WORKSPACE")  # the file in the server's folder, not the tests' own in memory
        folder, port = tmp_path / "server", free_port()
        folder.mkdir()
        protocol = written(tmp_path, "kept.json", {**parts, "k": 1})
        run = written(tmp_path, "kept_run.json", {"q2": ["d3"], "q3": ["d5"]})
        with serving(folder, port=port) as address:
            page = chromium.new_page(base_url=address, locale="en-GB")
            open_data(page)
            upload(page, "upload-protocol", "load-protocol", [protocol], "accepted protocol: kept.json")
            upload(page, "upload-runs", "load-runs", [run], "accepted run: kept_run.json")
            where = page.url
            page.close()
        with serving(folder, port=port) as address:
            page = chromium.new_page(base_url=address, locale="en-GB")
            page.goto(where)
            expect(page.locator(".st-key-protocol-bar .rk-bar b").first).to_have_text("kept")
            settle(page)
            open_tab(page, "What is loaded")
            # Two of three queries have their relevant document first; q2 has a second one, beyond k = 1.
            assert rows(page, "loaded-runs")[0][:3] == ["kept_run", "0.5000", "0.6667"]
            open_tab(page, "Read the protocol")
            page.get_by_role("button", name="Compute both again").click()
            expect(page.locator(".st-key-fingerprints")).to_contain_text("✔ Both were computed again")
            settle(page)
            page.close()
