"""Tables for spreadsheets: CSV in which no cell can start a formula, and which says where it had to change one.

Whoever writes a query writes a cell of somebody's spreadsheet, where `=HYPERLINK(...)` would be obeyed.  An apostrophe
in front makes text of it (OWASP, "CSV Injection").  The last column of a table, `apostrophe_added`, names the columns
of its row in which that was done: the other cells are what they were, and the JSON of the same numbers is exact.

Scores are written as decimals, and exactly by the whole numbers beside them: Recall is `hits / relevant`, RR is
`1 / first_relevant_rank`.  A fraction such as `5/6` is left out, as a spreadsheet would make the 5th of June of it, and
minus one half of `-1/2`.  A delta may begin with a minus: what is a number and nothing else is no formula.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rankeval.core.about import need_of
from rankeval.core.comparison import Comparison, worst_first
from rankeval.core.protocol import Protocol
from rankeval.core.scoring import Report
from rankeval.core.words import decimal

Cell = str | int | Fraction | None
"""Text, which is made safe; a number of ours, which is written as one; None for an empty cell."""

ADDED = "apostrophe_added"
"""The last column, which names those with an apostrophe that is not theirs."""

_BYTE_ORDER_MARK = "\ufeff"
_DIGITS = 6

_STARTERS = frozenset("=+-@\u2212")
"""What starts a formula, and the typographer's minus; NFKC takes wide and small forms for them."""

_SEPARATORS = frozenset(";\t\r\n")
"""Where a program that separates cells in another way than RFC 4180 would begin one in the middle of a text."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table.

    Attributes:
        columns: the names of its columns.
        rows: for each row a cell a column.

    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def spreadsheet_csv(sheet: Sheet) -> bytes:
    r"""Write a table as CSV (RFC 4180, UTF-8) with a byte-order mark, without which Excel garbles all but ASCII.

    >>> spreadsheet_csv(Sheet(("query", "delta"), (("=1+1", Fraction(-1, 2)), ("q2", None)))).decode("utf-8-sig")
    "query,delta,apostrophe_added\r\n'=1+1,-0.500000,query\r\nq2,,\r\n"
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow((*map(safe_text, sheet.columns), ADDED))
    for row in sheet.rows:
        cells = [_written(cell) for cell in row]
        changed = [
            name
            for name, cell, written in zip(sheet.columns, row, cells, strict=True)
            if isinstance(cell, str) and cell != written
        ]
        writer.writerow((*cells, ", ".join(changed)))
    return (_BYTE_ORDER_MARK + text.getvalue()).encode()


def safe_text(text: str) -> str:
    r"""Put an apostrophe before whatever would start a formula: first in a text, or after a semicolon, tab or line end.

    What cannot be seen does not count as first, since a program may drop it before it looks for a formula.

    >>> safe_text("=1+1"), safe_text("  -2"), safe_text("a;@b"), safe_text("1-2"), safe_text("\ttab")
    ("'=1+1", "  '-2", "a;'@b", '1-2', "'\ttab")
    """
    safe = ["'"] if text[:1] in _SEPARATORS - {";"} else []
    begins = True
    for each in text:
        if begins and unicodedata.normalize("NFKC", each)[0] in _STARTERS:
            safe.append("'")
        safe.append(each)
        begins = each in _SEPARATORS or (begins and unicodedata.category(each)[0] in "CMZ")
    return "".join(safe)


def escaped_cells(sheet: Sheet) -> int:
    """Count the cells to which `spreadsheet_csv` adds an apostrophe."""
    return sum(isinstance(cell, str) and cell != safe_text(cell) for row in sheet.rows for cell in row)


def score_sheet(reports: Sequence[tuple[str, Report]], protocol: Protocol) -> Sheet:
    """Give runs query by query, in the order given, and in the protocol's.

    Args:
        reports: the name of each run, and its report.
        protocol: their protocol, which has the text of the queries.

    """
    columns = ("run", "query", "need", "missing", "returned", "relevant", "hits", "first_relevant_rank", "recall", "rr")
    return Sheet(
        columns,
        tuple(
            (
                name,
                row.query,
                need_of(protocol, row.query),
                _yes(yes=row.missing),
                row.returned,
                row.relevant,
                row.hits,
                row.first_relevant_rank,
                row.recall,
                row.rr,
            )
            for name, report in reports
            for row in report.rows
        ),
    )


def comparison_sheet(comparison: Comparison, protocol: Protocol) -> Sheet:
    """Give a comparison query by query, worst first; every delta is candidate, B, minus baseline, A.

    Args:
        comparison: the comparison.
        protocol: its protocol, which has the text of the queries.

    """
    columns = (
        *("query", "need", "status", "missing_a", "missing_b", "relevant", "hits_a", "hits_b"),
        *("first_relevant_rank_a", "first_relevant_rank_b", "rank_delta"),
        *("recall_a", "recall_b", "recall_delta", "rr_a", "rr_b", "rr_delta"),
    )
    of_a = {row.query: row for row in comparison.baseline.rows}
    of_b = {row.query: row for row in comparison.candidate.rows}
    return Sheet(
        columns,
        tuple(
            (
                row.query,
                need_of(protocol, row.query),
                str(row.status),
                *(_yes(yes=side) for side in row.missing),
                of_a[row.query].relevant,
                of_a[row.query].hits,
                of_b[row.query].hits,
                *row.first_relevant_rank,
                row.rank_delta,
                *row.recall,
                row.recall_delta,
                *row.rr,
                row.rr_delta,
            )
            for row in worst_first(comparison.rows)
        ),
    )


def _written(cell: Cell) -> str:
    if isinstance(cell, str):
        return safe_text(cell)
    if isinstance(cell, Fraction):
        return decimal(cell, _DIGITS)
    return "" if cell is None else str(cell)


def _yes(*, yes: bool) -> str:
    """Write a yes or no in words: TRUE would be another word in each language of the spreadsheet."""
    return "yes" if yes else "no"
