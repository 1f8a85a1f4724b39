"""The formats of TREC and MS MARCO: text without a header, fields separated by spaces and tabs."""

from __future__ import annotations

import re

from rankeval.core.contract import Fault
from rankeval.formats.catalogue import FormatError, Reading
from rankeval.formats.judgments import Judgments
from rankeval.formats.rows import Ordered, Ordering, Rows
from rankeval.formats.source import Source

RUN_FIELDS = 6
QRELS_FIELDS = 4
MSMARCO_FIELDS = 3

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"-?[0-9]+")


def read_trec_run(source: Source, ordering: Ordering) -> tuple[Ordered, str]:
    """Read a run of six columns: query, Q0, document, rank, score, tag.  The second result is the first line's tag.

    Raises:
        FormatError: a line has not six fields, or the order of a query is open or contradicts itself.

    """
    rows = Rows(source.name, "line", has_rank=True, has_score=True)
    tag = last = ""
    for number, line in source.lines():
        fields = fields_of(line)
        if len(fields) != RUN_FIELDS:
            if fields:
                rows.fault(Reading.FIELD_COUNT, number, f"{len(fields)} fields, {RUN_FIELDS} expected")
            continue
        query, _, document, rank, score, line_tag = fields
        if query != last:
            own, last = rows.of(query), query
            tag = tag or line_tag
        own.documents.append(document)
        own.ranks.append(rank)
        own.scores.append(score)
        own.where.append(number)
    return rows.ordered(ordering), tag


def read_msmarco_run(source: Source, ordering: Ordering) -> Ordered:
    """Read a run of three columns: query, document, rank; separated by tabs, or by spaces where no tab is in line 1.

    Raises:
        FormatError: a line has not three fields, or the ranks of a query are none.

    """
    rows = Rows(source.name, "line", has_rank=True, has_score=False)
    tabs = "\t" in source.head(1)[0]
    for number, line in source.lines():
        fields = _fields_between_tabs(line) if tabs else fields_of(line)
        if len(fields) != MSMARCO_FIELDS:
            if fields:
                rows.fault(Reading.FIELD_COUNT, number, f"{len(fields)} fields, {MSMARCO_FIELDS} expected")
            continue
        query, document, rank = fields
        if not (query and document):
            rows.fault(Reading.EMPTY_ID, number, "the query or the document is empty")
            continue
        own = rows.of(query)
        own.documents.append(document)
        own.ranks.append(rank)
        own.where.append(number)
    return rows.ordered(ordering)


def read_trec_qrels(source: Source) -> Judgments:
    """Read judgments of four columns: query, iteration, document, label.

    Raises:
        FormatError: a line has not four fields, or its label is no whole number.

    """
    judgments = Judgments(source.name, "line")
    for number, line in source.lines():
        fields = fields_of(line)
        if not fields:
            continue
        if len(fields) != QRELS_FIELDS:
            detail = f"{len(fields)} fields, {QRELS_FIELDS} expected"
            judgments.faults.add(Fault(Reading.FIELD_COUNT, file=source.name, line=number, detail=detail))
            continue
        query, _, document, label = fields
        judgments.add_text(query, document, label, number)
    judgments.faults.refuse(FormatError)
    return judgments


def looks_like_trec_run(line: str) -> bool:
    """Whether a line could be one of a TREC run: six fields, of which the fourth and fifth are numbers."""
    fields = fields_of(line)
    return len(fields) == RUN_FIELDS and bool(_WHOLE.fullmatch(fields[3])) and bool(_NUMBER.fullmatch(fields[4]))


def looks_like_msmarco_run(line: str) -> bool:
    """Whether a line could be one of an MS MARCO run: three fields, of which the third is a whole number."""
    fields = _fields_between_tabs(line) if "\t" in line else fields_of(line)
    return len(fields) == MSMARCO_FIELDS and bool(_WHOLE.fullmatch(fields[2]))


def looks_like_trec_qrels(line: str) -> bool:
    """Whether a line could be one of TREC judgments: four fields, of which the fourth is a whole number."""
    fields = fields_of(line)
    return len(fields) == QRELS_FIELDS and bool(_WHOLE.fullmatch(fields[3]))


def tag_note(file: str, tag: str) -> str:
    """Note the tag of a run's first line, which names nothing here."""
    return f"{file}: the TREC tag is {tag!r}"


def fields_of(line: str) -> list[str]:
    """Split a line at spaces and tabs, and at nothing else that Unicode calls a space."""
    fields = line.replace("\t", " ").split(" ")
    return fields if "" not in fields else [field for field in fields if field]


def _fields_between_tabs(line: str) -> list[str]:
    return line.removesuffix("\t").split("\t") if line.strip(" \t") else []
