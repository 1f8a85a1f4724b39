"""Per-query tables as Parquet: the same rows as for a spreadsheet, typed, and every score exact beside its decimal.

What a notebook reads back is what was written: IDs are text, ranks are whole numbers or nothing, and a score stands
once as the reduced fraction that it is and once as the nearest 64-bit number, in a column whose name ends in
`_decimal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from rankeval.core.scoring import exact
from rankeval.formats.spreadsheet import Cell, Sheet

if TYPE_CHECKING:
    import pandas as pd

_TEXT = frozenset({"run", "query", "need", "status"})
_YES_OR_NO = frozenset({"missing", "missing_a", "missing_b"})
_WHOLE = frozenset(
    {
        *("returned", "relevant", "hits", "hits_a", "hits_b"),
        *("first_relevant_rank", "first_relevant_rank_a", "first_relevant_rank_b", "rank_delta"),
    }
)
_SCORES = frozenset(
    {"recall", "recall_a", "recall_b", "recall_delta", "rr", "rr_a", "rr_b", "rr_delta"},
)


def per_query_parquet(sheet: Sheet) -> bytes:
    """Write a per-query table as Parquet.

    Args:
        sheet: what `score_sheet` or `comparison_sheet` gives.

    Raises:
        KeyError: it has a column that no per-query table has.

    """
    import pandas as pd  # noqa: PLC0415 - only Parquet is worth its time

    frame = pd.DataFrame(dict(_columns(sheet)))
    written: bytes = frame.to_parquet(None, index=False)
    return written


def _columns(sheet: Sheet) -> Iterator[tuple[str, pd.Series]]:
    import pandas as pd  # noqa: PLC0415

    for place, name in enumerate(sheet.columns):
        cells = [row[place] for row in sheet.rows]
        if name in _TEXT:
            yield name, pd.Series(cells, dtype="string")
        elif name in _YES_OR_NO:
            yield name, pd.Series([cell == "yes" for cell in cells], dtype="bool")
        elif name in _WHOLE:
            yield name, pd.Series(cells, dtype="Int64")
        elif name in _SCORES:
            scores = list(_scores(cells))
            yield name, pd.Series([exact(score) for score in scores], dtype="string")
            decimals = [None if score is None else float(score) for score in scores]
            yield f"{name}_decimal", pd.Series(decimals, dtype="float64")
        else:
            raise KeyError(name)


def _scores(cells: Iterable[Cell]) -> Iterator[Fraction | None]:
    for cell in cells:
        assert cell is None or isinstance(cell, Fraction)
        yield cell
