"""Runs of what a notebook holds already, so that it needs no file; order is settled as for files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

from rankeval.core.collection import is_utf8
from rankeval.core.contract import Rule
from rankeval.core.run import Run
from rankeval.formats import records
from rankeval.formats.catalogue import Reading, refusal
from rankeval.formats.record_runs import ordered_run, record_run
from rankeval.formats.rows import UNDECLARED, Ordering, Rows

_TEXT_KINDS = frozenset("OUT")
"""NumPy's letters for objects, which are looked at one by one, and for its two types of text."""


def run_from_scores(
    scores: Mapping[str, Mapping[str, Any]], *, name: str = "run", ordering: Ordering = UNDECLARED
) -> Run:
    """Make a run of scores; the higher one comes first.

    Args:
        scores: query ID -> document ID -> score, a finite number of Python or NumPy, or a `Decimal`.
        name: what to call the run.
        ordering: `Ordering(ties="file-order")` leaves equal scores in the order of the mapping; else they are refused.

    Raises:
        FormatError: an ID is no text, a score is no finite number, or equal scores leave the order open.

    >>> run_from_scores({"q1": {"d1": 0.5, "d2": 1.25}}).rankings
    {'q1': ['d2', 'd1']}
    """
    given: Any = scores
    if not isinstance(given, Mapping):
        detail = f"query -> document -> score was expected, and it is of type {type(given).__name__}"
        raise refusal(Rule.MAPPINGS, detail=detail)
    rows = Rows("scores", "line", has_rank=False, has_score=True)
    for query, own_scores in given.items():
        if not _is_id(rows, query, "query", None):
            continue
        if not isinstance(own_scores, Mapping):
            detail = f"document -> score was expected, and it is of type {type(own_scores).__name__}"
            rows.fault(Rule.RANKING, None, detail, query)
            continue
        own = rows.of(str(query))
        for document, score in own_scores.items():
            if not _is_id(rows, document, "document", query):
                continue
            text = _score_text(score)
            if text is None:
                detail = f"the score is of type {type(score).__name__}, or no decimal number has its value"
                rows.fault(Reading.SCORE, None, detail, query, document)
            else:
                own.documents.append(str(document))
                own.scores.append(text)
    run = ordered_run(rows.ordered(ordering), ordering)
    # Scores stand on no line, so there is nothing to be found.
    return replace(run, name=name, locate=None)


def run_from_ranx(run: Any, *, name: str | None = None, ordering: Ordering = UNDECLARED) -> Run:
    """Make a run of a `ranx.Run`, which holds its scores in `.run`; ranx itself is not needed.

    Args:
        run: the ranx run; ranx has put equal scores into an order of its own.
        name: what to call the run; by default the ranx run's own name.
        ordering: as for `run_from_scores`.

    Raises:
        FormatError: it is none, or equal scores leave the order open.

    """
    scores = getattr(run, "run", None)
    if not isinstance(scores, Mapping):
        detail = f"a ranx run, with its scores in .run, was expected, and it is of type {type(run).__name__}"
        raise refusal(Rule.MAPPINGS, detail=detail)
    return run_from_scores(scores, name=name or getattr(run, "name", None) or "run", ordering=ordering)


def run_from_frame(frame: Any, *, name: str = "run", ordering: Ordering = UNDECLARED) -> Run:
    """Make a run of a pandas data frame with a row for each document.

    Args:
        frame: its columns go by the names that tables have (docs/formats.md): a query, a document, and a rank or a
            score or both.  The index is not looked at.
        name: what to call the run.
        ordering: what is declared of the order of its rows, as for a file.

    Raises:
        FormatError: a column is not there or there twice, IDs are no text, or the order is open or contradicts itself.

    """
    if not (hasattr(frame, "columns") and hasattr(frame, "iloc")):
        detail = f"a pandas data frame was expected, and it is of type {type(frame).__name__}"
        raise refusal(Rule.MAPPINGS, detail=detail)
    fields = tuple(map(str, frame.columns))
    columns = [frame.iloc[:, at] for at in range(len(fields))]
    not_text = {field: str(column.dtype) for field, column in zip(fields, columns, strict=True) if not _is_text(column)}
    values = zip(*(column.tolist() for column in columns), strict=True)
    rows = ((row, dict(zip(fields, record, strict=True))) for row, record in enumerate(values, 1))
    content = records.Records("data frame", "row", fields, rows, not_text)
    run = replace(record_run(content, ordering), name=name)
    _refuse_half_characters(run)
    return run


def _is_text(column: Any) -> bool:
    """Whether a column may hold text, by its type; of a category that of its values."""
    categories = getattr(column.dtype, "categories", None)
    dtype = column.dtype if categories is None else categories.dtype
    return dtype.kind in _TEXT_KINDS


def _is_id(rows: Rows, value: object, role: str, query: str | None) -> bool:
    """Whether a key can be an ID; if not, that is noted as a fault."""
    if not isinstance(value, str):
        detail = f"the {role} is {value!r}, of type {type(value).__name__}, and must be text"
        rows.fault(Reading.NUMBER_AS_ID, None, detail, query)
    elif not value:
        rows.fault(Reading.EMPTY_ID, None, f"the {role} is empty", query)
    elif not is_utf8(value):
        rows.fault(Reading.ENCODING, None, f"the {role} is {value!a}, which holds half a character", query)
    else:
        return True
    return False


def _score_text(score: object) -> str | None:
    """Write a number as a decimal with all its digits; None for what is no number, or one that no decimal equals."""
    try:
        if isinstance(score, bool):
            return None
        if isinstance(score, Integral):
            return str(int(score))
        if isinstance(score, Decimal):
            return str(score)
        if isinstance(score, Real):
            number = float(score)
            return repr(number) if number == score or score != score else None  # noqa: PLR0124 - so is NaN
    except (ValueError, OverflowError):
        pass
    return None


def _refuse_half_characters(run: Run) -> None:
    """Refuse what Python can hold in a string and UTF-8 cannot."""
    for query, ranking in run.rankings.items():
        if not is_utf8("".join((query, *ranking))):
            whole = next(each for each in (query, *ranking) if not is_utf8(each))
            raise refusal(Reading.ENCODING, file="data frame", detail=f"{whole!a} holds half a character")
