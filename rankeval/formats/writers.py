"""Runs to files: what is written reads back as the same run, and what a format cannot hold is refused, not changed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from rankeval.core.contract import Fault, Faults, shown_id
from rankeval.core.run import Run
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_runs import RUN_FORMAT
from rankeval.formats.runs import read_run
from rankeval.formats.source import Source

Hinders = Callable[[str], str]
"""Says why an ID cannot stand in a format; nothing where it can."""

_BLANKS = frozenset(" \t\r\n")


def run_bytes(run: Run, to: str) -> bytes:
    """Write a run in one of `WRITERS`.

    Args:
        run: the run; only JSON holds its name, its system, its declarations and where it was collapsed from.
        to: `trec`, `json`, `csv` or `parquet`.

    Raises:
        FormatError: the format cannot hold this run; all queries and documents that stand in the way are named.

    """
    return b"".join(run_pieces(run, to))


def run_pieces(run: Run, to: str) -> Iterator[bytes]:
    """Write a run as `run_bytes` does, a piece at a time; it is refused before the first piece is given.

    Args:
        run: the run.
        to: one of `WRITERS`.

    Raises:
        FormatError: the format cannot hold this run.

    """
    hinders, write = WRITERS[to]
    faults = Faults()
    for query, ranking in run.rankings.items():
        if not _is_plain(query, ranking, hinders):
            _find_faults(faults, query, ranking, hinders)
    faults.refuse(FormatError)
    return iter(write(run))


def _is_plain(query: Any, ranking: Any, hinders: Hinders | None) -> bool:
    """Whether a format holds a ranking beyond doubt: the quick answer, all its texts looked at as one."""
    try:
        joined = "".join((query, *ranking))
        joined.encode()
    except (TypeError, UnicodeEncodeError):
        return False
    return isinstance(ranking, list) and (
        hinders is None or (query != "" and ranking != [] and all(ranking) and not hinders(joined))
    )


def _find_faults(faults: Faults, query: object, ranking: object, hinders: Hinders | None) -> None:
    """Collect what keeps a ranking out of a format; `hinders` is None for JSON, which holds every list of text.

    A `Run` made by hand was not checked yet, so what is no ranking at all is said here too.
    """
    if not isinstance(query, str) or not isinstance(ranking, list):
        faults.add(Fault(Reading.CANNOT_HOLD, shown_id(query), detail="it is not text with a list of texts"))
        return
    if hinders and not ranking:
        faults.add(Fault(Reading.CANNOT_HOLD, query, detail="its list is empty, which a format of rows has no row for"))
    if why := _hindrance(query, hinders):
        faults.add(Fault(Reading.CANNOT_HOLD, query, detail=f"the query {why}"))
    for position, document in enumerate(ranking, 1):
        if why := _hindrance(document, hinders):
            detail = f"the document {why}"
            faults.add(Fault(Reading.CANNOT_HOLD, query, shown_id(document), position=position, detail=detail))


def _hindrance(value: object, hinders: Hinders | None) -> str:
    if not isinstance(value, str):
        return f"is {value!r}, which is no text"
    try:
        value.encode()
    except UnicodeEncodeError:
        return "holds half a character, which UTF-8 cannot hold"
    return hinders(value) if hinders else ""


def _hinders_rows(text: str) -> str:
    return "" if text else "is empty"


def _hinders_trec(text: str) -> str:
    blank = "has a blank in it, and blanks separate the fields of TREC"
    return _hinders_rows(text) or ("" if _BLANKS.isdisjoint(text) else blank)


def _trec(run: Run) -> Iterator[bytes]:
    """Write scores that fall from the number of documents to 1: the order is the same by rank and by score."""
    # Whatever could take a line apart, or make a header of it, is left out of the tag.
    tag = "".join(each if each.isalnum() or each in "._-" else "_" for each in run.name) or "run"

    def lines(query: str, ranking: list[str]) -> bytes:
        returned = len(ranking)
        return "".join(
            f"{query} Q0 {document} {rank} {returned - rank + 1} {tag}\n" for rank, document in enumerate(ranking, 1)
        ).encode()

    _check_first_line(run, lines)
    return (lines(query, ranking) for query, ranking in run.rankings.items())


def _check_first_line(run: Run, lines: Callable[[str, list[str]], bytes]) -> None:
    """Read the first line back, by which the format of a file is told: a query may look like a header."""
    if not run.rankings:
        raise refusal(Reading.CANNOT_HOLD, detail="a run without a query has no line, and an empty file is no run")
    query, ranking = next(iter(run.rankings.items()))
    first = ranking[:1]
    why = "it would be read as something else"
    try:
        again = dict(read_run(Source("the first line", lines(query, first))).rankings)
    except FormatError as error:
        again, why = {}, f"it would be refused: {error.rule}"
    if again != {query: first}:
        detail = f"the format of a file is told by its first line, and {why}"
        raise refusal(Reading.CANNOT_HOLD, query=query, document=first[0], detail=detail)


def _json(run: Run) -> Iterator[bytes]:
    head: dict[str, object] = {
        "format": RUN_FORMAT,
        "name": run.name,
        "system": dict(run.system),
        "declarations": [each.as_dict() for each in run.declarations],
    }
    if run.from_chunks is not None:
        head["from_chunks"] = asdict(run.from_chunks)
    head["run_sha256"] = run.run_sha256
    try:
        opening = ",\n".join(f"{_json_text(key)}: {_json_text(value)}" for key, value in head.items()).encode()
    except (TypeError, ValueError, RecursionError) as error:
        detail = f"its name, system or declarations are not JSON: {error}"
        raise refusal(Reading.CANNOT_HOLD, detail=detail) from None

    def pieces() -> Iterator[bytes]:
        yield b"{" + opening + b',\n"rankings": {'
        separator = "\n"
        for query, ranking in run.rankings.items():
            yield f"{separator}{_json_text(query)}: {_json_text(ranking)}".encode()
            separator = ",\n"
        yield b"\n}}\n"

    return pieces()


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _csv(run: Run) -> Iterator[bytes]:
    def rows(content: Iterable[tuple[object, ...]]) -> bytes:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\r\n").writerows(content)
        return text.getvalue().encode()

    yield rows([("query_id", "doc_id", "rank")])
    for query, ranking in run.rankings.items():
        yield rows((query, document, rank) for rank, document in enumerate(ranking, 1))


def _parquet(run: Run) -> Iterator[bytes]:
    import pyarrow as pa  # noqa: PLC0415 - only Parquet is worth its time
    from pyarrow import parquet  # noqa: PLC0415

    rankings = list(run.rankings.items())
    columns = [
        pa.array([query for query, ranking in rankings for _ in ranking], pa.string()),
        pa.array([document for _, ranking in rankings for document in ranking], pa.string()),
        pa.array([rank for _, ranking in rankings for rank in range(1, len(ranking) + 1)], pa.int32()),
    ]
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns, names=["query_id", "doc_id", "rank"]), buffer)
    yield buffer.getvalue()


WRITERS: dict[str, tuple[Hinders | None, Callable[[Run], Iterable[bytes]]]] = {
    "trec": (_hinders_trec, _trec),
    "json": (None, _json),
    "csv": (_hinders_rows, _csv),
    "parquet": (_hinders_rows, _parquet),
}
"""What can be written: for each format what keeps an ID out of it, and what writes it."""
