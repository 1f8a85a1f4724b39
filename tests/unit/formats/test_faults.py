from __future__ import annotations

import csv
import io
import json

from rankeval.core.contract import Fault, RunError
from rankeval.formats.faults import fault_document, fault_sheet
from rankeval.formats.reports import as_json
from rankeval.formats.spreadsheet import spreadsheet_csv

ERROR = RunError(
    [
        Fault("unknown document ID", "q2", "=1+1", position=2, file="run.json", line=3, detail="near miss"),
        Fault("duplicate document ID; deduplicate upstream explicitly", "q3", "d1"),
    ],
    total=4_000,
)


class TestDocument:
    def test_it_says_how_many_there_were_and_how_many_it_has(self) -> None:
        document = json.loads(as_json(fault_document("run.json", ERROR)))

        assert (document["refused"], document["total"], document["reported"]) == ("run.json", 4_000, 2)
        assert document["rule"] == "unknown document ID"

    def test_ids_are_exact(self) -> None:
        fault, _ = json.loads(as_json(fault_document("run.json", ERROR)))["faults"]

        assert fault == {
            "rule": "unknown document ID",
            "query": "q2",
            "document": "=1+1",
            "chunk": None,
            "position": 2,
            "file": "run.json",
            "line": 3,
            "row": None,
            "detail": "near miss",
        }


class TestSheet:
    def test_no_cell_starts_a_formula_and_the_row_says_which_was_changed(self) -> None:
        first, second = csv.DictReader(io.StringIO(spreadsheet_csv(fault_sheet(ERROR)).decode("utf-8-sig")))

        assert (first["line"], first["document"], first["apostrophe_added"]) == ("3", "'=1+1", "document")
        assert (second["line"], second["document"], second["apostrophe_added"]) == ("", "d1", "")
