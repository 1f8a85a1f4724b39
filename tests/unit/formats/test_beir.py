from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import rankeval
from rankeval.formats import Declared, Source, read_collection, read_protocol
from rankeval.formats.beir import split_of

FILES = {
    "corpus.jsonl": b'{"_id": "d1", "text": "x"}\n{"_id": "d2", "text": "y"}\n',
    "queries.jsonl": b'{"_id": "q", "text": "a"}\n',
    "qrels/test.tsv": b"query-id\tcorpus-id\tscore\nq\td1\t1\nq\td2\t0\n",
}


def zip_of(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def folder_of(tmp_path: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def relevant(given: Any) -> dict[str, frozenset[str]]:
    return dict(read_protocol(given, k=1).relevant)


def refusal_of(given: Any) -> rankeval.ContractError:
    with pytest.raises(rankeval.ContractError) as refusal:
        read_protocol(given, split="test", k=1, declared=Declared("w", 1, "w"))
    return refusal.value


class TestFolder:
    def test_what_else_lies_there_is_not_looked_at(self, tmp_path: Path) -> None:
        more = {"qrels/.test.tsv": b"?", "qrels/notes.txt": b"?", "corpus.json": b"?", ".corpus.jsonl.swp": b"?"}

        assert relevant(folder_of(tmp_path, FILES | more)) == {"q": {"d1"}}

    @pytest.mark.parametrize("named", [True, False])
    def test_all_of_it_compressed(self, tmp_path: Path, named: bool) -> None:  # noqa: FBT001 - both ways
        files = {name + ".gz" * named: gzip.compress(content) for name, content in FILES.items()}

        assert relevant(folder_of(tmp_path, files)) == {"q": {"d1"}}

    def test_one_file_as_it_is_and_compressed(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, FILES | {"corpus.jsonl.gz": gzip.compress(FILES["corpus.jsonl"])})

        assert "corpus.jsonl stands there as it is and compressed" in str(refusal_of(folder))

    def test_judgments_of_one_query_in_two_files_name_both(self, tmp_path: Path) -> None:
        refusal = refusal_of(folder_of(tmp_path, FILES | {"qrels/dev.tsv": FILES["qrels/test.tsv"]}))

        assert "test.tsv, line 2, query 'q': it is judged in dev.tsv too" in str(refusal)

    def test_the_faults_of_all_files_are_told_at_once(self, tmp_path: Path) -> None:
        bad = {
            "corpus.jsonl": b'{"_id": "d1", "text": "x"}\n{"_id": 2, "text": "x"}\n',
            "queries.jsonl": b'{"_id": "q", "text": "x"}\n\n{"_id": "q", "text": "x"}\n',
            "qrels/dev.tsv": b"q\td1\t1\n",
            "qrels/test.tsv": b"query-id\tcorpus-id\tscore\nq\td1\thigh\n",
        }
        refusal = refusal_of(folder_of(tmp_path, bad))

        assert [(fault.file, fault.line) for fault in refusal.faults] == [
            ("corpus.jsonl", 2),
            ("queries.jsonl", 3),
            ("dev.tsv", 1),
            ("test.tsv", 2),
        ]

    def test_judgments_without_a_header_name_the_header(self, tmp_path: Path) -> None:
        refusal = refusal_of(folder_of(tmp_path, FILES | {"qrels/test.tsv": b"q\td1\t1\nq\td2\t0\n"}))

        assert refusal.rule == "a header row must name the columns"
        assert (refusal.faults[0].file, refusal.faults[0].line) == ("test.tsv", 1)

    def test_a_folder_of_something_else(self, tmp_path: Path) -> None:
        assert "and this one has not" in str(refusal_of(tmp_path))


class TestZip:
    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    @pytest.mark.parametrize("inside", ["", "beir/", "a/b/"])
    def test_of_every_method_and_depth(self, method: int, inside: str) -> None:
        data = zip_of({inside + name: content for name, content in FILES.items()}, method)

        assert relevant(Source("f.zip", data)) == {"q": {"d1"}}

    def test_compressed_once_more(self) -> None:
        assert relevant(Source.upload("f.zip.gz", gzip.compress(zip_of(FILES)))) == {"q": {"d1"}}

    def test_as_a_macintosh_packs_it(self) -> None:
        more = {"beir/": b"", "__MACOSX/beir/corpus.jsonl": b"?", "__MACOSX/beir/._corpus.jsonl": b"?"}
        data = zip_of({f"beir/{name}": content for name, content in FILES.items()} | more)

        assert relevant(Source("f.zip", data)) == {"q": {"d1"}}

    @pytest.mark.parametrize(
        ("files", "words"),
        [
            ({}, "corpus.jsonl stands in it 0 times"),
            ({"inner.zip": zip_of(FILES)}, "corpus.jsonl stands in it 0 times"),
            (FILES | {"other/corpus.jsonl": b""}, "corpus.jsonl stands in it 2 times"),
            (FILES | {"../evil": b""}, "the path '../evil' is none, or climbs out of it"),
            (FILES | {"a/../../evil": b""}, "climbs out of it"),
            (FILES | {"/etc/evil": b""}, "climbs out of it"),
            (FILES | {"..\\evil": b""}, "climbs out of it"),
            (FILES | {"./corpus.jsonl": b""}, "stands in it twice"),
            (FILES | {f"{i}": b"" for i in range(1_000)}, "1003 files"),
            (FILES | {"qrels/test.tsv": b""}, "the file is empty"),
            ({name: content for name, content in FILES.items() if name != "queries.jsonl"}, "has queries.jsonl"),
        ],
    )
    def test_what_is_refused(self, files: Mapping[str, bytes], words: str) -> None:
        assert words in str(refusal_of(Source("f.zip", zip_of(files))))

    def test_a_bomb_inside(self) -> None:
        bomb = gzip.compress(b"\0" * (65 * 2**20))

        assert "expands past" in str(refusal_of(Source("f.zip", zip_of(FILES | {"corpus.jsonl": bomb}))))

    def test_many_small_bombs_that_are_a_large_one_together(self) -> None:
        some = {f"qrels/{i}.tsv.gz": gzip.compress(FILES["qrels/test.tsv"] + b"\n" * (40 * 2**20)) for i in range(2)}

        assert "expands past" in str(refusal_of(Source("f.zip", zip_of(FILES | some))))

    def test_a_bomb_within_a_bomb(self) -> None:
        """Each layer alone keeps within its measure: 62 KiB hold 20 MiB, which hold more than the first ever may."""
        corpus = FILES["corpus.jsonl"] + b"\n" * (80 * 2**20)
        layers = gzip.compress(corpus) + gzip.compress(b"\n" * 1_000) * 700_000

        data = zip_of(FILES | {"corpus.jsonl": layers})
        assert len(data) < 300_000
        assert "expands past" in str(refusal_of(Source("f.zip", data)))

    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_damage_anywhere_is_refused_or_makes_no_difference(self, method: int) -> None:
        data = zip_of(FILES, method)
        for at in range(len(data)):
            broken = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
            try:
                protocol = read_protocol(Source("f.zip", broken), split="test", k=1, declared=Declared("w", 1, "w"))
            except rankeval.ContractError as refusal:
                assert str(refusal)  # noqa: PT017 - either is right
            else:
                assert dict(protocol.relevant) == {"q": {"d1"}}

    def test_what_is_encrypted(self) -> None:
        data = bytearray(zip_of(FILES, zipfile.ZIP_STORED))
        data[data.index(b"PK\x01\x02") + 8] |= 1
        data[6] |= 1

        assert (
            refusal_of(Source("f.zip", bytes(data))).rule == "the archive is damaged, or holds what an archive may not"
        )

    def test_is_no_run(self) -> None:
        with pytest.raises(rankeval.FormatError, match="it is a zip archive"):
            rankeval.read_run(Source("f.zip", zip_of(FILES)))


class TestSplitOf:
    @pytest.mark.parametrize(
        ("qrels", "split"),
        [
            ("a/qrels/test.tsv", "test"),
            (Path("qrels/dev.tsv.gz"), "dev"),
            ("test.tsv", None),
            ("a/test.tsv", None),
            ("qrels/test.txt", None),
            ("qrels/.tsv", None),
            (Source("qrels/test.tsv", b""), None),
        ],
    )
    def test_is_what_the_path_says(self, qrels: object, split: str | None) -> None:
        assert split_of(qrels) == split

    def test_counts_for_files_apart_too(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, FILES)
        apart = [folder / name for name in FILES]

        assert read_collection(*apart, k=1) == read_protocol(folder, k=1)
