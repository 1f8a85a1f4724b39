"""Everything that can be taken away as a file, one list a place: what a button is called, and what makes its file.

A file is made when somebody clicks, not before.  A new kind of file is one more entry in a list here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from rankeval.core.comparison import Comparison
from rankeval.core.contract import ContractError
from rankeval.dashboard import figures
from rankeval.dashboard.language import _, catalogue, current
from rankeval.dashboard.library import LoadedProtocol, LoadedRun
from rankeval.formats import frozen_protocol_json, run_bytes
from rankeval.formats.faults import fault_document, fault_sheet
from rankeval.formats.html_report import comparison_html
from rankeval.formats.per_query import per_query_parquet
from rankeval.formats.reports import as_json, compare_document, score_document
from rankeval.formats.spreadsheet import Sheet, comparison_sheet, score_sheet, spreadsheet_csv
from rankeval.formats.templates import chunk_map_templates, protocol_templates, run_templates

HTML = "text/html"
JSON = "application/json"
CSV = "text/csv"
PARQUET = "application/vnd.apache.parquet"
BYTES = "application/octet-stream"

_NAME_LENGTH = 60
"""So many bytes of a name go into the name of a file; systems take 255 in all."""


@dataclass(frozen=True, slots=True)
class Download:
    """One file to take away.

    Attributes:
        key: what names its button.
        label: what the button says.
        file: what the file is called.
        mime: what kind of file it is.
        make: makes its content.
        says: what it is, where a label does not say enough.

    """

    key: str
    label: str
    file: str
    mime: str
    make: Callable[[], bytes]
    says: str = ""


def of_comparison(entry: LoadedProtocol, a: LoadedRun, b: LoadedRun) -> list[Download]:
    """Give what there is of two runs side by side; `a` is the baseline."""
    # A file is made when nobody's page is: what it says is settled now, in the language of who will click.
    spoken = (current(), catalogue())
    called = _(entry.sample.title) if entry.sample else entry.name

    def compared() -> Comparison:
        return figures.comparison_of(entry, a, b)

    def mailed() -> bytes:
        runs, now = (a.run, b.run), datetime.now().astimezone()
        return comparison_html(entry.protocol, runs, compared(), name=called, language=spoken, made_at=now)

    def report() -> bytes:
        return as_json(compare_document(entry.protocol, (a.run, b.run), compared())).encode()

    def table() -> Sheet:
        return comparison_sheet(compared(), entry.protocol)

    name = ("compare", a.name, b.name, entry.key[:8])
    return [
        Download("comparison-html", _("Report to mail (HTML)"), file_name(*name, ending="html"), HTML, mailed),
        Download("comparison-json", _("Report (JSON)"), file_name(*name, ending="json"), JSON, report),
        *_per_query("comparison", name, table),
    ]


def of_run(entry: LoadedProtocol, run: LoadedRun) -> list[Download]:
    """Give what there is of one run: the run itself, and its score."""
    name = (run.name, run.key[:8])
    return [
        Download(
            "run-json", _("Run (JSON)"), file_name(*name, ending="json"), JSON, lambda: run_bytes(run.run, "json")
        ),
        *_scored("run", ("score", *name), entry, [run]),
    ]


def of_runs(entry: LoadedProtocol, runs: Sequence[LoadedRun]) -> list[Download]:
    """Give what there is of all runs together."""
    return _scored("runs", ("score", entry.name, entry.key[:8]), entry, runs)


def of_protocol(entry: LoadedProtocol) -> list[Download]:
    """Give the frozen protocol."""

    def frozen() -> bytes:
        return "".join(frozen_protocol_json(entry.protocol)).encode()

    protocol = entry.protocol
    name = file_name(entry.name, protocol.split, f"k{protocol.k}", entry.key[:8], ending="json")
    return [Download("protocol-json", _("Frozen protocol (JSON)"), name, JSON, frozen)]


def of_templates() -> dict[str, list[Download]]:
    """Give files to start from, by the place that they go to."""
    places = (protocol_templates(), run_templates(), chunk_map_templates())
    return {
        templates[0].place: [
            Download(f"template-{each.name}", each.name, each.name, BYTES, partial(bytes, each.content), _(each.says))
            for each in templates
        ]
        for templates in places
    }


def of_refusal(kind: str, file: str, error: ContractError) -> list[Download]:
    """Give the faults of a refused file."""
    key = f"{kind}-{file}"
    return [
        Download(
            f"faults-csv-{key}",
            _("Faults (CSV)"),
            file_name("faults", file, ending="csv"),
            CSV,
            lambda: spreadsheet_csv(fault_sheet(error)),
        ),
        Download(
            f"faults-json-{key}",
            _("Faults (JSON)"),
            file_name("faults", file, ending="json"),
            JSON,
            lambda: as_json(fault_document(file, error)).encode(),
        ),
    ]


def _scored(key: str, name: Sequence[str], entry: LoadedProtocol, runs: Sequence[LoadedRun]) -> list[Download]:
    def report() -> bytes:
        read = [run.run for run in runs]
        return as_json(score_document(entry.protocol, read, [run.report for run in runs])).encode()

    def table() -> Sheet:
        return score_sheet([(run.name, run.report) for run in runs], entry.protocol)

    return [
        Download(f"{key}-score-json", _("Report (JSON)"), file_name(*name, ending="json"), JSON, report),
        *_per_query(f"{key}-score", name, table),
    ]


def _per_query(key: str, name: Sequence[str], table: Callable[[], Sheet]) -> list[Download]:
    return [
        Download(
            f"{key}-csv",
            _("Per query (CSV)"),
            file_name(*name, ending="csv"),
            CSV,
            lambda: spreadsheet_csv(table()),
        ),
        Download(
            f"{key}-parquet",
            _("Per query (Parquet)"),
            file_name(*name, ending="parquet"),
            PARQUET,
            lambda: per_query_parquet(table()),
        ),
    ]


def file_name(*parts: str, ending: str) -> str:
    """Make the name of a file that every system takes, of names that may hold anything.

    >>> file_name("compare", "../a b", "運行 2", ending="json")
    'compare-a_b-運行_2.json'
    """
    return f"{'-'.join(filter(None, map(_file_part, parts)))}.{ending}"


def _file_part(name: str) -> str:
    kept = "".join(each if each.isalnum() else "_" for each in name).strip("_")
    return kept.encode()[:_NAME_LENGTH].decode(errors="ignore")
