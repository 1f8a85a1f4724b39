"""The commands on a workspace; they are apart, since no other command need load a database."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from rankeval.commands import DONE, print_document
from rankeval.core.contract import ContractError
from rankeval.formats import Source, reports
from rankeval.output import checked_target, write_file
from rankeval.workspace import Workspace, checks, default_workspace
from rankeval.workspace.checks import facts
from rankeval.workspace.database import Database
from rankeval.workspace.exporting import export_lines
from rankeval.workspace.importing import import_lines


def info_command(options: argparse.Namespace) -> int:
    """Say what a workspace holds."""
    with _workspace(options) as database:
        found = facts(database)
    print_document(options, lambda: found, lambda: reports.facts_table(found))
    return DONE


def export_command(options: argparse.Namespace) -> int:
    """Write everything that a workspace holds as JSON lines; nothing is written before all of it was read."""
    output = None if options.output is None else checked_target(options.output)
    with _workspace(options) as database:
        if output is not None:
            write_file(output, export_lines(database))
            return DONE
        with TemporaryFile() as whole:
            whole.writelines(export_lines(database))
            whole.seek(0)
            sys.stdout.writelines(line.decode() for line in whole)
    return DONE


def import_command(options: argparse.Namespace) -> int:
    """Read an export into a workspace, all of it or nothing."""
    source = Source.of(options.file)
    with _workspace(options, create=True) as database:
        done = import_lines(database, source.name, source.data.splitlines(keepends=True))
    kinds = sorted(done.added | done.already_there)
    counts = {kind: {"added": done.added[kind], "already_there": done.already_there[kind]} for kind in kinds}
    print_document(
        options,
        lambda: counts,
        lambda: reports.facts_table(
            {kind: f"{each['added']} added, {each['already_there']} already there" for kind, each in counts.items()}
            or {"nothing": "the export is of an empty workspace"}
        ),
    )
    return DONE


def verify_command(options: argparse.Namespace) -> int:
    """Recompute every fingerprint of a workspace, and let the database check its file."""
    with _workspace(options) as database:
        checked = checks.verify(database)
    print_document(options, lambda: checked, lambda: reports.facts_table(checked))
    return DONE


@contextmanager
def _workspace(options: argparse.Namespace, *, create: bool = False) -> Iterator[Database]:
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


COMMANDS = {
    "info": info_command,
    "export": export_command,
    "import": import_command,
    "verify": verify_command,
}
"""Each by its verb."""
