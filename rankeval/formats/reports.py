"""What the commands print: the JSON documents of DESIGN.md's "Command line", exact, and the same as text tables."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rankeval.core.about import proposed
from rankeval.core.comparison import Comparison, worst_first
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run
from rankeval.core.scoring import Report, denominator, exact_values
from rankeval.core.words import LIMITS, decimal, marked_status, signed, signed_rank, verdict


def as_json(value: Any) -> str:
    """Write a document as people and programs read it: indented, in UTF-8, every Fraction its exact string."""
    return json.dumps(exact_values(value), indent=2, ensure_ascii=False) + "\n"


def score_document(protocol: Protocol, runs: Sequence[Run], reports: Sequence[Report]) -> dict[str, Any]:
    """Give what `rankeval score` prints."""
    return {
        "results": {run.name: report.as_dict() for run, report in zip(runs, reports, strict=True)},
        **_identity(protocol, runs),
    }


def compare_document(protocol: Protocol, runs: tuple[Run, Run], comparison: Comparison) -> dict[str, Any]:
    """Give what `rankeval compare` prints."""
    return {
        "baseline": runs[0].name,
        "candidate": runs[1].name,
        **comparison.as_dict(),
        **_identity(protocol, runs),
    }


def protocol_document(protocol: Protocol) -> dict[str, Any]:
    """Say which protocol numbers stand on, and what was declared for it."""
    return {
        "protocol_sha256": protocol.protocol_sha256,
        "protocol_sha256_verified": protocol.protocol_sha256_verified,
        "compact_sha256": protocol.compact_sha256,
        "declarations": [each.as_dict() for each in protocol.provenance.declarations],
    }


def run_document(run: Run) -> dict[str, Any]:
    """Say what is known of a run; None where something does not apply."""
    origin = run.from_chunks
    return {
        "run_sha256": run.run_sha256,
        "source": run.source,
        "declarations": [each.as_dict() for each in run.declarations],
        "system": dict(run.system) or None,
        "chunk_run_sha256": origin.chunk_run_sha256 if origin else None,
        "adapter_sha256": origin.adapter_sha256 if origin else None,
        "chunk_budget": origin.budget if origin else None,
    }


def _identity(protocol: Protocol, runs: Iterable[Run]) -> dict[str, Any]:
    return {"protocol": protocol_document(protocol), "runs": {run.name: run_document(run) for run in runs}}


def score_table(protocol: Protocol, runs: Sequence[Run], reports: Sequence[Report]) -> str:
    """Give the means of several runs as a table, each with its denominator."""
    k = protocol.k
    rows = [
        (
            run.name,
            *_both(report.recall_at_k),
            *_both(report.mrr_at_k),
            str(len(report.missing_queries)),
            str(denominator(report)),
        )
        for run, report in zip(runs, reports, strict=True)
    ]
    header = ("run", f"Recall@{k}", "", f"MRR@{k}", "", "missing", "queries")
    return "\n".join([_headline(protocol), "", *_table(header, rows, right={1, 2, 3, 4, 5}), "", LIMITS, ""])


def compare_table(protocol: Protocol, runs: tuple[Run, Run], comparison: Comparison) -> str:
    """Give a comparison as people read it: the verdict, both means, then every query that moved, worst first."""
    k = protocol.k
    a, b = comparison.baseline, comparison.candidate
    means = [
        (f"Recall@{k}", *_both(a.recall_at_k), *_both(b.recall_at_k), signed(comparison.recall_delta)),
        (f"MRR@{k}", *_both(a.mrr_at_k), *_both(b.mrr_at_k), signed(comparison.mrr_delta)),
    ]
    moved = [row for row in worst_first(comparison.rows) if row.regression or row.improvement or any(row.missing)]
    rows = [
        (
            row.query,
            marked_status(row),
            *(_rank(rank) for rank in row.first_relevant_rank),
            signed_rank(row.rank_delta),
            signed(row.rr_delta),
            signed(row.recall_delta),
        )
        for row in moved
    ]
    header = ("query", "status", "rank A", "rank B", "delta", f"RR@{k}", f"Recall@{k}")
    still = len(comparison.rows) - len(moved)
    return "\n".join(
        [
            _headline(protocol),
            "",
            printable(
                verdict(runs[0].name, runs[1].name, comparison, origins=(runs[0].from_chunks, runs[1].from_chunks))
            ),
            "",
            *_table(("", f"A  {runs[0].name}", "", f"B  {runs[1].name}", "", "B - A"), means, right={1, 2, 3, 4, 5}),
            "",
            f"A: {denominator(a)}",
            f"B: {denominator(b)}",
            "",
            *_table(header, rows, right={2, 3, 4, 5, 6}),
            f"{still} more queries: neither side missing, and no score moved.",
            "",
            LIMITS,
            "",
        ]
    )


def budgets_table(protocol: Protocol, budgets: Mapping[str, Mapping[str, Report]]) -> str:
    """Give the means of chunk runs under each budget."""
    k = protocol.k
    rows = [
        (name, budget, *_both(report.recall_at_k), *_both(report.mrr_at_k))
        for name, reports in budgets.items()
        for budget, report in reports.items()
    ]
    header = ("chunk run", "chunks", f"Recall@{k}", "", f"MRR@{k}", "")
    note = "Each number of chunks is a protocol of its own: the first n chunks are collapsed to documents, then scored."
    return "\n".join([_headline(protocol), "", *_table(header, rows, right={1, 2, 3, 4, 5}), "", note, ""])


def freeze_document(protocol: Protocol) -> dict[str, Any]:
    """Give what `rankeval freeze` and `rankeval verify` print."""
    return {
        **protocol_document(protocol),
        "split": protocol.split,
        "k": protocol.k,
        "documents": len(protocol.corpus),
        "queries": len(protocol.queries),
        "queries_of_split": len(protocol.split_queries),
        "pairs": protocol.judged_pairs,
        "judged_pairs": protocol.judged_pairs
        if protocol.provenance.judged_pairs is None
        else protocol.provenance.judged_pairs,
        "relevant_pairs": sum(map(len, protocol.relevant.values())),
    }


def propose_document(protocol: Protocol) -> dict[str, Any]:
    """Give what `rankeval propose` prints: the protocol that it made, from which one, and how many judgments differ."""
    proposal = protocol.provenance.proposals[-1]
    return {
        **freeze_document(protocol),
        "parent_protocol_sha256": proposal.parent_protocol_sha256,
        "parent_compact_sha256": proposal.parent_compact_sha256,
        "changed_judgments": len(proposal.changes),
    }


def facts_table(facts: Mapping[str, Any]) -> str:
    """Give a flat document as lines of name and value."""
    width = max(map(len, facts))
    lines = [f"{name:<{width}}  {value}" for name, value in facts.items() if not isinstance(value, list)]
    declared = facts.get("declarations", [])
    said = [f"{'declared':<{width}}  --{each['option']} {each['value']}  ({each['effect']})" for each in declared]
    return "\n".join([*map(printable, [*lines, *said]), ""])


def _headline(protocol: Protocol) -> str:
    line = f"protocol {protocol.protocol_sha256[:12]}, split {protocol.split}, k = {protocol.k}"
    if not protocol.protocol_sha256_verified:
        line += " (not recomputed; rankeval verify does)"
    known = protocol.provenance
    said = [line, *(f"declared: {each}" for each in known.declarations), *map(proposed, known.proposals)]
    return "\n".join(map(printable, said))


def _both(value: Fraction | None) -> tuple[str, str]:
    """Give a mean exactly where that is short, and as a decimal."""
    text = "null" if value is None else str(value)
    return (text if len(text) <= _SHORT else "", decimal(value))


_SHORT = 11
"""A fraction longer than this is no help to a reader of a table; the JSON has it in full."""


def _rank(rank: int | None) -> str:
    return "-" if rank is None else str(rank)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], right: set[int]) -> list[str]:
    """Line up columns, by the width that a terminal gives each character."""
    cells = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(_width(row[column]) for row in cells) for column in range(len(header))]
    return [
        "  ".join(
            " " * (width - _width(cell)) + cell if column in right else cell + " " * (width - _width(cell))
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def printable(text: str) -> str:
    r"""Write what a terminal would obey, such as escapes and line ends, as Python writes it.

    >>> print(printable("d\x1b[2J\n"))
    d\x1b[2J\n
    """
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )
