"""What each command does, given its options; the parser that makes them is `rankeval.cli`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rankeval.core import chunks, comparison, controls, fingerprint
from rankeval.core.about import proposed
from rankeval.core.contract import ChunkError, RunError, every
from rankeval.core.proposal import propose
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run
from rankeval.core.scoring import Report, score
from rankeval.formats import (
    Declared,
    FormatError,
    Ordering,
    Reading,
    frozen_protocol_json,
    read_chunk_map,
    read_collection,
    read_label_changes,
    read_protocol,
    read_run,
    reports,
    run_pieces,
    samples,
    spreadsheet,
    verify,
)
from rankeval.formats.catalogue import refusal
from rankeval.output import checked_target, write_file
from rankeval.progress import Progress

DONE, GATE_FAILED, REFUSED = 0, 1, 2
"""Exit codes."""


def score_command(options: argparse.Namespace) -> int:
    """Score runs."""
    sheet = _target(options.spreadsheet, options, options.runs)
    protocol, runs = _protocol_and_runs(options, options.runs)
    scored = _scored(protocol, runs)
    if sheet is not None:
        named = [(run.name, report) for run, report in zip(runs, scored, strict=True)]
        _write_spreadsheet(sheet, spreadsheet.score_sheet(named, protocol))
    print_document(
        options,
        lambda: reports.score_document(protocol, runs, scored),
        lambda: reports.score_table(protocol, runs, scored),
    )
    return DONE


def compare_command(options: argparse.Namespace) -> int:
    """Compare two runs, and let a gate fail."""
    given = [options.run_a, options.run_b]
    sheet = _target(options.spreadsheet, options, given)
    report = _target(options.report, options, given)
    protocol, (run_a, run_b) = _protocol_and_runs(options, given)
    compared = comparison.compare(*_scored(protocol, [run_a, run_b]))
    if sheet is not None:
        _write_spreadsheet(sheet, spreadsheet.comparison_sheet(compared, protocol))
    if report is not None:
        _write_report(options, report, protocol, (run_a, run_b), compared)
    print_document(
        options,
        lambda: reports.compare_document(protocol, (run_a, run_b), compared),
        lambda: reports.compare_table(protocol, (run_a, run_b), compared),
    )
    if options.fail_on_regression is None and options.max_regressions is None:
        return DONE
    measure, allowed = options.fail_on_regression or "any", options.max_regressions or 0
    fell = compared.regressions(measure)
    if fell > allowed:
        _say(f"gate failed: {fell} regressions ({measure}), {allowed} allowed")
        return GATE_FAILED
    return DONE


def collapse_command(options: argparse.Namespace) -> int:
    """Turn a chunk run into documents."""
    _refuse_twice_stdin([options.protocol, options.run, options.map])
    with Progress("reading"):
        protocol = _read_protocol(options)
        (run,) = _read_runs(options, [options.run])
        chunk_map = read_chunk_map(options.map)
    _say_declarations(protocol, [run])
    _, adapted = chunks.collapse_run(protocol, run, chunk_map, options.budget)
    sys.stdout.write(reports.as_json(adapted.as_dict()))
    return DONE


def budgets_command(options: argparse.Namespace) -> int:
    """Score chunk runs under several budgets."""
    _refuse_twice_stdin([options.protocol, *options.runs, options.map])
    with Progress("reading"):
        protocol = _read_protocol(options)
        chunk_map = read_chunk_map(options.map)
        runs = _read_runs(options, options.runs)
    _say_declarations(protocol, runs)
    with Progress("scoring"):
        scored = {run.name: chunks.score_budgets(protocol, run, chunk_map, options.budgets) for run in runs}
    print_document(
        options,
        lambda: {
            "adapter_sha256": fingerprint.adapter_sha256(chunk_map),
            "budgets": {
                name: {budget: report.as_dict() for budget, report in own.items()} for name, own in scored.items()
            },
        },
        lambda: reports.budgets_table(protocol, scored),
    )
    return DONE


def freeze_command(options: argparse.Namespace) -> int:
    """Write a frozen protocol."""
    parts = (options.corpus, options.queries, options.qrels)
    if (options.protocol is None) == (parts == (None, None, None)) or (options.protocol is None and None in parts):
        raise refusal(Reading.OPTION, detail="give SOURCE, or --corpus, --queries and --qrels")
    _refuse_twice_stdin(parts)
    output = checked_target(options.output)
    with Progress("reading"):
        if options.protocol is not None:
            protocol = _read_protocol(options)
        else:
            protocol = read_collection(*parts, split=options.split, k=options.k, declared=_declared(options))
    _say_declarations(protocol)
    _compute_sha256(protocol)
    for group, splits in protocol.groups_across_splits().items():
        _say(f"warning: group {group!r} stands in splits {' and '.join(splits)}")
    _write_protocol(output, protocol)
    facts = reports.freeze_document(protocol)
    print_document(options, lambda: facts, lambda: reports.facts_table(facts))
    return DONE


def propose_command(options: argparse.Namespace) -> int:
    """Write the protocol that has some judgments changed; the one that stands is left as it is."""
    _refuse_twice_stdin([options.protocol, options.changes])
    output = checked_target(options.output, [options.protocol, options.changes])
    with Progress("reading"):
        standing = _read_protocol(options)
        changes = read_label_changes(options.changes)
    _say_declarations(standing)
    if standing.protocol_sha256_verified:
        _compute_sha256(standing)
    proposed = propose(standing, changes)
    _compute_sha256(proposed)
    _write_protocol(output, proposed)
    facts = reports.propose_document(proposed)
    print_document(options, lambda: facts, lambda: reports.facts_table(facts))
    return DONE


def verify_command(options: argparse.Namespace) -> int:
    """Recompute fingerprints; all files are read before anything is printed."""
    _refuse_twice_stdin(options.files)
    verified: dict[str, Any] = {}
    for file in options.files:
        with Progress(file) as progress:
            verified[file] = reports.freeze_document(verify(file, progress))
    print_document(
        options,
        lambda: verified,
        lambda: "\n".join(f"{file}\n{reports.facts_table(facts)}" for file, facts in verified.items()),
    )
    return DONE


def convert_command(options: argparse.Namespace) -> int:
    """Write a run in another format."""
    output = checked_target(options.output)
    with Progress("reading"):
        (run,) = _read_runs(options, [options.run])
    _say_declarations(None, [run])
    with Progress("writing"):
        write_file(output, run_pieces(run, options.to))
    sys.stdout.write(reports.as_json(reports.run_document(run)))
    return DONE


def reproduce_command(options: argparse.Namespace) -> int:
    """Compute the published example from the sample data."""
    example = samples.sample_set("tutorial")
    if options.chunks:
        chunk_run = example.chunk_runs[0].rankings
        computed = controls.published_chunk_example(example.protocol, example.chunk_map, chunk_run)
    else:
        computed = controls.published_example(example.protocol, {run.name: run.rankings for run in example.runs})
    sys.stdout.write(reports.as_json(computed))
    return DONE


def serve_command(options: argparse.Namespace) -> int:
    """Open the dashboard."""
    from rankeval.serve import serve  # noqa: PLC0415 - the one command that loads Streamlit

    return serve(options.files, options.host, options.port, options.workspace, anonymous=options.allow_anonymous)


def workspace_command(options: argparse.Namespace) -> int:
    """Look after a workspace."""
    from rankeval.workspace_commands import COMMANDS  # noqa: PLC0415 - no other command need load a database

    return COMMANDS[options.verb](options)


def _read_protocol(options: argparse.Namespace) -> Protocol:
    return read_protocol(options.protocol, split=options.split, k=options.k, declared=_declared(options))


def _protocol_and_runs(options: argparse.Namespace, given: Sequence[str]) -> tuple[Protocol, list[Run]]:
    """Read a protocol and runs, by map where they are of chunks."""
    _refuse_twice_stdin([options.protocol, *given, options.map])
    with Progress("reading"):
        protocol = _read_protocol(options)
        runs = _read_runs(options, given)
    _say_declarations(protocol, runs)
    if options.map is None:
        if options.budget is not None:
            raise refusal(Reading.OPTION, detail="--budget counts chunks, so it needs --map")
        return protocol, runs
    chunk_map = read_chunk_map(options.map)
    collapsed = every(
        ChunkError, [partial(chunks.collapse_run, protocol, run, chunk_map, options.budget) for run in runs]
    )
    return protocol, [run for run, _ in collapsed]


def _scored(protocol: Protocol, runs: Sequence[Run]) -> list[Report]:
    with Progress("scoring"):
        return every(RunError, [partial(score, protocol, run) for run in runs])


def _read_runs(options: argparse.Namespace, given: Sequence[str]) -> list[Run]:
    ordering = Ordering(options.order, options.ties)

    def read(each: str) -> Run:
        name, file = _name_and_file(each)
        return read_run(file, name=name, ordering=ordering, input_format=options.input_format)

    runs = every(FormatError, [partial(read, each) for each in given])
    names = [run.name for run in runs]
    if repeated := {name for name in names if names.count(name) > 1}:
        detail = f"two runs are called {min(repeated)!r}; name them apart with NAME=FILE"
        raise refusal(Reading.OPTION, detail=detail)
    return runs


def _name_and_file(given: str) -> tuple[str | None, str]:
    """Take NAME=FILE apart; a file that is there under all of it has no other name."""
    name, separator, file = given.partition("=")
    return (name, file) if separator and name and not Path(given).exists() else (None, given)


def _refuse_twice_stdin(given: Iterable[str | None]) -> None:
    if sum(_name_and_file(each)[1] == "-" for each in given if each is not None) > 1:
        raise refusal(Reading.OPTION, detail="standard input can be read once only")


def _declared(options: argparse.Namespace) -> Declared:
    return Declared(options.unlisted_nonrelevant, options.relevant_from, options.leave_out_unjudged_queries)


def _say_declarations(protocol: Protocol | None, runs: Sequence[Run] = ()) -> None:
    for declaration in protocol.provenance.declarations if protocol is not None else ():
        _say(f"declared {declaration}")
    for proposal in protocol.provenance.proposals if protocol is not None else ():
        _say(proposed(proposal))
    for run in runs:
        for declaration in run.declarations:
            _say(f"{run.name}: declared {declaration}")


def _say(words: str) -> None:
    print(reports.printable(f"rankeval: {words}"), file=sys.stderr)


def _compute_sha256(protocol: Protocol) -> None:
    with Progress("fingerprint") as progress:
        protocol.compute_sha256(progress)


def print_document(options: argparse.Namespace, document: Callable[[], Any], table: Callable[[], str]) -> None:
    """Print what a command found as JSON or as a table for people, whichever is wanted."""
    sys.stdout.write(table() if _wants_table(options) else reports.as_json(document()))


def _target(wanted: str | None, options: argparse.Namespace, given: Sequence[str]) -> Path | None:
    if wanted is None:
        return None
    read = [options.protocol, *(_name_and_file(each)[1] for each in given), *filter(None, [options.map])]
    return checked_target(wanted, read)


def _write_spreadsheet(file: Path, sheet: spreadsheet.Sheet) -> None:
    write_file(file, [spreadsheet.spreadsheet_csv(sheet)])
    if escaped := spreadsheet.escaped_cells(sheet):
        said = f"{escaped} cells begin with an apostrophe that is not theirs; {spreadsheet.ADDED} says which"
        _say(f"{file}: {said}")


def _write_report(
    options: argparse.Namespace,
    file: Path,
    protocol: Protocol,
    runs: tuple[Run, Run],
    compared: comparison.Comparison,
) -> None:
    from rankeval.formats.html_report import comparison_html  # noqa: PLC0415 - only a report is worth its time

    name = "standard input" if options.protocol == "-" else Path(options.protocol).name
    write_file(file, [comparison_html(protocol, runs, compared, name=name)])


def _wants_table(options: argparse.Namespace) -> bool:
    return bool(options.format == "table" or (options.format is None and sys.stdout.isatty()))


def _write_protocol(output: Path, protocol: Protocol) -> None:
    with Progress("writing"):
        write_file(output, (piece.encode() for piece in frozen_protocol_json(protocol)))
