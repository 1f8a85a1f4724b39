"""A real collection and real runs in all their forms: one protocol, one run, one report."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankeval
from rankeval.formats import Declared, Source, frozen_protocol_json, read_collection, read_protocol, read_run

DECLARED = Declared("the whole collection was pooled", 1)


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def separated(rows: list[dict[str, Any]], delimiter: str) -> Source:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return Source("table", buffer.getvalue().encode())


FORMS: dict[str, Callable[[list[dict[str, Any]]], Source]] = {
    "csv": lambda rows: separated(rows, ","),
    "tsv": lambda rows: separated(rows, "\t"),
    "json": lambda rows: Source("rows.json", json.dumps(rows).encode()),
    "jsonl": lambda rows: Source("rows.jsonl", "\n".join(map(json.dumps, rows)).encode()),
    "parquet": lambda rows: Source("rows.parquet", pd.DataFrame(rows).to_parquet()),
}


@pytest.fixture
def made(cranfield: Path) -> rankeval.Protocol:
    """The protocol as its BEIR folder gives it."""
    return read_protocol(cranfield, split="test", k=10, declared=DECLARED)


class TestProtocol:
    def test_zip_of_the_folder(self, cranfield: Path, made: rankeval.Protocol) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in (*cranfield.glob("*.jsonl"), *cranfield.glob("qrels/*.tsv")):
                archive.write(file, Path("cranfield", file.relative_to(cranfield)))
        zipped = read_protocol(Source("c.zip", buffer.getvalue()), split="test", k=10, declared=DECLARED)

        assert zipped.protocol_sha256 == made.protocol_sha256
        assert zipped.provenance.judged_zero == made.provenance.judged_zero

    def test_frozen(self, made: rankeval.Protocol) -> None:
        frozen = read_protocol(Source("f.json", "".join(frozen_protocol_json(made)).encode()))

        assert frozen.protocol_sha256 == made.protocol_sha256
        assert frozen.protocol_sha256_verified
        assert frozen.provenance == made.provenance

    @pytest.mark.parametrize("form", FORMS)
    def test_files_apart(self, cranfield: Path, made: rankeval.Protocol, form: str) -> None:
        corpus, queries = rows_of(cranfield / "corpus.jsonl"), rows_of(cranfield / "queries.jsonl")
        stated = [{**query, "split": query["metadata"]["split"]} for query in queries]
        stated = [{key: value for key, value in query.items() if key != "metadata"} for query in stated]
        parts = [FORMS[form](rows) for rows in (corpus, stated)]
        apart = read_collection(*parts, cranfield / "qrels.trec", split="test", k=10, declared=DECLARED)

        assert apart.protocol_sha256 == made.protocol_sha256
        assert list(apart.corpus) == list(made.corpus)

    def test_bare(self, made: rankeval.Protocol) -> None:
        bare = {
            "corpus": dict(made.corpus),
            "queries": {query: dict(metadata) for query, metadata in made.queries.items()},
            "qrels": dict(made.qrels()),
            "split": "test",
            "k": 10,
        }

        assert read_protocol(Source("b", json.dumps(bare).encode())).protocol_sha256 == made.protocol_sha256


class TestRuns:
    @pytest.mark.parametrize("name", ["bm25", "tfidf", "minilm", "bm25_crashed"])
    def test_one_run_and_one_report_in_every_form(self, cranfield: Path, made: rankeval.Protocol, name: str) -> None:
        file = cranfield / "runs" / f"{name}.trec"
        fields = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
        rows = [{"qid": query, "docno": document, "rank": int(rank)} for query, _, document, rank, _, _ in fields]
        run = read_run(file)
        report = made.score(run).as_dict()
        forms = [make(rows) for make in FORMS.values()]
        forms.append(Source("m.tsv", "".join(f"{q}\t{d}\t{rank}\n" for q, _, d, rank, _, _ in fields).encode()))
        forms.append(Source("lists.json", json.dumps(dict(run.rankings)).encode()))

        for form in forms:
            again = read_run(form)
            assert again.run_sha256 == run.run_sha256, form.name
            assert made.score(again).as_dict() == report
