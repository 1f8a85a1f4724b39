from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankeval
from rankeval.cli import main
from rankeval.core.contract import Fault, RunError
from rankeval.dashboard import downloads
from rankeval.dashboard.downloads import Download
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun
from rankeval.formats import Source, read_protocol, read_run
from rankeval.formats.samples import sample_set, samples_folder
from rankeval.workspace import Workspace


@pytest.fixture
def library() -> Library:
    return Library(Workspace("sqlite://"), (sample_set("tutorial"),))


@pytest.fixture
def entry(library: Library) -> LoadedProtocol:
    return library.protocols()[0]


@pytest.fixture
def runs(library: Library, entry: LoadedProtocol) -> list[LoadedRun]:
    return library.runs(entry)


def made(found: list[Download], key: str) -> bytes:
    return next(each for each in found if each.key == key).make()


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


class TestComparison:
    def test_the_report_has_the_published_figures(self, entry: LoadedProtocol, runs: list[LoadedRun]) -> None:
        report = json.loads(made(downloads.of_comparison(entry, runs[0], runs[1]), "comparison-json"))

        assert (report["recall_delta"], report["mrr_delta"]) == ("1/3", "1/3")
        assert report["protocol"]["protocol_sha256"][:12] == "9dd1a576cc83"
        assert [row["rank_delta"] for row in report["rows"] if row["query"] == "q2"] == [1]

    def test_it_is_what_the_command_prints(
        self, entry: LoadedProtocol, runs: list[LoadedRun], capsysbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        folder = samples_folder() / "tutorial"
        files = [folder / "protocol.json", *(folder / "runs" / f"fixture_{side}.json" for side in "AB")]
        assert main(["compare", *map(str, files), "--format", "json"]) == 0

        report = made(downloads.of_comparison(entry, runs[0], runs[1]), "comparison-json")
        assert report == capsysbinary.readouterr().out

    def test_the_table_has_a_row_a_query_worst_first(self, entry: LoadedProtocol, runs: list[LoadedRun]) -> None:
        table = rows(made(downloads.of_comparison(entry, runs[0], runs[1]), "comparison-csv"))

        assert [(row["query"], row["status"], row["rr_delta"]) for row in table][:2] == [
            ("q2", "worse", "-0.500000"),
            ("q3", "better", "0.500000"),
        ]

    def test_the_report_to_mail_says_the_verdict(self, entry: LoadedProtocol, runs: list[LoadedRun]) -> None:
        page = made(downloads.of_comparison(entry, runs[0], runs[1]), "comparison-html").decode()

        assert page.startswith("<!DOCTYPE html>")
        assert "<bdi>fixture_B</bdi>" in page
        assert "1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3" in page

    def test_the_parquet_has_the_rows_of_the_table_with_exact_scores(
        self, entry: LoadedProtocol, runs: list[LoadedRun]
    ) -> None:
        content = made(downloads.of_comparison(entry, runs[0], runs[1]), "comparison-parquet")
        frame = pd.read_parquet(io.BytesIO(content))

        assert list(frame["query"]) == ["q2", "q3", "q4", "q5"]
        assert list(frame["rr_delta"][:3]) == ["-1/2", "1/2", "1"]


class TestRuns:
    def test_a_run_reads_back_as_the_same(self, entry: LoadedProtocol, runs: list[LoadedRun]) -> None:
        content = made(downloads.of_run(entry, runs[0]), "run-json")
        read = read_run(Source("anything.json", content))

        assert (read.name, read.run_sha256, read.rankings) == ("fixture_A", runs[0].key, runs[0].run.rankings)
        assert json.loads(content)["format"] == "rankeval-run/1"

    def test_its_report_has_the_published_figures(self, entry: LoadedProtocol, runs: list[LoadedRun]) -> None:
        report = json.loads(made(downloads.of_run(entry, runs[1]), "run-score-json"))

        assert list(report["results"]) == ["fixture_B"]
        assert report["results"]["fixture_B"]["recall_at_k"] == "5/6"
        assert report["runs"]["fixture_B"]["run_sha256"] == runs[1].key

    def test_all_runs_together(self, entry: LoadedProtocol, runs: list[LoadedRun]) -> None:
        found = downloads.of_runs(entry, runs)
        report = json.loads(made(found, "runs-score-json"))

        assert {name: each["mrr_at_k"] for name, each in report["results"].items()} == {
            "fixture_A": "1/2",
            "fixture_B": "5/6",
            "all_empty": "0",
        }
        assert len(rows(made(found, "runs-score-csv"))) == 3 * 4


class TestProtocol:
    def test_it_reads_back_as_the_same(self, entry: LoadedProtocol) -> None:
        (frozen,) = downloads.of_protocol(entry)
        content = frozen.make()

        assert json.loads(content)["format"] == "rankeval-protocol/1"
        assert read_protocol(Source("p.json", content)).protocol_sha256 == entry.key


class TestTemplates:
    def test_every_place_has_some_and_each_says_what_it_is(self) -> None:
        found = downloads.of_templates()

        assert list(found) == ["protocol", "run", "chunk map"]
        assert all(each.says and each.make() for place in found.values() for each in place)


class TestRefusal:
    def test_both_files_hold_every_fault(self) -> None:
        error = RunError([Fault("unknown document ID", "q2", "d9", line=3), Fault("unknown document ID", "q3", "d8")])
        as_csv, as_json = downloads.of_refusal("run", "my run.json", error)

        assert [row["document"] for row in rows(as_csv.make())] == ["d9", "d8"]
        assert [fault["line"] for fault in json.loads(as_json.make())["faults"]] == [3, None]
        assert as_csv.file == "faults-my_run_json.csv"


class TestNames:
    def test_a_name_is_no_path_and_not_too_long(self) -> None:
        name = downloads.file_name("../" * 40 + "x" * 300, "運" * 300, ending="json")

        assert Path(name).name == name
        assert len(name.encode()) < 200

    def test_two_uploads_of_one_name_make_files_of_two_names(
        self, library: Library, entry: LoadedProtocol, fixture_a: Any
    ) -> None:
        first = library.add_run(entry, rankeval.Run(fixture_a, "mine"))
        second = library.add_run(entry, rankeval.Run({}, "mine"))

        names = [[each.file for each in downloads.of_run(entry, run)] for run in (first, second)]
        assert not set(names[0]) & set(names[1])
