"""One character of a valid run file is damaged: it is refused, or read for exactly what the damaged text says.

What it says is found by slow readers, written here for nothing but that.
"""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.formats import Source, read_run

Rows = list[tuple[str, str, str, str]]
Rankings = dict[str, list[str]]

TREC = "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\nq2 Q0 d1 1 7 t\nq2 Q0 d3 2 6 t\n"
TSV = "query\tdoc\trank\tscore\nq1\td1\t1\t2.5\nq1\td2\t2\t1.5\nq2\td1\t1\t7\nq2\td3\t2\t6\n"
CSV = TSV.replace("\t", ",")
MSMARCO = "q1\td1\t1\nq1\td2\t2\nq2\td1\t1\nq2\td3\t2\n"
JSON = '{"q1": ["d1", "d2"],\n"q2": ["d1", "d3"]}\n'
SCORES = '{"q1": {"d1": 2.5, "d2": 1.5},\n"q2": {"d1": 7, "d3": 6}}\n'

characters = st.sampled_from(list("qd12345 \t\n\r,.\"'{}[]:-+eé\u00a0\ufeff\\#"))


def lines_of(text: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    return [line for line in lines if line.strip(" \t")]


def by_rank(rows: Rows) -> Rankings:
    """Sort by rank, which every row has; only what is refused could be sorted in another way."""
    rankings: dict[str, list[tuple[int, str]]] = {}
    for query, document, rank, _ in rows:
        rankings.setdefault(query, []).append((int(rank), document))
    return {query: [document for _, document in sorted(own)] for query, own in rankings.items()}


def read_trec(text: str) -> Rankings:
    fields = [line.replace("\t", " ").split(" ") for line in lines_of(text)]
    fields = [[field for field in line if field] for line in fields]
    return by_rank([(line[0], line[2], line[3], line[4]) for line in fields])


def read_table(text: str, separator: str) -> Rankings:
    if separator == ",":
        content = text.removeprefix("\ufeff")
        rows = [row for row in csv.reader(io.StringIO(content, newline="")) if row]
    else:
        rows = [line.split("\t") for line in lines_of(text)]
    header = [name.casefold() for name in rows[0]]
    width = len([name for name in header if name])
    at = [header.index(name) if name in header else None for name in ("rank", "score")]
    query = next(header.index(name) for name in header if name in {"query", "qid"})
    document = next(header.index(name) for name in header if name in {"doc", "docid"})
    cells = [(row[query], row[document], *(row[i] if i is not None else "" for i in at)) for row in rows[1:]]
    assert width
    if at[0] is None:
        return by_score([(q, d, score) for q, d, _, score in cells])
    return by_rank([(q, d, rank, score) for q, d, rank, score in cells])


def by_score(rows: list[tuple[str, str, str]]) -> Rankings:
    rankings: dict[str, list[tuple[Decimal, str]]] = {}
    for query, document, score in rows:
        rankings.setdefault(query, []).append((-Decimal(score), document))
    return {query: [document for _, document in sorted(own)] for query, own in rankings.items()}


def read_msmarco(text: str) -> Rankings:
    rows = [line.removesuffix("\t").split("\t") if "\t" in line else line.split() for line in lines_of(text)]
    return by_rank([(query, document, rank, "") for query, document, rank in rows])


def read_json(text: str) -> Rankings:
    value: dict[str, Any] = json.loads(text.removeprefix("\ufeff"), parse_float=Decimal)
    if all(isinstance(own, list) for own in value.values()):
        return value
    return {query: sorted(own, key=lambda document: -own[document]) for query, own in value.items()}


FORMATS: dict[str, tuple[str, Any]] = {
    "TREC": (TREC, read_trec),
    "MS MARCO": (MSMARCO, read_msmarco),
    "TSV": (TSV, lambda text: read_table(text, "\t")),
    "CSV": (CSV, lambda text: read_table(text, ",")),
    "JSON": (JSON, read_json),
    "scores": (SCORES, read_json),
}


class TestDamage:
    @pytest.mark.parametrize("name", FORMATS)
    @given(data=st.data())
    def test_is_refused_or_read_for_what_it_says(self, name: str, data: st.DataObject) -> None:
        text, slow = FORMATS[name]
        at = data.draw(st.integers(0, len(text)))
        how = data.draw(st.sampled_from(["insert", "delete", "replace"]))
        new = "" if how == "delete" else data.draw(characters)
        damaged = text[:at] + new + text[at + (how != "insert") :]
        try:
            run = read_run(Source("run", damaged.encode()))
        except rankeval.ContractError:
            return

        assert dict(run.rankings) == slow(damaged)

    @pytest.mark.parametrize("name", FORMATS)
    def test_undamaged_it_is_read(self, name: str) -> None:
        text, slow = FORMATS[name]

        assert dict(read_run(Source("run", text.encode())).rankings) == slow(text)
        assert slow(text) == {"q1": ["d1", "d2"], "q2": ["d1", "d3"]}
