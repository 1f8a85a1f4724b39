"""What each command does, given its options; the parser that makes them is `rankeval.cli`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankeval.core import chunks, comparison, controls, fingerprint
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.core.run import QuickRankings, Run
from rankeval.core.scoring import Report, score
from rankeval.formats import (
    Declared,
    Ordering,
    Reading,
    Source,
    frozen_protocol_json,
    read_chunk_map,
    read_collection,
    read_protocol,
    read_run,
    reports,
    run_pieces,
    samples,
    spreadsheet,
    verify,
)
from rankeval.formats.catalogue import refusal
from rankeval.formats.source import LARGE
from rankeval.progress import Progress

if TYPE_CHECKING:
    from rankeval.workspace.database import Database

DONE, GATE_FAILED, REFUSED = 0, 1, 2
"""Exit codes."""


def score_command(options: argparse.Namespace) -> int:
    """Score runs."""
    protocol, runs = _protocol_and_runs(options, options.runs)
    scored = _scored(protocol, runs)
    if options.spreadsheet is not None:
        named = [(run.name, report) for run, report in zip(runs, scored, strict=True)]
        _write_spreadsheet(options, spreadsheet.score_sheet(named, protocol))
    _print(
        options,
        lambda: reports.score_document(protocol, runs, scored),
        lambda: reports.score_table(protocol, runs, scored),
    )
    return DONE


def compare_command(options: argparse.Namespace) -> int:
    """Compare two runs, and let a gate fail."""
    protocol, (run_a, run_b) = _protocol_and_runs(options, [options.run_a, options.run_b])
    compared = comparison.compare(*_scored(protocol, [run_a, run_b]))
    if options.spreadsheet is not None:
        _write_spreadsheet(options, spreadsheet.comparison_sheet(compared, protocol))
    _print(
        options,
        lambda: reports.compare_document(protocol, (run_a, run_b), compared),
        lambda: reports.compare_table(protocol, (run_a, run_b), compared),
    )
    if options.fail_on_regression is None and options.max_regressions is None:
        return DONE
    measure, allowed = options.fail_on_regression or "any", options.max_regressions or 0
    fell = compared.regressions(measure)
    if fell > allowed:
        print(f"rankeval: gate failed: {fell} regressions ({measure}), {allowed} allowed", file=sys.stderr)
        return GATE_FAILED
    return DONE


def collapse_command(options: argparse.Namespace) -> int:
    """Turn a chunk run into documents."""
    protocol = _protocol(options)
    (run,) = _runs(options, [options.run])
    _, adapted = chunks.collapse_run(protocol, run, read_chunk_map(options.map), options.budget)
    sys.stdout.write(reports.as_json(adapted.as_dict()))
    return DONE


def budgets_command(options: argparse.Namespace) -> int:
    """Score chunk runs under several budgets."""
    protocol = _protocol(options)
    chunk_map = read_chunk_map(options.map)
    scored = {
        run.name: chunks.score_budgets(protocol, run, chunk_map, options.budgets)
        for run in _runs(options, options.runs)
    }
    _print(
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
    if options.protocol is not None and parts == (None, None, None):
        protocol = _protocol(options)
    elif options.protocol is None and None not in parts:
        protocol = read_collection(*parts, split=options.split, k=options.k, declared=_declared(options))
        _say_declarations(protocol)
    else:
        raise refusal(Reading.OPTION, detail="give SOURCE, or --corpus, --queries and --qrels")
    with Progress("fingerprint") as progress:
        protocol.compute_sha256(progress)
    for group, splits in protocol.groups_across_splits().items():
        print(f"rankeval: warning: group {group!r} stands in splits {' and '.join(splits)}", file=sys.stderr)
    _write(Path(options.output), (piece.encode() for piece in frozen_protocol_json(protocol)))
    facts = reports.freeze_document(protocol)
    _print(options, lambda: facts, lambda: reports.facts_table(facts))
    return DONE


def verify_command(options: argparse.Namespace) -> int:
    """Recompute fingerprints; all files are read before anything is printed."""
    verified: dict[str, Any] = {}
    for file in options.files:
        with Progress(file) as progress:
            verified[file] = reports.freeze_document(verify(file, progress))
    _print(
        options,
        lambda: verified,
        lambda: "\n".join(f"{file}\n{reports.facts_table(facts)}" for file, facts in verified.items()),
    )
    return DONE


def convert_command(options: argparse.Namespace) -> int:
    """Write a run in another format."""
    (run,) = _runs(options, [options.run])
    _write(Path(options.output), run_pieces(run, options.to))
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

    return serve(options.files, options.host, options.port, options.workspace)


def workspace_info_command(options: argparse.Namespace) -> int:
    """Say what a workspace holds."""
    from rankeval.workspace.checks import facts  # noqa: PLC0415 - a small job need not load a database

    with _workspace(options) as database:
        found = facts(database)
    _print(options, lambda: found, lambda: reports.facts_table(found))
    return DONE


def workspace_export_command(options: argparse.Namespace) -> int:
    """Write everything that a workspace holds as JSON lines; nothing is written before all of it was read."""
    from tempfile import TemporaryFile  # noqa: PLC0415 - likewise

    from rankeval.workspace.exporting import export_lines  # noqa: PLC0415 - likewise

    with _workspace(options) as database:
        if options.output is not None:
            _write(Path(options.output), export_lines(database))
            return DONE
        with TemporaryFile() as whole:
            whole.writelines(export_lines(database))
            whole.seek(0)
            sys.stdout.writelines(line.decode() for line in whole)
    return DONE


def workspace_import_command(options: argparse.Namespace) -> int:
    """Read an export into a workspace, all of it or nothing."""
    from rankeval.workspace.importing import import_lines  # noqa: PLC0415 - likewise

    source = Source.of(options.file)
    with _workspace(options, create=True) as database:
        done = import_lines(database, source.name, source.data.splitlines(keepends=True))
    kinds = sorted(done.added | done.already_there)
    counts = {kind: {"added": done.added[kind], "already_there": done.already_there[kind]} for kind in kinds}
    _print(
        options,
        lambda: counts,
        lambda: reports.facts_table(
            {kind: f"{each['added']} added, {each['already_there']} already there" for kind, each in counts.items()}
            or {"nothing": "the export is of an empty workspace"}
        ),
    )
    return DONE


def workspace_verify_command(options: argparse.Namespace) -> int:
    """Recompute every fingerprint of a workspace, and let the database check its file."""
    from rankeval.workspace import checks  # noqa: PLC0415 - likewise

    with _workspace(options) as database:
        checked = checks.verify(database)
    _print(options, lambda: checked, lambda: reports.facts_table(checked))
    return DONE


@contextmanager
def _workspace(options: argparse.Namespace, *, create: bool = False) -> Iterator[Database]:
    from rankeval.workspace import Workspace, default_workspace  # noqa: PLC0415 - likewise

    where = options.workspace or default_workspace()
    was_there = "://" in where or Path(where).exists()
    workspace = Workspace(where, create=create)
    try:
        yield workspace.database
    except ContractError:
        if not was_there:
            # Nothing came of it; an empty workspace would look as though something had.
            Path(where).unlink()
        raise
    finally:
        workspace.close()


def _protocol(options: argparse.Namespace) -> Protocol:
    protocol = read_protocol(options.protocol, split=options.split, k=options.k, declared=_declared(options))
    _say_declarations(protocol)
    return protocol


def _protocol_and_runs(options: argparse.Namespace, given: Sequence[str]) -> tuple[Protocol, list[Run]]:
    """Read a protocol and runs; a large run beside the protocol, since reading it is mostly not Python's work."""
    _refuse_twice_stdin([options.protocol, *given, options.map])
    if any(map(_is_large, given)):
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - a small job need not load it

        with ThreadPoolExecutor(1) as other:
            pending = other.submit(_runs, options, given)
            protocol = _protocol(options)
            runs = pending.result()
    else:
        protocol = _protocol(options)
        runs = _runs(options, given)
    if options.map is None:
        if options.budget is not None:
            raise refusal(Reading.OPTION, detail="--budget counts chunks, so it needs --map")
        return protocol, runs
    chunk_map = read_chunk_map(options.map)
    return protocol, [chunks.collapse_run(protocol, run, chunk_map, options.budget)[0] for run in runs]


def _scored(protocol: Protocol, runs: Sequence[Run]) -> list[Report]:
    """Score runs; large ones are fingerprinted meanwhile, since hashing is hardly Python's work."""
    large = [run for run in runs if isinstance(run.rankings, QuickRankings)]
    if not large:
        return [score(protocol, run) for run in runs]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - a small job need not load it

    with ThreadPoolExecutor(1) as other:
        other.map(attrgetter("run_sha256"), large)
        return [score(protocol, run) for run in runs]


def _runs(options: argparse.Namespace, given: Sequence[str]) -> list[Run]:
    ordering = Ordering(options.order, options.ties)
    runs: list[Run] = []
    for each in given:
        name, separator, file = each.partition("=")
        is_named = separator and name and not Path(each).exists()
        run = read_run(
            file if is_named else each,
            name=name if is_named else None,
            ordering=ordering,
            input_format=options.input_format,
        )
        runs.append(run)
    names = [run.name for run in runs]
    if repeated := {name for name in names if names.count(name) > 1}:
        detail = f"two runs are called {min(repeated)!r}; name them apart with NAME=FILE"
        raise refusal(Reading.OPTION, detail=detail)
    for run in runs:
        for declaration in run.declarations:
            print(f"rankeval: {run.name}: declared {declaration}", file=sys.stderr)
    return runs


def _is_large(given: str) -> bool:
    try:
        return Path(given.partition("=")[2] or given).stat().st_size >= LARGE
    except OSError:
        return False


def _refuse_twice_stdin(given: Iterable[str | None]) -> None:
    if list(given).count("-") > 1:
        raise refusal(Reading.OPTION, detail="standard input can be read once only")


def _declared(options: argparse.Namespace) -> Declared:
    return Declared(options.unlisted_nonrelevant, options.relevant_from, options.leave_out_unjudged_queries)


def _say_declarations(protocol: Protocol) -> None:
    for declaration in protocol.provenance.declarations:
        print(f"rankeval: declared {declaration}", file=sys.stderr)


def _print(options: argparse.Namespace, document: Callable[[], Any], table: Callable[[], str]) -> None:
    sys.stdout.write(table() if _wants_table(options) else reports.as_json(document()))


def _write_spreadsheet(options: argparse.Namespace, sheet: spreadsheet.Sheet) -> None:
    _write(Path(options.spreadsheet), [spreadsheet.spreadsheet_csv(sheet)])
    if escaped := spreadsheet.escaped_cells(sheet):
        said = f"{escaped} cells begin with an apostrophe that is not theirs; {spreadsheet.ADDED} says which"
        print(f"rankeval: {options.spreadsheet}: {said}", file=sys.stderr)


def _wants_table(options: argparse.Namespace) -> bool:
    return bool(options.format == "table" or (options.format is None and sys.stdout.isatty()))


def _write(file: Path, pieces: Iterable[bytes]) -> None:
    """Write a file as a whole or not at all."""
    import tempfile  # noqa: PLC0415 - only freezing needs it

    with tempfile.NamedTemporaryFile("wb", dir=file.parent, prefix=f".{file.name}.", delete=False) as temporary:
        try:
            temporary.writelines(pieces)
            temporary.close()
            Path(temporary.name).chmod(0o666 & ~_umask())
            Path(temporary.name).replace(file)
        except BaseException:
            Path(temporary.name).unlink(missing_ok=True)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
