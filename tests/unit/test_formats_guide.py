"""The guide to the formats says what is so: its examples are read, its tables are those of the readers."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import get_args

import pytest

import rankeval
from rankeval.formats import (
    WRITERS,
    Declared,
    Ordering,
    Source,
    label_changes,
    read_chunk_map,
    read_collection,
    read_label_changes,
    read_run,
    records,
)
from rankeval.formats.rows import Order, Ties
from rankeval.formats.runs import RUN_FORMATS, run_format

GUIDE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE))
RUN_FILES = [name for name in FILES if name.startswith("run")]
MAP_FILES = [name for name in FILES if name.startswith("map")]


def source(name: str) -> Source:
    return Source.upload(name, FILES[name].encode())


def column_names(row: str) -> set[str]:
    (line,) = re.findall(rf"^\| {re.escape(row)} \| (.*) \|$", GUIDE, re.MULTILINE)
    return set(re.findall("`(.*?)`", line))


class TestExamples:
    @pytest.mark.parametrize("name", RUN_FILES)
    def test_every_run_is_the_one_run(self, name: str) -> None:
        assert dict(read_run(source(name)).rankings) == {"q1": ["d3", "d1"], "q2": ["d2"]}

    def test_every_format_of_text_has_one(self) -> None:
        assert {run_format(source(name)) for name in RUN_FILES} == RUN_FORMATS.keys() - {"parquet"}

    @pytest.mark.parametrize("qrels", ["qrels.tsv", "qrels.trec"])
    def test_the_three_files_apart_are_the_protocol_in_one(self, qrels: str) -> None:
        whole = rankeval.read_protocol(source("protocol.json"))
        apart = read_collection(source("corpus.jsonl"), source("queries.jsonl"), source(qrels), k=2)

        assert apart.protocol_sha256 == whole.protocol_sha256

    @pytest.mark.parametrize("name", MAP_FILES)
    def test_every_chunk_map_is_the_one_map(self, name: str) -> None:
        assert read_chunk_map(source(name)) == {"d1-a": "d1", "d1-b": "d1", "d3-a": "d3"}

    def test_both_files_of_changes_are_the_same_and_fit_the_protocol(self) -> None:
        changes = [read_label_changes(source(name)) for name in ("changes.jsonl", "changes.csv")]
        proposed = rankeval.propose(rankeval.read_protocol(source("protocol.json")), changes[0])

        assert changes[0] == changes[1]
        assert dict(proposed.relevant) == {"q1": {"d1", "d2", "d3"}, "q2": frozenset()}

    def test_python_says_what_it_says(self) -> None:
        (block,) = re.findall(r"^```pycon\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
        test = doctest.DocTestParser().get_doctest(block, {}, "docs/formats.md", None, 0)

        assert doctest.DocTestRunner().run(test) == (0, len(test.examples))


class TestTables:
    @pytest.mark.parametrize(
        ("row", "names"),
        [
            ("query", records.QUERY),
            ("document", records.DOCUMENT),
            ("rank", records.RANK),
            ("score", records.SCORE),
            ("label (judgments)", records.LABEL),
            ("chunk (chunk maps)", records.CHUNK),
            ("label (changes)", label_changes.LABEL),
            ("who", label_changes.WHO),
            ("why", label_changes.WHY),
        ],
    )
    def test_columns_go_by_the_names_that_readers_look_for(self, row: str, names: tuple[str, ...]) -> None:
        assert column_names(row) == set(names)

    def test_every_declaration_is_there(self) -> None:
        options = {f"--order {order}" for order in get_args(Order)} | {f"--ties {ties}" for ties in get_args(Ties)}
        options |= {f"--{name.replace('_', '-')}" for name in Declared.__dataclass_fields__}

        assert {option for option in options if f"| `{option}" not in GUIDE} == set()
        assert set(Ordering.__dataclass_fields__) == {"order", "ties"}

    def test_every_writer_is_there(self) -> None:
        assert f"--to {'|'.join(WRITERS)} " in GUIDE
        assert {to for to in WRITERS if f"\n| `{to}`" not in GUIDE} == set()
