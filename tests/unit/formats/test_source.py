from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
from pathlib import Path
from typing import Any

import pytest

import rankeval
from rankeval.formats import Source
from rankeval.formats.source import FREE_EXPANSION


def rule_of(*arguments: object) -> str:
    with pytest.raises(rankeval.FormatError) as refusal:
        Source.upload(*arguments).text()  # type: ignore[arg-type]
    return refusal.value.rule


class TestOf:
    def test_a_path(self, tmp_path: Path) -> None:
        (tmp_path / "run.json.gz").write_bytes(gzip.compress(b"{}"))
        source = Source.of(tmp_path / "run.json.gz")

        assert (source.name, source.data, source.stem) == ("run.json.gz", b"{}", "run")

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"{}")))

        source = Source.of("-")

        assert (source.name, source.data) == ("standard input", b"{}")

    def test_a_source(self) -> None:
        source = Source("a", b"b")

        assert Source.of(source) is source

    @pytest.mark.parametrize("name", ["none.json", ".", "a\0b", "x" * 300, "none/run.json"])
    def test_what_cannot_be_read(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(rankeval.FormatError, match="the file cannot be read"):
            Source.of(tmp_path / name)


class TestLargeFiles:
    @pytest.fixture
    def file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr("rankeval.formats.source.LARGE", 4)
        (tmp_path / "run.txt").write_bytes(b"ab\ncdefg\nh")
        return tmp_path / "run.txt"

    @pytest.mark.parametrize("count", [1, 2, 3, 4, 20])
    def test_pieces_are_whole_lines(self, file: Path, count: int) -> None:
        for source in (Source.of(file), Source("run", file.read_bytes())):
            pieces = list(source.pieces(count, (0, 10)))

            assert b"".join(pieces) == b"ab\ncdefg\nh"
            assert all(piece.endswith(b"\n") for piece in pieces[:-1])
            assert all(len(piece) >= count for piece in pieces[:-1])

    def test_pieces_end_with_their_stretch(self, file: Path) -> None:
        assert list(Source.of(file).pieces(2, (3, 9))) == [b"cdefg\n"]

    @pytest.mark.parametrize(
        ("count", "stretches"),
        [
            (1, [(0, 10)]),
            (2, [(0, 9), (9, 10)]),
            (3, [(0, 9), (9, 10)]),
            (4, [(0, 3), (3, 9), (9, 10)]),
        ],
    )
    def test_stretches_are_whole_lines(self, file: Path, count: int, stretches: list[tuple[int, int]]) -> None:
        assert Source.of(file).stretches(count) == stretches

    def test_are_read_like_any_other(self, file: Path) -> None:
        source = Source.of(file)

        assert (source.name, source.size, source.beginning(4), source.head(2)) == (
            "run.txt",
            10,
            b"ab\nc",
            ["ab", "cdefg"],
        )
        assert source.text() == "ab\ncdefg\nh"
        assert source.beginning(2) == b"ab"


class TestLater:
    def test_a_file_that_is_gone_when_it_is_read(self, tmp_path: Path) -> None:
        (tmp_path / "run").write_bytes(b"x")
        source = Source("run", tmp_path / "run")
        (tmp_path / "run").unlink()

        with pytest.raises(rankeval.FormatError, match="run: No such file"):
            source.text()


class TestGzip:
    def test_several_members(self) -> None:
        assert Source.upload("a", gzip.compress(b"a") + gzip.compress(b"b")).data == b"ab"

    @pytest.mark.parametrize(
        "data",
        [
            gzip.compress(b"x" * 1_000)[:-9],
            b"\x1f\x8bgarbage",
            gzip.compress(b"a") + b"rest",
            gzip.compress(b"\0" * (FREE_EXPANSION + 1)),
        ],
    )
    def test_damaged_or_expanding_beyond_all_measure(self, data: bytes) -> None:
        assert rule_of("a", data) == "the compressed file is damaged, or expands beyond all measure"

    def test_as_many_members_as_one_likes(self) -> None:
        member = gzip.compress(b"a\n")

        assert Source.upload("a", member * 50_000).data == b"a\n" * 50_000

    def test_members_larger_than_the_window(self) -> None:
        parts = [bytes(os.urandom(40_000)), b"b" * 40_000, bytes(os.urandom(20_000))]

        assert Source.upload("a", b"".join(map(gzip.compress, parts))).data == b"".join(parts)

    def test_zeros_after_the_last_member_are_padding(self) -> None:
        assert Source.upload("a", gzip.compress(b"a") + b"\0" * 20).data == b"a"

    @pytest.mark.parametrize(
        "data", [gzip.compress(b"a") * 2 + gzip.compress(b"b")[:-3], gzip.compress(b"a") + b"\x1f\x8b"]
    )
    def test_a_later_member_that_is_cut_off(self, data: bytes) -> None:
        assert rule_of("a", data) == "the compressed file is damaged, or expands beyond all measure"

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (gzip.compress(gzip.compress(b"q1 Q0 d1 1 1 t\n")), "compressed twice"),
            (bz2.compress(b"q1 Q0 d1 1 1 t\n"), "compressed with bzip2"),
            (lzma.compress(b"q1 Q0 d1 1 1 t\n"), "compressed with xz"),
        ],
    )
    @pytest.mark.parametrize("read", [rankeval.read_run, rankeval.read_protocol, rankeval.read_chunk_map])
    def test_what_is_compressed_in_another_way_is_named(self, read: Any, data: bytes, words: str) -> None:
        with pytest.raises(rankeval.FormatError, match=words):
            read(Source.upload("a", data))


class TestText:
    def test_a_byte_order_mark_is_no_part_of_it(self) -> None:
        assert Source("a", b"\xef\xbb\xbfx").text() == "x"

    @pytest.mark.parametrize("data", [b"", b"\n\r\n \t\n", b"\xef\xbb\xbf"])
    def test_empty(self, data: bytes) -> None:
        assert rule_of("a", data) == "the file is empty"

    def test_what_is_no_utf8_is_named_by_its_line(self) -> None:
        with pytest.raises(rankeval.FormatError, match=r"the file is not text in UTF-8\n  a, line 2: byte 0xe9"):
            Source("a", b"ab\ncaf\xe9\n").text()

    def test_lines_end_at_lf_and_crlf_only(self) -> None:
        text = "a\r\nb\rc\n\nd\u2028e\x0bf\x0cg"

        assert list(Source("a", text.encode()).lines()) == [(1, "a"), (2, "b\rc"), (4, "d\u2028e\x0bf\x0cg")]

    @pytest.mark.parametrize(
        ("text", "lines"), [("a\r", [(1, "a\r")]), ("a\r\n\r", [(1, "a"), (2, "\r")]), ("a\r\r\n", [(1, "a\r")])]
    )
    def test_a_carriage_return_with_no_line_feed_ends_no_line(self, text: str, lines: list[tuple[int, str]]) -> None:
        assert list(Source("a", text.encode()).lines()) == lines


class TestHead:
    def test_gives_lines_that_are_not_blank(self) -> None:
        assert Source("a", b"\xef\xbb\xbf\n  \nx\r\n\ny\nz").head(2) == ["x", "y"]

    def test_refuses_an_empty_file(self) -> None:
        with pytest.raises(rankeval.FormatError, match="the file is empty"):
            Source("a", b" \n").head(1)
