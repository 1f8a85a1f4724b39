from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rankeval.formats import FormatError
from rankeval.output import checked_target, write_file


class TestCheckedTarget:
    @pytest.mark.parametrize(
        ("given", "words"),
        [("", "it has no name"), ("-", "- is standard input"), (".", "it is a folder"), ("none/x", "no folder 'none'")],
    )
    def test_where_no_file_can_be_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, words: str
    ) -> None:
        monkeypatch.chdir(tmp_path)

        with pytest.raises(FormatError, match="the file cannot be written") as refused:
            checked_target(given)
        assert words in str(refused.value)

    def test_a_file_that_is_read(self, tmp_path: Path) -> None:
        run, link = tmp_path / "run.json", tmp_path / "link.json"
        run.touch()
        link.symlink_to(run)

        with pytest.raises(FormatError, match="one of the files that are read"):
            checked_target(str(link), ["-", "none.json", str(run)])

    def test_any_other_place(self, tmp_path: Path) -> None:
        assert checked_target(str(tmp_path / "new"), ["none.json"]) == tmp_path / "new"


class TestWriteFile:
    def test_a_file_that_is_there_is_replaced_and_keeps_its_mode(self, tmp_path: Path) -> None:
        file = tmp_path / "file"
        file.write_text("old")
        file.chmod(0o600)
        write_file(file, [b"ne", b"w"])

        assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o600)

    def test_a_name_as_long_as_names_may_be(self, tmp_path: Path) -> None:
        file = tmp_path / ("x" * 255)
        write_file(file, [b"new"])

        assert file.read_text() == "new"

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to("file")
        write_file(tmp_path / "link", [b"new"])

        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_text() == "new"

    def test_a_pipe_is_written_into(self, tmp_path: Path) -> None:
        pipe, read = tmp_path / "pipe", list[bytes]()
        os.mkfifo(pipe)
        reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
        reader.start()
        write_file(pipe, [b"ne", b"w"])
        reader.join(timeout=10)

        assert read == [b"new"]
        assert pipe.is_fifo()

    def test_a_failure_leaves_what_was_there(self, tmp_path: Path) -> None:
        def pieces() -> Iterator[bytes]:
            yield b"half"
            raise OSError(28, "No space left on device")

        (tmp_path / "file").write_text("old")
        with pytest.raises(FormatError, match=r"file: No space left on device"):
            write_file(tmp_path / "file", pieces())

        assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("file", "old")]
