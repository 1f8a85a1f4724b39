"""What can be taken away from a review round."""

from __future__ import annotations

from collections.abc import Sequence

from rankeval.core.review import Answer
from rankeval.dashboard.downloads import CSV, Download, file_name, of_protocol
from rankeval.dashboard.language import _
from rankeval.dashboard.library import LoadedProtocol
from rankeval.formats.label_changes import label_changes_jsonl
from rankeval.formats.review_exports import answers_jsonl, answers_sheet
from rankeval.formats.spreadsheet import spreadsheet_csv
from rankeval.workspace import Round

JSON_LINES = "application/x-ndjson"


def of_round(entry: LoadedProtocol, chosen: Round, answers: Sequence[Answer]) -> list[Download]:
    """Give every revision of every verdict, exactly and for spreadsheets."""

    def table() -> bytes:
        return spreadsheet_csv(answers_sheet(answers, entry.protocol))

    return [
        Download(
            "verdicts-jsonl",
            _("Verdicts (JSON lines)"),
            file_name("verdicts", chosen.name, ending="jsonl"),
            JSON_LINES,
            lambda: answers_jsonl(answers),
        ),
        Download("verdicts-csv", _("Verdicts (CSV)"), file_name("verdicts", chosen.name, ending="csv"), CSV, table),
    ]


def of_proposal(proposed: LoadedProtocol) -> list[Download]:
    """Give the proposed protocol, and the changes by which `rankeval propose` makes it."""

    def changes() -> bytes:
        return label_changes_jsonl(proposed.protocol.provenance.proposals[-1].changes)

    return [
        *of_protocol(proposed),
        Download(
            "changes-jsonl",
            _("Changes (JSON lines)"),
            file_name("changes", proposed.name, ending="jsonl"),
            JSON_LINES,
            changes,
        ),
    ]
