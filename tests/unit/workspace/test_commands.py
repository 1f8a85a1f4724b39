from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rankeval.cli import main

STORED = Path(__file__).parents[2] / "data" / "workspaces" / "version-1.sql"

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def stored(file: Path) -> str:
    with closing(sqlite3.connect(file)) as made:
        made.executescript(STORED.read_text(encoding="utf-8"))
    return str(file)


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = main(["workspace", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


class TestInfo:
    def test_counts_version_and_size(self, capsys: Capture, stored: str) -> None:
        code, out, _ = run(capsys, "info", "--workspace", stored)
        facts = json.loads(out)

        assert code == 0
        assert (facts["workspace"], facts["database"], facts["version"]) == (stored, "sqlite", 2)
        assert (facts["protocols"], facts["runs"], facts["chunk_maps"], facts["verdicts"]) == (1, 5, 1, 0)
        assert facts["size_bytes"] == Path(stored).stat().st_size

    def test_the_workspace_may_be_named_by_the_environment(
        self, capsys: Capture, stored: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RANKEVAL_WORKSPACE", stored)

        assert run(capsys, "info", "--format", "table")[1].splitlines()[0] == f"workspace      {stored}"

    @pytest.mark.parametrize("verb", ["info", "export", "verify"])
    def test_none_is_made_where_there_is_none(self, capsys: Capture, file: Path, verb: str) -> None:
        code, out, err = run(capsys, verb, "--workspace", str(file))

        assert (code, out) == (2, "")
        assert err == f"rankeval: this is no workspace\n  {file}: there is no such file\n"
        assert not file.exists()


class TestExportAndImport:
    def test_a_round_trip(self, capsys: Capture, stored: str, tmp_path: Path) -> None:
        export, copy = tmp_path / "e.jsonl", str(tmp_path / "copy.db")

        assert run(capsys, "export", "--workspace", stored, "-o", str(export))[:2] == (0, "")
        code, out, _ = run(capsys, "import", str(export), "--workspace", copy)
        assert (code, json.loads(out)["run"]) == (0, {"added": 5, "already_there": 0})
        assert run(capsys, "export", "--workspace", copy)[1] == export.read_text(encoding="utf-8")
        table = run(capsys, "import", str(export), "--workspace", copy, "--format", "table")[1]
        assert "run                    0 added, 5 already there\n" in table

    def test_what_is_refused_leaves_nothing(self, capsys: Capture, stored: str, tmp_path: Path) -> None:
        export, copy = tmp_path / "e.jsonl", tmp_path / "copy.db"
        run(capsys, "export", "--workspace", stored, "-o", str(export))
        lines = export.read_bytes().splitlines(keepends=True)
        export.write_bytes(b"".join(lines[:-1]))
        code, out, err = run(capsys, "import", str(export), "--workspace", str(copy))

        assert (code, out) == (2, "")
        assert err == (
            "rankeval: this is no whole export of a workspace\n"
            f"  e.jsonl, line {len(lines) - 1}: it ends here, and its last line is missing\n"
        )
        assert list(tmp_path.glob("copy.db*")) == []

    def test_a_file_that_is_not_there_is_refused(self, capsys: Capture, tmp_path: Path) -> None:
        assert run(capsys, "import", "nowhere.jsonl", "--workspace", str(tmp_path / "copy.db"))[0] == 2


class TestVerify:
    def test_a_sound_one(self, capsys: Capture, stored: str) -> None:
        code, out, _ = run(capsys, "verify", "--workspace", stored)

        assert code == 0
        assert {name: value for name, value in json.loads(out).items() if value == "ok"} == {
            "integrity_check": "ok",
            "foreign_key_check": "ok",
            "fingerprints": "ok",
        }

    def test_a_damaged_one(self, capsys: Capture, stored: str) -> None:
        with closing(sqlite3.connect(stored)) as altered, altered:
            altered.execute("UPDATE run SET run_sha256 = 'x' WHERE label = 'fixture_A'")
        code, out, err = run(capsys, "verify", "--workspace", stored)

        assert (code, out) == (2, "")
        assert err.startswith("rankeval: what the workspace holds does not match its fingerprint\n  run x ")
