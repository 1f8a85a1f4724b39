"""Slow readers of runs, written apart from the product: what a damaged file says, if it says anything.

Each gives the rankings that a text holds when it is read for exactly what it says, or raises `Unreadable`.  They are
laxer than the product in what they refuse; what the product reads, it must read as they do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

Rankings = dict[str, list[str]]

QUERY_NAMES = {"query", "query_id", "qid", "q_id", "query-id", "topic"}
DOCUMENT_NAMES = {"doc", "doc_id", "docid", "docno", "document", "document_id", "corpus-id", "corpus_id", "pid"}
SCORE_NAMES = {"score", "sim"}


class Unreadable(Exception):  # noqa: N818 - it is what the text is
    """The text is no run of its format."""


def lines_of(text: str) -> list[str]:
    """Cut a text at LF and CR LF, and at nothing else."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def in_order(rows: Iterable[tuple[str, str, Any]], *, falling: bool) -> Rankings:
    """Put each query's documents in the order of their numbers."""
    by_query: dict[str, list[tuple[Any, str]]] = {}
    for query, document, number in rows:
        by_query.setdefault(query, []).append((number, document))
    return {
        query: [document for _, document in sorted(own, key=lambda pair: pair[0], reverse=falling)]
        for query, own in by_query.items()
    }


def number_of(text: str) -> Decimal:
    """Read a number in ASCII digits."""
    if not text or set(text) - set("+-.0123456789eE"):
        raise Unreadable
    try:
        return Decimal(text)
    except ArithmeticError:
        raise Unreadable from None


def blanks_cut(line: str) -> list[str]:
    """Cut a line at runs of spaces and tabs."""
    return [field for field in line.replace("\t", " ").split(" ") if field]


def trec(text: str) -> Rankings:
    """Read six fields a line."""
    rows = []
    for line in lines_of(text):
        fields = blanks_cut(line)
        if not fields:
            continue
        if len(fields) != 6:
            raise Unreadable
        rows.append((fields[0], fields[2], number_of(fields[3])))
    return in_order(rows, falling=False)


def msmarco(text: str) -> Rankings:
    """Read three fields a line, between tabs where the first line has one."""
    rows = []
    lines = [line for line in lines_of(text) if blanks_cut(line)]
    for line in lines:
        fields = line.removesuffix("\t").split("\t") if "\t" in lines[0] else blanks_cut(line)
        if len(fields) != 3:
            raise Unreadable
        rows.append((fields[0], fields[1], number_of(fields[2])))
    return in_order(rows, falling=False)


def tsv(text: str) -> Rankings:
    """Read a table between tabs."""
    rows = [line.split("\t") for line in lines_of(text) if line]
    width = len(rows[0]) - (rows[0][-1] == "")
    return table([row[:width] if row[width:] == [""] else row for row in rows])


def csv(text: str) -> Rankings:  # noqa: C901 - a machine of a few states, written out
    """Read a table as RFC 4180 has it, character by character."""
    rows: list[list[str]] = []
    row: list[str] = []
    field: str | None = None
    state = "start"
    characters = list(text.removeprefix("\ufeff"))
    for at, character in enumerate([*characters, ""]):
        ends_line = character in {"\n", ""} or (character == "\r" and characters[at + 1 : at + 2] == ["\n"])
        if state == "quoted" and character != '"' and character:
            field = (field or "") + character
        elif state == "quoted":
            if not character:
                raise Unreadable
            state = "closed"
        elif state == "closed" and character == '"':
            field, state = (field or "") + '"', "quoted"
        elif state == "start" and character == '"':
            field, state = "", "quoted"
        elif state == "skip" and character == "\n":
            state = "start"
        elif character == "," or ends_line:
            if character == "," or row or field is not None or state == "closed":
                row.append(field or "")
            field, state = None, "skip" if character == "\r" else "start"
            if ends_line and row:
                rows.append(row)
                row = []
        elif state == "closed" or character in {'"', "\r"}:
            raise Unreadable
        else:
            field, state = (field or "") + character, "plain"
    return table(rows)


def table(rows: list[list[str]]) -> Rankings:
    """Read a table by its header."""
    header, *others = rows
    if any(len(row) != len(header) for row in others):
        raise Unreadable
    names = [name.lower() for name in header]
    query = [at for at, name in enumerate(names) if name in QUERY_NAMES]
    document = [at for at, name in enumerate(names) if name in DOCUMENT_NAMES]
    rank = [at for at, name in enumerate(names) if name == "rank"]
    score = [at for at, name in enumerate(names) if name in SCORE_NAMES]
    if len(query) != 1 or len(document) != 1 or not (rank or score):
        raise Unreadable
    order = rank or score
    return in_order([(row[query[0]], row[document[0]], number_of(row[order[0]])) for row in others], falling=not rank)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object whose keys are all different."""
    if len({key for key, _ in pairs}) != len(pairs):
        raise Unreadable
    return dict(pairs)


def parsed(text: str) -> Any:
    """Read JSON, its numbers in full."""
    try:
        return json.loads(text, object_pairs_hook=once, parse_float=Decimal)
    except ValueError:
        raise Unreadable from None


def json_object(text: str) -> Rankings:
    """Read lists or scores by query, also under a name."""
    value = parsed(text.removeprefix("\ufeff"))
    if not isinstance(value, dict):
        raise Unreadable
    if isinstance(value.get("format"), str):
        value = value.get("rankings")
    if not isinstance(value, dict):
        raise Unreadable
    if value and all(isinstance(own, dict) for own in value.values()):
        rows = [(query, document, score) for query, own in value.items() for document, score in own.items()]
        if any(isinstance(score, bool) or not isinstance(score, int | Decimal) for _, _, score in rows):
            raise Unreadable
        return {query: [] for query in value} | in_order(rows, falling=True)
    if any(not isinstance(own, list) for own in value.values()):
        raise Unreadable
    return value


def json_lines(text: str) -> Rankings:
    """Read a list a line, or a document a line."""
    return records([parsed(line) for line in lines_of(text) if line.strip(" \t")])


def json_array(text: str) -> Rankings:
    """Read a list of records."""
    value = parsed(text.removeprefix("\ufeff"))
    return records(value if isinstance(value, list) else [value])


def records(values: list[Any]) -> Rankings:
    """Read records by the names of their fields."""
    if any(not isinstance(value, dict) for value in values):
        raise Unreadable
    names = [{name.lower(): each for name, each in value.items()} for value in values]
    rows = []
    lists: Rankings = {}
    for value in names:
        query = [each for name, each in value.items() if name in QUERY_NAMES]
        document = [each for name, each in value.items() if name in DOCUMENT_NAMES]
        if not query:
            raise Unreadable
        if "ranking" in value:
            lists[query[0]] = value["ranking"]
        elif document and "rank" in value:
            rows.append((query[0], document[0], number_of(str(value["rank"]))))
        elif document:
            rows.append((query[0], document[0], -number_of(str(value.get("score", value.get("sim", ""))))))
        else:
            raise Unreadable
    return lists or in_order(rows, falling=False)


SMALL_RUNS: dict[str, tuple[Callable[[str], Rankings], str]] = {
    "trec": (trec, "q1 Q0 d2 1 9.5 tag\nq1 Q0 d1 2 9.5 tag\nq2 Q0 d1 1 3 tag\nq3 Q0 d10 1 12 tag\n"),
    "trec, unsorted": (trec, "q1\tQ0\td2\t1\t9\ttag\r\nq2 Q0 d3 0 7 tag\r\nq1 Q0 d1 0 11 tag\r\n"),
    "msmarco": (msmarco, "q1\td2\t1\nq1\td 1\t2\nq2\td1\t1\n"),
    "msmarco, spaces": (msmarco, "q1 d2 1\nq1 d1 2\nq2 d1 1"),
    "csv": (csv, "query_id,doc_id,rank\nq1,d2,1\nq1,d1,2\nq2,d1,1\n"),
    "csv, quoted": (csv, 'score,"qid",docno\r\n2,q1,"d,""1"""\r\n1,"q1","d\n2"\r\n-3,q2,d1'),
    "tsv": (tsv, "topic\tpid\tsim\nq1\td2\t2\t\nq1\td1\t1.5\nq2\td1\t1\n"),
    "lists": (json_object, '{"q1": ["d2", "d1"],\n "q2": ["d1"], "q3": []}'),
    "scores": (json_object, '{"q1": {"d1": 1, "d2": 2.5}, "q2": {"d1": -3e1}}'),
    "named": (json_object, '{"format": "rankeval-run/1", "name": "n", "rankings": {"q1": ["d2", "d1"], "q2": ["d1"]}}'),
    "jsonl, lists": (
        json_lines,
        '{"query_id": "q1", "ranking": ["d2", "d1"]}\n{"query_id": "q2", "ranking": ["d1"]}\n',
    ),
    "jsonl, rows": (json_lines, '{"qid": "q1", "doc": "d2", "rank": 1}\n{"qid": "q2", "doc": "d1", "rank": 1}\n'),
    "array": (json_array, '[{"qid": "q1", "doc": "d2", "score": 1.5}, {"qid": "q2", "doc": "d1", "score": 1}]'),
}
"""Of each format a small file that is valid, and its reader."""

DAMAGE = (
    "".join(map(chr, range(32))) + " 0123456789.,;:eE+-_'\"\\/{}[]()#<>=qdQDntfuNI\x7f\x85\xa0\u2028\ufeff\uff11é😀"
)
"""Characters to put into a file where they do not belong."""


def damaged(text: str, kind: str, at: int, character: str) -> str:
    """Insert, delete or replace one character."""
    return text[:at] + (character if kind != "delete" else "") + text[at if kind == "insert" else at + 1 :]
