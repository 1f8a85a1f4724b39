"""The faults of a refusal as files, for whoever has to mend what was refused: a table for spreadsheets, exact JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rankeval.core.contract import ContractError
from rankeval.formats.spreadsheet import Sheet

_COLUMNS = ("rule", "file", "line", "row", "query", "document", "chunk", "position", "detail")


def fault_document(file: str, error: ContractError) -> dict[str, Any]:
    """Give a refusal as plain JSON: its rule, how many faults there were, and each that was kept (the first 1,000).

    Args:
        file: the file or files that were refused, as messages call them.
        error: the refusal.

    """
    return {
        "refused": file,
        "rule": error.rule,
        "total": error.total,
        "reported": len(error.faults),
        "faults": [
            {name: value if name != "rule" else str(value) for name, value in asdict(fault).items()}
            for fault in error.faults
        ],
    }


def fault_sheet(error: ContractError) -> Sheet:
    """Give every fault that was kept as a row; lines of text and rows of a table are counted from 1."""
    return Sheet(
        _COLUMNS,
        tuple(
            (
                str(fault.rule),
                fault.file,
                fault.line,
                fault.row,
                fault.query,
                fault.document,
                fault.chunk,
                fault.position,
                fault.detail,
            )
            for fault in error.faults
        ),
    )
