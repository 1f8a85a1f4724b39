"""The answers of a review round to files: as JSON lines, which are exact, and as a table for spreadsheets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rankeval.core.protocol import Protocol
from rankeval.core.review import Answer, Mark
from rankeval.core.review_tables import final_answers
from rankeval.formats.spreadsheet import Sheet


def answers_jsonl(answers: Iterable[Answer]) -> bytes:
    """Write every revision of every answer, a line each, by query, annotator and revision.

    A line has `query, annotator, revision, final, verdict, x, finding, reason, note, marks`: `final` says whether this
    is the answer that counts, `x` whose the first column was (`a` or `b`), `marks` what was thought of which document.
    Where the annotator took the answer back `verdict` and `finding` are null, and so is a `reason` that was not given.
    """
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in _lines(answers)).encode()


def answers_sheet(answers: Iterable[Answer], protocol: Protocol) -> Sheet:
    """Give the same as a table; the documents marked are listed in two columns, a line each.

    Args:
        answers: every revision of every answer.
        protocol: whose queries they are of, which has their text.

    """
    columns = ("query", "need", "annotator", "revision", "final", "verdict", "x", "finding", "reason", "note")
    return Sheet(
        (*columns, "relevant", "not_relevant"),
        tuple(
            (
                line["query"],
                str(protocol.queries[line["query"]].get("text", "")),
                line["annotator"],
                line["revision"],
                "yes" if line["final"] else "no",
                *(line[name] for name in columns[5:]),
                *(_marked(line["marks"], mark) for mark in (Mark.RELEVANT, Mark.NOT_RELEVANT)),
            )
            for line in _lines(answers)
        ),
    )


def _lines(answers: Iterable[Answer]) -> Iterator[dict[str, Any]]:
    kept = sorted(answers, key=_key)
    final = set(map(_key, final_answers(kept)))
    for answer in kept:
        yield {
            "query": answer.query,
            "annotator": answer.annotator,
            "revision": answer.revision,
            "final": _key(answer) in final,
            "verdict": answer.verdict,
            "x": answer.shown.x,
            "finding": answer.finding,
            "reason": answer.reason,
            "note": answer.note,
            "marks": dict(answer.marks),
        }


def _key(answer: Answer) -> tuple[str, str, int]:
    return (answer.query, answer.annotator, answer.revision)


def _marked(marks: Mapping[str, Mark], mark: Mark) -> str:
    return "\n".join(document for document, own in marks.items() if own is mark)
