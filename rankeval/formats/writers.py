"""Runs to files: what is written reads back as the same run, or is not written at all."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator

from rankeval.core.contract import Fault, Faults
from rankeval.core.run import Run
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.json_runs import RUN_FORMAT
from rankeval.formats.runs import read_run
from rankeval.formats.source import Source

_BLANKS = frozenset(" \t\r\n")


def run_bytes(run: Run, to: str) -> bytes:
    """Write a run in one of `WRITERS`, and read it back to see that nothing of it was lost.

    Args:
        run: the run; only JSON holds more of it than its rankings.
        to: `trec`, `json`, `csv` or `parquet`.

    Raises:
        FormatError: the format cannot hold this run.

    """
    data = WRITERS[to](run)
    try:
        again = read_run(Source(run.name, data))
    except FormatError as error:
        raise refusal(Reading.CANNOT_HOLD, file=run.name, detail=f"it would not be read back: {error}") from None
    if again.run_sha256 != run.run_sha256:
        raise refusal(Reading.CANNOT_HOLD, file=run.name, detail="it would be read back as another run")
    return data


def _rows(run: Run, to: str) -> Iterator[tuple[str, str, int, int]]:
    """Give query, document, rank and number of documents; a query without a document has no row to stand in."""
    empty = [query for query in run.rankings if not run.rankings[query]]
    if empty:
        faults = Faults()
        for query in empty:
            faults.add(Fault(Reading.CANNOT_HOLD, query, detail=f"its list is empty, which {to} has no row for"))
        raise FormatError(faults.kept, faults.total)
    for query, ranking in run.rankings.items():
        for rank, document in enumerate(ranking, 1):
            yield query, document, rank, len(ranking)


def _trec(run: Run) -> bytes:
    tag = "".join("_" if each in _BLANKS else each for each in run.name) or "run"
    lines: list[str] = []
    for query, document, rank, returned in _rows(run, "TREC"):
        for name, each in (("query", query), ("document", document)):
            if not _BLANKS.isdisjoint(each):
                detail = f"the {name} has a blank in it, which is what separates the fields of TREC"
                raise FormatError([Fault(Reading.CANNOT_HOLD, query, document, detail=detail)])
        lines.append(f"{query} Q0 {document} {rank} {returned - rank + 1} {tag}\n")
    return "".join(lines).encode()


def _json(run: Run) -> bytes:
    head = {
        "format": RUN_FORMAT,
        "name": run.name,
        "system": dict(run.system),
        "declarations": [each.as_dict() for each in run.declarations],
        "run_sha256": run.run_sha256,
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    entries = (
        f"{json.dumps(query, ensure_ascii=False)}: {json.dumps(ranking, ensure_ascii=False)}"
        for query, ranking in run.rankings.items()
    )
    lines.append('"rankings": {\n' + ",\n".join(entries) + "\n}")
    return ("{" + ",\n".join(lines) + "}\n").encode()


def _csv(run: Run) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(("query_id", "doc_id", "rank"))
    writer.writerows(row[:3] for row in _rows(run, "CSV"))
    return text.getvalue().encode()


def _parquet(run: Run) -> bytes:
    import pyarrow as pa  # noqa: PLC0415 - only Parquet is worth its time
    from pyarrow import parquet  # noqa: PLC0415

    rows = list(_rows(run, "Parquet"))
    schema = pa.schema([("query_id", pa.string()), ("doc_id", pa.string()), ("rank", pa.int32())])
    columns = [[row[column] for row in rows] for column in range(3)]
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns, schema=schema), buffer)
    return buffer.getvalue()


WRITERS: dict[str, Callable[[Run], bytes]] = {"trec": _trec, "json": _json, "csv": _csv, "parquet": _parquet}
