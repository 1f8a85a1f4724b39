from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

import rankeval
from rankeval.cli import main

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "sample_data" / "tutorial"
PROTOCOL = str(TUTORIAL / "protocol.json")
A = str(TUTORIAL / "runs" / "fixture_A.json")
B = str(TUTORIAL / "runs" / "fixture_B.json")
CHUNKS = str(TUTORIAL / "chunk_runs" / "chunk_run.json")
MAP = str(TUTORIAL / "chunk_to_doc.json")
ADAPTER_SHA256 = "d6706e72c8476072541a9ff6ec1ea1c86c4b7c58057b587db56acac24102cd12"

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *arguments: str, code: int = 0) -> Any:
    """Run a command and give the JSON that it printed."""
    assert main(arguments) == code
    return json.loads(capsys.readouterr().out)


def refused(capsys: Capture, *arguments: str) -> str:
    """Run a command that is refused, and give what it said; nothing may stand on standard output."""
    try:
        code = main(arguments)
    except SystemExit as usage:
        code = int(usage.code or 0)
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert "Traceback" not in said.err
    return said.err


class TestScore:
    def test_the_blocks_in_order(self, capsys: Capture) -> None:
        document = printed(capsys, "score", PROTOCOL, A, B)

        assert list(document) == ["results", "protocol", "runs"]
        assert list(document["results"]) == ["fixture_A", "fixture_B"]
        assert list(document["protocol"]) == [
            "protocol_sha256",
            "protocol_sha256_verified",
            "compact_sha256",
            "declarations",
        ]

    def test_exact_strings(self, capsys: Capture) -> None:
        report = printed(capsys, "score", PROTOCOL, B)["results"]["fixture_B"]

        assert (report["recall_at_k"], report["mrr_at_k"]) == ("5/6", "5/6")
        assert report["rows"][3]["recall"] is None

    def test_a_run_may_be_named(self, capsys: Capture) -> None:
        assert list(printed(capsys, "score", PROTOCOL, f"old={A}", f"new={A}")["results"]) == ["old", "new"]

    def test_two_equal_names_are_refused(self, capsys: Capture) -> None:
        assert "two runs are called 'fixture_A'" in refused(capsys, "score", PROTOCOL, A, A)

    def test_standard_input(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(B).read_bytes())))

        assert printed(capsys, "score", PROTOCOL, "x=-")["results"]["x"]["mrr_at_k"] == "5/6"

    def test_a_standard_input_that_is_closed(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", None)

        assert "standard input: it is closed" in refused(capsys, "score", PROTOCOL, "-")

    def test_chunks_under_a_budget(self, capsys: Capture) -> None:
        document = printed(capsys, "score", PROTOCOL, CHUNKS, "--map", MAP, "--budget", "2")
        run = document["runs"]["chunk_run"]

        assert document["results"]["chunk_run"]["recall_at_k"] == "1/6"
        assert (run["adapter_sha256"], run["chunk_budget"]) == (ADAPTER_SHA256, 2)

    def test_a_budget_without_a_map(self, capsys: Capture) -> None:
        assert "--budget counts chunks" in refused(capsys, "score", PROTOCOL, A, "--budget", "2")

    def test_another_k(self, capsys: Capture) -> None:
        report = printed(capsys, "score", PROTOCOL, A, "--k", "3")["results"]["fixture_A"]

        assert (report["k"], report["recall_at_k"]) == (3, "2/3")

    def test_a_table_that_a_person_reads(self, capsys: Capture) -> None:
        assert main(["score", PROTOCOL, A, B, "--format", "table"]) == 0
        lines = capsys.readouterr().out.splitlines()

        assert lines[0] == "protocol 9dd1a576cc83, split test, k = 2"
        assert lines[3].split()[:6] == ["fixture_A", "1/2", "0.5000", "1/2", "0.5000", "1"]
        assert lines[4].split()[:6] == ["fixture_B", "5/6", "0.8333", "5/6", "0.8333", "0"]


class TestCompare:
    def test_the_document(self, capsys: Capture) -> None:
        document = printed(capsys, "compare", PROTOCOL, A, B)

        assert list(document) == [
            "baseline",
            "candidate",
            "recall_delta",
            "mrr_delta",
            "counts",
            "rows",
            "protocol",
            "runs",
        ]
        assert (document["baseline"], document["candidate"]) == ("fixture_A", "fixture_B")
        assert (document["recall_delta"], document["mrr_delta"]) == ("1/3", "1/3")
        assert document["rows"][0] == {
            "query": "q2",
            "status": "worse",
            "first_relevant_rank": [1, 2],
            "rank_delta": 1,
            "recall": ["1/2", "1/2"],
            "recall_delta": "0",
            "rr": ["1", "1/2"],
            "rr_delta": "-1/2",
            "missing": [False, False],
        }

    def test_the_table_says_the_verdict(self, capsys: Capture) -> None:
        assert main(["compare", PROTOCOL, A, B, "--format", "table"]) == 0
        text = capsys.readouterr().out

        assert "fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3;" in text
        assert "A: 3 scored = 2 with results + 0 empty as 0 + 1 missing as 0; 1 null, left out" in text
        assert [line.split()[0] for line in text.splitlines() if line[:2] in {"q2", "q3", "q4"}] == ["q2", "q3", "q4"]
        assert "q4     ⇥ entered · missing in A" in text

    @pytest.mark.parametrize(
        ("gate", "code"),
        [
            (["--fail-on-regression"], 1),
            (["--fail-on-regression=rr"], 1),
            (["--fail-on-regression=recall"], 0),
            (["--max-regressions", "1"], 0),
            (["--max-regressions", "0"], 1),
            (["--fail-on-regression=any", "--max-regressions", "1"], 0),
            ([], 0),
        ],
    )
    def test_gates(self, capsys: Capture, gate: list[str], code: int) -> None:
        assert printed(capsys, "compare", PROTOCOL, A, B, *gate, code=code)["counts"]["regression"] == 1


class TestSpreadsheet:
    def test_score_writes_every_query_of_every_run(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "scores.csv"
        printed(capsys, "score", PROTOCOL, f"@A={A}", B, "--spreadsheet", str(file))
        rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"), newline="")))

        assert [row[:2] for row in rows[1:]] == [
            [run, query] for run in ("'@A", "fixture_B") for query in ("q2", "q3", "q4", "q5")
        ]

    def test_a_word_says_how_many_cells_were_escaped(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "scores.csv"
        assert main(["score", PROTOCOL, f"@A={A}", "--spreadsheet", str(file)]) == 0

        assert "4 cells begin with an apostrophe that is not theirs" in capsys.readouterr().err

    def test_compare_writes_the_worst_first(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "moved.csv"
        printed(capsys, "compare", PROTOCOL, A, B, "--spreadsheet", str(file))
        rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"), newline="")))

        assert [(row["query"], row["status"]) for row in rows] == [
            ("q2", "worse"),
            ("q3", "better"),
            ("q4", "entered"),
            ("q5", "null"),
        ]

    def test_a_folder_that_is_not_there(self, capsys: Capture, tmp_path: Path) -> None:
        assert "there is no folder" in refused(
            capsys, "score", PROTOCOL, A, "--spreadsheet", str(tmp_path / "none" / "scores.csv")
        )

    def test_no_file_that_is_read_is_overwritten(self, capsys: Capture, tmp_path: Path) -> None:
        run = tmp_path / "run.json"
        run.write_text('{"q2": ["d3"]}')
        said = refused(capsys, "score", PROTOCOL, A, f"x={run}", "--spreadsheet", str(run))

        assert "it is one of the files that are read" in said
        assert run.read_text() == '{"q2": ["d3"]}'


class TestReport:
    def test_compare_writes_one_beside_what_it_prints(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "moved.html"
        document = printed(capsys, "compare", PROTOCOL, A, B, "--report", str(file))
        page = file.read_text("utf-8")

        assert document["counts"]["worse"] == 1
        assert "fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3;" in page
        assert "<b><bdi>protocol.json</bdi></b>" in page

    def test_the_same_input_gives_the_same_file(self, capsys: Capture, tmp_path: Path) -> None:
        files = [tmp_path / "1.html", tmp_path / "2.html"]
        for file in files:
            printed(capsys, "compare", PROTOCOL, A, B, "--report", str(file))

        assert files[0].read_bytes() == files[1].read_bytes()

    def test_two_budgets_of_chunks(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "chunks.html"
        runs = [CHUNKS, f"again={CHUNKS}"]
        printed(capsys, "compare", PROTOCOL, *runs, "--map", MAP, "--budget", "2", "--report", str(file))

        assert "collapsed from the first 2 chunks of each query, map d6706e72c847" in file.read_text("utf-8")

    def test_a_gate_that_fails_writes_it_all_the_same(self, tmp_path: Path) -> None:
        file = tmp_path / "moved.html"

        assert main(["compare", PROTOCOL, A, B, "--report", str(file), "--fail-on-regression"]) == 1
        assert file.exists()

    def test_a_folder_that_is_not_there(self, capsys: Capture, tmp_path: Path) -> None:
        assert main(["compare", PROTOCOL, A, B, "--report", str(tmp_path / "none" / "moved.html")]) == 2
        assert capsys.readouterr().out == ""

    def test_what_draws_it_is_not_loaded_without_one(self) -> None:
        script = "import sys; from rankeval.cli import main; main(sys.argv[1:]); sys.exit('jinja2' in sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", script, "compare", PROTOCOL, A, B], check=False, capture_output=True
        )

        assert done.returncode == 0


class TestChunks:
    def test_collapse(self, capsys: Capture) -> None:
        document = printed(capsys, "collapse", PROTOCOL, CHUNKS, "--map", MAP)

        assert list(document) == ["adapter_sha256", "document_runs", "evidence"]
        assert document["document_runs"] == {"q2": ["d3", "d4"], "q3": ["d1", "d5"], "q5": []}

    def test_what_collapse_printed_is_a_run(self, capsys: Capture, tmp_path: Path) -> None:
        assert main(["collapse", PROTOCOL, CHUNKS, "--map", MAP]) == 0
        (tmp_path / "documents.json").write_text(capsys.readouterr().out)
        document = printed(capsys, "score", PROTOCOL, str(tmp_path / "documents.json"))

        assert document["results"]["documents"]["recall_at_k"] == "2/3"
        assert document["runs"]["documents"]["adapter_sha256"] == ADAPTER_SHA256

    def test_budgets(self, capsys: Capture) -> None:
        document = printed(capsys, "budgets", PROTOCOL, CHUNKS, "--map", MAP, "--budgets", "2")
        reports = document["budgets"]["chunk_run"]

        assert (list(document), list(reports)) == (["adapter_sha256", "budgets"], ["2", "all"])
        assert [report["mrr_at_k"] for report in reports.values()] == ["1/3", "1/2"]

    def test_budgets_as_a_table(self, capsys: Capture) -> None:
        assert main(["budgets", PROTOCOL, CHUNKS, "--map", MAP, "--budgets", "2", "--format", "table"]) == 0
        rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("chunk_run")]

        assert rows == [
            ["chunk_run", "2", "1/6", "0.1667", "1/3", "0.3333"],
            ["chunk_run", "all", "2/3", "0.6667", "1/2", "0.5000"],
        ]


class TestFreeze:
    def test_what_is_frozen_is_the_same_protocol(self, capsys: Capture, tmp_path: Path) -> None:
        frozen = tmp_path / "frozen.json"
        facts = printed(capsys, "freeze", PROTOCOL, "-o", str(frozen))
        again = printed(capsys, "verify", str(frozen))[str(frozen)]

        assert facts["protocol_sha256"] == "9dd1a576cc830736a0884e847845f31f2390843c27a250abf3bafaf8fa72cadb"
        assert (again["protocol_sha256"], again["documents"], again["pairs"]) == (facts["protocol_sha256"], 6, 30)

    def test_another_split_and_k_are_another_protocol(self, capsys: Capture, tmp_path: Path) -> None:
        facts = printed(capsys, "freeze", PROTOCOL, "--split", "dev", "--k", "1", "-o", str(tmp_path / "f.json"))

        assert (facts["split"], facts["k"], facts["queries_of_split"]) == ("dev", 1, 1)

    def test_a_refusal_leaves_no_file(self, capsys: Capture, tmp_path: Path) -> None:
        refused(capsys, "freeze", PROTOCOL, "--split", "train", "-o", str(tmp_path / "f.json"))

        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_is_not_there(self, capsys: Capture, tmp_path: Path) -> None:
        assert "there is no folder" in refused(capsys, "freeze", PROTOCOL, "-o", str(tmp_path / "none" / "f.json"))

    def test_source_and_parts_do_not_go_together(self, capsys: Capture, tmp_path: Path) -> None:
        output = str(tmp_path / "f.json")

        assert "give SOURCE, or" in refused(capsys, "freeze", PROTOCOL, "--corpus", A, "-o", output)
        assert "give SOURCE, or" in refused(capsys, "freeze", "-o", output)

    def test_an_altered_file_is_no_longer_verified(self, capsys: Capture, tmp_path: Path) -> None:
        frozen = tmp_path / "frozen.json"
        assert main(["freeze", PROTOCOL, "-o", str(frozen)]) == 0
        capsys.readouterr()
        frozen.write_text(frozen.read_text(encoding="utf-8").replace('"d6"]', '"d5"]'), encoding="utf-8")

        assert "a stated fingerprint does not match the content" in refused(capsys, "verify", str(frozen))

    def test_facts_as_a_table(self, capsys: Capture, tmp_path: Path) -> None:
        assert main(["freeze", PROTOCOL, "-o", str(tmp_path / "f.json"), "--format", "table"]) == 0
        assert main(["verify", str(tmp_path / "f.json"), "--format", "table"]) == 0
        lines = capsys.readouterr().out.splitlines()

        assert [line.split() for line in lines].count(["documents", "6"]) == 2

    def test_a_group_that_spans_splits_is_warned_of(
        self, capsys: Capture, tmp_path: Path, parts: dict[str, Any]
    ) -> None:
        for query in ("q1", "q2"):
            parts["queries"][query]["group"] = "g"
        source = tmp_path / "p.json"
        source.write_text(json.dumps(parts))
        assert main(["freeze", str(source), "-o", str(tmp_path / "f.json")]) == 0

        assert "warning: group 'g' stands in splits dev and test" in capsys.readouterr().err


class TestPropose:
    """d3 and d4 are relevant to q2 of the published example; with d1 too, fixture_A finds two of three of them."""

    CHANGE: ClassVar = {"query": "q2", "document": "d1", "label": 1, "annotator": "Ann", "reason": "it says so too"}

    @pytest.fixture
    def changes(self, tmp_path: Path) -> str:
        file = tmp_path / "changes.jsonl"
        file.write_text(json.dumps(self.CHANGE) + "\n")
        return str(file)

    def test_writes_a_protocol_of_its_own(
        self, capsys: Capture, tmp_path: Path, changes: str, parts: dict[str, Any]
    ) -> None:
        output = str(tmp_path / "proposed.json")
        facts = printed(capsys, "propose", PROTOCOL, changes, "-o", output)
        parts["qrels"]["q2"]["d1"] = 1
        frozen = rankeval.Protocol(**parts)

        assert (facts["protocol_sha256"], facts["compact_sha256"]) == (frozen.protocol_sha256, frozen.compact_sha256)
        assert facts["parent_protocol_sha256"] == ("9dd1a576cc830736a0884e847845f31f2390843c27a250abf3bafaf8fa72cadb")
        assert (facts["relevant_pairs"], facts["changed_judgments"]) == (6, 1)
        assert printed(capsys, "verify", output)[output]["protocol_sha256"] == frozen.protocol_sha256

    def test_the_file_says_from_what_and_who_and_why(self, capsys: Capture, tmp_path: Path, changes: str) -> None:
        output = str(tmp_path / "proposed.json")
        printed(capsys, "propose", PROTOCOL, changes, "-o", output)
        (proposal,) = rankeval.read_protocol(output).provenance.proposals

        assert proposal.changes == (rankeval.LabelChange("q2", "d1", 1, "Ann", "it says so too"),)
        assert proposal.parent_compact_sha256 == rankeval.read_protocol(PROTOCOL).compact_sha256

    def test_each_protocol_has_its_own_score(self, capsys: Capture, tmp_path: Path, changes: str) -> None:
        before, output = Path(PROTOCOL).read_bytes(), str(tmp_path / "proposed.json")
        printed(capsys, "propose", PROTOCOL, changes, "-o", output)

        assert printed(capsys, "score", PROTOCOL, A)["results"]["fixture_A"]["recall_at_k"] == "1/2"
        assert printed(capsys, "score", output, A)["results"]["fixture_A"]["recall_at_k"] == "5/9"
        assert Path(PROTOCOL).read_bytes() == before

    def test_where_its_numbers_are_it_is_said(self, capsys: Capture, tmp_path: Path, changes: str) -> None:
        output = str(tmp_path / "proposed.json")
        said = "proposed from 9dd1a576cc83 (1 judgment changed by Ann)"
        assert main(["propose", PROTOCOL, changes, "-o", output, "--format", "table"]) == 0
        assert ["changed_judgments", "1"] in [line.split() for line in capsys.readouterr().out.splitlines()]
        assert main(["score", output, A, "--format", "table"]) == 0
        printed_now = capsys.readouterr()

        assert said in printed_now.out.splitlines()[1]
        assert printed_now.err == f"rankeval: {said}\n"

    def test_declarations_are_kept(self, capsys: Capture, tmp_path: Path, changes: str, parts: dict[str, Any]) -> None:
        for labels in parts["qrels"].values():
            labels.pop("d1")
        (tmp_path / "sparse.json").write_text(json.dumps(parts))
        frozen, output = str(tmp_path / "frozen.json"), str(tmp_path / "proposed.json")
        before = printed(
            capsys, "freeze", str(tmp_path / "sparse.json"), "--unlisted-nonrelevant", "pooled", "-o", frozen
        )
        facts = printed(capsys, "propose", frozen, changes, "-o", output)

        assert (before["judged_pairs"], facts["judged_pairs"]) == (25, 26)
        assert facts["declarations"] == before["declarations"]
        assert facts["declarations"][0]["value"] == "pooled"

    def test_changes_from_standard_input(
        self, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(self.CHANGE).encode())))

        assert printed(capsys, "propose", PROTOCOL, "-", "-o", str(tmp_path / "p.json"))["changed_judgments"] == 1

    @pytest.mark.parametrize(
        ("field", "value", "words"),
        [
            ("query", "q9", "changes.jsonl, row 1, query 'q9', document 'd1': no such query"),
            ("document", "d3", "a proposed label must differ from the one that stands"),
            ("reason", "", "changes.jsonl, row 1, query 'q2', document 'd1': why is empty"),
            ("label", 2, "changes.jsonl, row 1: the label is 2"),
        ],
    )
    def test_a_refusal_leaves_no_file(
        self, capsys: Capture, tmp_path: Path, changes: str, field: str, value: object, words: str
    ) -> None:
        Path(changes).write_text(json.dumps({**self.CHANGE, field: value}))

        assert words in refused(capsys, "propose", PROTOCOL, changes, "-o", str(tmp_path / "p.json"))
        assert [file.name for file in tmp_path.iterdir()] == ["changes.jsonl"]

    def test_the_protocol_that_stands_is_not_written_over(
        self, capsys: Capture, tmp_path: Path, changes: str, parts: dict[str, Any]
    ) -> None:
        standing = tmp_path / "protocol.json"
        standing.write_text(json.dumps(parts))
        before = standing.read_bytes()
        said = refused(capsys, "propose", str(standing), changes, "-o", f"{tmp_path}/./protocol.json")

        assert "it is one of the files that are read" in said
        assert standing.read_bytes() == before

    def test_standard_input_twice(self, capsys: Capture, tmp_path: Path) -> None:
        said = refused(capsys, "propose", "-", "-", "-o", str(tmp_path / "p.json"))

        assert "standard input can be read once only" in said


class TestReproduce:
    def test_the_bytes_of_the_published_file(self) -> None:
        """In a process of its own, with a locale that knows no Chinese."""
        done = subprocess.run(
            [sys.executable, "-m", "rankeval", "reproduce"], capture_output=True, check=True, env={"LC_ALL": "C"}
        )

        assert done.stdout == (TUTORIAL / "expected.json").read_bytes()

    def test_the_chunk_half(self, capsys: Capture) -> None:
        expected = json.loads((TUTORIAL / "expected-chunk.json").read_text(encoding="utf-8"))

        assert printed(capsys, "reproduce", "--chunks") == expected


class TestRefusals:
    @pytest.mark.parametrize(
        "arguments",
        [
            [],
            ["nothing"],
            ["score"],
            ["score", PROTOCOL],
            ["compare", PROTOCOL, A],
            ["score", PROTOCOL, A, "--k", "x"],
            ["score", PROTOCOL, A, "--k", "1_0"],
            ["score", PROTOCOL, A, "--k", "\u0663"],
            ["score", PROTOCOL, A, "--relevant-from", "1.5"],
            ["score", PROTOCOL, A, "--budget", "-1", "--map", MAP],
            ["budgets", PROTOCOL, CHUNKS, "--map", MAP, "--budgets", "1,x"],
            ["serve", "--port", "0"],
        ],
    )
    def test_usage(self, capsys: Capture, arguments: list[str]) -> None:
        assert "usage: rankeval" in refused(capsys, *arguments)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["score", "none.json", A], "none.json: No such file or directory"),
            (["score", str(TUTORIAL), A], "a BEIR folder has"),
            (["score", PROTOCOL, str(TUTORIAL)], "Is a directory"),
            (["score", A, A], "a protocol has corpus, queries, qrels"),
            (["score", PROTOCOL, PROTOCOL], "in place of a list"),
            (["score", PROTOCOL, A, "--k", "0"], "k must be a positive integer"),
            (["score", PROTOCOL, A, "--k", "-1"], "k is -1"),
            (["score", PROTOCOL, CHUNKS, "--map", MAP, "--budget", "0"], "a chunk budget must be a positive integer"),
            (["serve", "none.json"], "none.json: No such file or directory"),
            (["serve", PROTOCOL, CHUNKS], "unknown document ID"),
        ],
    )
    def test_input(self, capsys: Capture, arguments: list[str], words: str) -> None:
        assert words in refused(capsys, *arguments)

    @pytest.mark.parametrize(
        "arguments",
        [
            ["score", "-", "-"],
            ["score", "-", "x=-"],
            ["compare", PROTOCOL, "x=-", "y=-"],
            ["score", PROTOCOL, "-", "--map", "-"],
            ["collapse", "-", "-", "--map", MAP],
            ["budgets", PROTOCOL, "-", "--map", "-"],
            ["freeze", "--corpus", "-", "--queries", "-", "--qrels", A, "-o", "none.json"],
            ["verify", "-", "-"],
        ],
    )
    def test_standard_input_twice(self, capsys: Capture, arguments: list[str]) -> None:
        assert "standard input can be read once only" in refused(capsys, *arguments)

    @pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
    def test_a_closed_stream_is_no_error(self, closed: str) -> None:
        done = subprocess.run(  # noqa: S602 - it is what the shell closes that is tested
            f"{sys.executable} -m rankeval reproduce {closed}", shell=True, capture_output=True, check=False
        )

        assert (done.returncode, done.stderr) == (0, b"")

    def test_words_that_nobody_can_hear_leave_the_exit_code(self) -> None:
        done = subprocess.run(  # noqa: S602 - it is the full device that is tested
            f"{sys.executable} -m rankeval score none.json none.json 2> /dev/full",
            shell=True,
            capture_output=True,
            check=False,
        )

        assert done.returncode == 2

    def test_a_full_device_is_refused(self) -> None:
        done = subprocess.run(  # noqa: S602 - likewise
            f"{sys.executable} -m rankeval reproduce > /dev/full", shell=True, capture_output=True, check=False
        )

        assert (done.returncode, done.stderr) == (2, b"rankeval: standard output: No space left on device\n")

    @pytest.mark.parametrize(
        ("first", "second", "words"),
        [
            ('{"q2": [7]}', '{"q2": NaN}', ["a.json, line 1", "b.json, line 1"]),
            ('{"q2": ["d7"]}', '{"q9": []}', ["a.json, line 1, query 'q2'", "b.json, line 1, query 'q9'"]),
        ],
    )
    @pytest.mark.parametrize("chunks", [[], ["--map", MAP]])
    def test_the_faults_of_all_runs_are_told_at_once(
        self, capsys: Capture, tmp_path: Path, first: str, second: str, words: list[str], chunks: list[str]
    ) -> None:
        files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
        for file, content in zip(files, (first, second), strict=True):
            Path(file).write_text(content)
        said = refused(capsys, "score", PROTOCOL, *files, *chunks)

        assert [each in said for each in words] == [True, True]

    def test_no_terminal_obeys_what_stands_in_a_file(self, capsys: Capture, tmp_path: Path) -> None:
        """A name from a file, a file's own name, and an ID, each with the escape that clears a screen."""
        named = tmp_path / "run.json"
        named.write_text('{"format": "rankeval-run/1", "name": "\\u009b2J", "rankings": {"q2": ["d3"]}}')
        hostile = tmp_path / "\x1b[2J.csv"
        hostile.write_text("query,doc,score\nq2,\x9b2J,1\n")
        shown = [
            refused(capsys, "score", PROTOCOL, str(hostile)),
            refused(capsys, "score", PROTOCOL, f"\x1b[2J={tmp_path}/none"),
        ]
        assert main(["compare", PROTOCOL, A, str(named), "--order", "rank", "--format", "table"]) == 0
        both = capsys.readouterr()

        assert not {"\x1b", "\x9b"} & {*"".join([*shown, both.out, both.err])}

    def test_a_closed_pipe_is_no_error(self) -> None:
        done = subprocess.run(  # noqa: S602 - it is the pipe that is tested
            f"{sys.executable} -m rankeval reproduce | head -c 1",
            shell=True,
            capture_output=True,
            check=True,
        )

        assert (done.stdout, done.stderr) == (b"{", b"")


class TestStart:
    def test_nothing_heavy_is_imported(self) -> None:
        script = (
            "import sys; from rankeval.cli import main;"
            f" main(['score', {PROTOCOL!r}, {A!r}]);"
            " heavy = {'streamlit', 'pandas', 'altair', 'numpy', 'pyarrow'} & sys.modules.keys();"
            " sys.exit(f'imported {heavy}' if heavy else 0)"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

        assert done.returncode == 0, done.stderr


class TestCranfield:
    def test_from_the_real_files_to_a_comparison(self, capsys: Capture, tmp_path: Path, cranfield: Path) -> None:
        frozen = str(tmp_path / "p.json")
        facts = printed(
            capsys,
            *("freeze", str(cranfield), "--split", "test", "--k", "10", "--relevant-from", "1"),
            *("--unlisted-nonrelevant", "all 1400 documents were judged", "-o", frozen),
        )
        assert (facts["documents"], facts["queries"], facts["queries_of_split"]) == (1400, 225, 150)
        assert facts["relevant_pairs"] == 1612

        runs = [str(cranfield / "runs" / f"{name}.trec") for name in ("bm25", "minilm")]
        document = printed(capsys, "compare", frozen, *runs)
        assert (
            sum(document["counts"][status] for status in ("better", "worse", "same", "entered", "left", "neither"))
            == 150
        )
        assert [each["option"] for each in document["protocol"]["declarations"]] == [
            "unlisted-nonrelevant",
            "relevant-from",
        ]

    def test_the_order_of_the_source_is_kept(self, capsys: Capture, tmp_path: Path, cranfield: Path) -> None:
        frozen = tmp_path / "p.json"
        printed(
            capsys,
            *("freeze", str(cranfield), "--split", "test", "--k", "10", "--relevant-from", "1"),
            *("--unlisted-nonrelevant", "all were judged", "-o", str(frozen)),
        )
        lines = (cranfield / "queries.jsonl").read_text(encoding="utf-8").splitlines()

        assert list(json.loads(frozen.read_text(encoding="utf-8"))["queries"]) == [
            json.loads(line)["_id"] for line in lines
        ]

    def test_the_crashed_run_is_charged_for_what_it_lost(self, capsys: Capture, cranfield: Path) -> None:
        options = ["--split", "test", "--k", "10", "--relevant-from", "1", "--unlisted-nonrelevant", "all judged"]
        report = printed(capsys, "score", str(cranfield), str(cranfield / "runs" / "bm25_crashed.trec"), *options)
        report = report["results"]["bm25_crashed"]

        assert (report["eligible_queries"], len(report["missing_queries"])) == (150, 13)

    def test_chunks(self, capsys: Capture, cranfield: Path) -> None:
        options = ["--split", "test", "--k", "10", "--relevant-from", "1", "--unlisted-nonrelevant", "all judged"]
        chunk_run, chunk_map = str(cranfield / "runs" / "bm25_chunks.json"), str(cranfield / "chunk_to_doc.json")
        collapsed = printed(capsys, "collapse", str(cranfield), chunk_run, "--map", chunk_map, *options)
        budgets = printed(capsys, "budgets", str(cranfield), chunk_run, "--map", chunk_map, *options)

        assert all(len(set(ranking)) == len(ranking) for ranking in collapsed["document_runs"].values())
        assert list(budgets["budgets"]["bm25_chunks"]) == ["1", "2", "5", "10", "all"]


class TestConvert:
    @pytest.mark.parametrize("to", ["trec", "csv", "parquet", "json"])
    def test_what_is_written_scores_the_same(self, capsys: Capture, tmp_path: Path, to: str) -> None:
        source = tmp_path / "run.json"
        source.write_text('{"q2": ["d3", "d1"], "q3": ["d2", "d5"]}')
        target = tmp_path / f"out.{to}"
        facts = printed(capsys, "convert", str(source), "--to", to, "-o", str(target))
        document = printed(capsys, "score", PROTOCOL, f"x={target}")

        assert document["results"]["x"]["recall_at_k"] == "1/2"
        assert document["runs"]["x"]["run_sha256"] == facts["run_sha256"]

    def test_a_run_that_the_target_cannot_hold_leaves_no_file(self, capsys: Capture, tmp_path: Path) -> None:
        assert "query 'q5'" in refused(capsys, "convert", A, "--to", "trec", "-o", str(tmp_path / "out"))
        assert list(tmp_path.iterdir()) == []
