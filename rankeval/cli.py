"""The command line: its options, and what becomes of refusals.

Nothing heavy is imported here: a small job is over before pandas would be loaded.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from rankeval import commands
from rankeval.core.contract import ContractError
from rankeval.formats import RUN_FORMATS, WRITERS
from rankeval.formats.reports import printable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: the words after `rankeval`; those of the process by default.

    Returns:
        0 done, 1 a gate failed, 2 refused input or usage.

    """
    _open_streams()
    options = parser().parse_args(arguments)
    if options.command is not commands.serve_command:
        # A command is over soon and makes no cycles to speak of; the collector would walk all its documents in vain.
        gc.disable()
    try:
        code: int = options.command(options)
        sys.stdout.flush()
    except ContractError as error:
        _say(str(error))
        return commands.REFUSED
    except BrokenPipeError:
        # Whoever reads has seen enough; there is nobody to tell, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return commands.DONE
    except OSError as error:
        _say(f"{error.filename or 'standard output'}: {error.strerror or error}")
        return commands.REFUSED
    except KeyboardInterrupt:
        return 130
    finally:
        gc.enable()
    return code


def _open_streams() -> None:
    """Write UTF-8 wherever that goes; whoever closed a stream wants nothing of what is written to it."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - it is open for as long as the process is
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - likewise
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _say(words: str) -> None:
    """Say why nothing was done; where nobody can be told, the exit code does."""
    with suppress(OSError):
        # The names of files and what stands in them are text: a terminal is not to obey them.
        print("\n".join(map(printable, f"rankeval: {words}".split("\n"))), file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:  # noqa: PLR0915 - a statement an option
    """Describe every command and option."""
    root = argparse.ArgumentParser(prog="rankeval", description="Exact scores for retrieval on a frozen protocol.")
    subparsers = root.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        made = subparsers.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        made.set_defaults(command=run)
        return made

    scored = command("score", commands.score_command, "score runs on a protocol")
    _add_protocol(scored)
    scored.add_argument("runs", nargs="+", metavar="RUN", help="a run file, - for standard input, or NAME=FILE")
    _add_ordering(scored)
    _add_chunks(scored)
    _add_spreadsheet(scored)
    _add_output(scored)

    compared = command("compare", commands.compare_command, "compare run B with run A, query by query")
    _add_protocol(compared)
    compared.add_argument("run_a", metavar="A", help="the baseline, as for score")
    compared.add_argument("run_b", metavar="B", help="the candidate, as for score")
    _add_ordering(compared)
    _add_chunks(compared)
    compared.add_argument(
        "--fail-on-regression",
        nargs="?",
        const="any",
        choices=("rr", "recall", "any"),
        help="exit 1 when RR, Recall or either (the default) fell on any query",
    )
    compared.add_argument(
        "--max-regressions", type=_whole, metavar="N", help="exit 1 when it fell on more than N queries"
    )
    _add_spreadsheet(compared)
    compared.add_argument(
        "--report",
        metavar="FILE",
        help="write the comparison to one HTML file too, to be mailed or printed: it opens without a network",
    )
    _add_output(compared)

    collapsed = command("collapse", commands.collapse_command, "turn a chunk run into documents, with the evidence")
    _add_protocol(collapsed)
    collapsed.add_argument("run", metavar="CHUNK_RUN", help="a run of chunk IDs, as for score")
    _add_ordering(collapsed)
    _add_chunks(collapsed, required=True)

    budgets = command("budgets", commands.budgets_command, "score chunk runs under several numbers of chunks")
    _add_protocol(budgets)
    budgets.add_argument("runs", nargs="+", metavar="CHUNK_RUN", help="runs of chunk IDs, as for score")
    _add_ordering(budgets)
    budgets.add_argument("--map", required=True, metavar="MAP", help="the chunk map: chunk ID to document ID")
    budgets.add_argument(
        "--budgets", type=_whole_list, default=(1, 2, 5, 10), metavar="N,N", help="numbers of chunks (1,2,5,10)"
    )
    _add_output(budgets)

    frozen = command("freeze", commands.freeze_command, "write a protocol with its fingerprints to one file")
    frozen.add_argument("protocol", nargs="?", metavar="SOURCE", help="a protocol file, or a BEIR folder or zip")
    for part in ("corpus", "queries", "qrels"):
        frozen.add_argument(
            f"--{part}", metavar="FILE", help=f"the {part} in a file of their own; all three, no SOURCE"
        )
    _add_declarations(frozen)
    frozen.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write it")
    _add_output(frozen)

    proposed = command(
        "propose", commands.propose_command, "write another protocol, which has some judgments of one changed"
    )
    _add_protocol(proposed)
    proposed.add_argument(
        "changes",
        metavar="CHANGES",
        help="JSON lines or a table: the query, the document and the label (0 or 1) of each changed judgment, who"
        " proposes it (who or annotator) and the reason (why or reason)",
    )
    proposed.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write it")
    _add_output(proposed)

    verified = command("verify", commands.verify_command, "recompute both fingerprints of frozen protocols")
    verified.add_argument("files", nargs="+", metavar="FILE", help="a frozen protocol file")
    _add_output(verified)

    converted = command("convert", commands.convert_command, "write a run in another format")
    converted.add_argument("run", metavar="RUN", help="a run file, as for score")
    _add_ordering(converted)
    converted.add_argument("--to", required=True, choices=tuple(WRITERS), help="the format to write")
    converted.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write it")

    reproduced = command("reproduce", commands.reproduce_command, "compute the published example")
    reproduced.add_argument("--chunks", action="store_true", help="its chunk half")

    _add_workspace(subparsers)

    served = command("serve", commands.serve_command, "open the dashboard in a browser")
    served.add_argument("files", nargs="*", metavar="PROTOCOL RUN", help="a protocol and runs to open it on")
    served.add_argument(
        "--workspace",
        metavar="FILE|URL",
        help="what is loaded is kept there: a SQLite file (rankeval.db in this folder), or a SQLAlchemy URL",
    )
    served.add_argument("--host", default="127.0.0.1", metavar="H", help="the address to listen on (127.0.0.1)")
    served.add_argument(
        "--allow-anonymous", action="store_true", help="let whoever reaches that address in, where no login is set up"
    )
    served.add_argument("--port", type=_port, metavar="N", help="the port (8501, or the next one that is free)")
    return root


def _add_workspace(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "look after what is kept: protocols, runs and reviews"
    root = subparsers.add_parser("workspace", help=about, description=f"{about[0].upper()}{about[1:]}.")
    verbs = root.add_subparsers(required=True, metavar="VERB", dest="verb")

    def verb(name: str, about: str) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        made.add_argument(
            "--workspace",
            metavar="FILE|URL",
            help="a SQLite file or a SQLAlchemy URL (RANKEVAL_WORKSPACE, else rankeval.db in this folder)",
        )
        made.set_defaults(command=commands.workspace_command)
        return made

    _add_output(verb("info", "say how much it holds, its version and its size"))
    exported = verb("export", "write everything that it holds as JSON lines")
    exported.add_argument("-o", "--output", metavar="FILE", help="where to write it (standard output)")
    imported = verb("import", "read an export into it, all of it or nothing")
    imported.add_argument("file", metavar="FILE", help="a file that export wrote, or - for standard input")
    _add_output(imported)
    _add_output(verb("verify", "recompute every fingerprint and check the database's file"))


def _add_protocol(made: argparse.ArgumentParser) -> None:
    made.add_argument("protocol", metavar="PROTOCOL", help="a protocol file, or a BEIR folder or zip")
    _add_declarations(made)


def _add_declarations(made: argparse.ArgumentParser) -> None:
    declared = made.add_argument_group("what a protocol's source leaves open")
    declared.add_argument("--split", metavar="S", help="the split to score")
    declared.add_argument("--k", type=_integer, metavar="N", help="the document cut-off")
    declared.add_argument("--relevant-from", type=_integer, metavar="N", help="graded labels: N and above is relevant")
    declared.add_argument("--unlisted-nonrelevant", metavar="WHY", help="why pairs that nobody judged are not relevant")
    declared.add_argument(
        "--leave-out-unjudged-queries", metavar="WHY", help="why queries that nobody judged are left out"
    )


def _add_ordering(made: argparse.ArgumentParser) -> None:
    declared = made.add_argument_group("what a run leaves open")
    declared.add_argument("--order", choices=("rank", "score"), help="the column that is the order")
    declared.add_argument("--ties", choices=("file-order",), help="equal scores stand in the order of the file")
    declared.add_argument("--input-format", choices=tuple(RUN_FORMATS), help="the format, where a file fits two")


def _add_chunks(made: argparse.ArgumentParser, *, required: bool = False) -> None:
    made.add_argument("--map", required=required, metavar="MAP", help="runs are of chunks; the map to their documents")
    made.add_argument("--budget", type=_whole, metavar="N", help="take the first N chunks of each query only")


def _add_spreadsheet(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--spreadsheet",
        metavar="FILE",
        help="write every query to a CSV file too, in which no cell can start a formula: an apostrophe before each that"
        " would, and the column apostrophe_added to say so",
    )


def _add_output(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--format", choices=("json", "table"), help="what to print (a table on a terminal, JSON otherwise)"
    )


def _integer(text: str) -> int:
    return -_whole(text[1:]) if text.startswith("-") else _whole(text)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _whole_list(text: str) -> tuple[int, ...]:
    return tuple(map(_whole, text.split(",")))


def _port(text: str) -> int:
    if not 1 <= (port := _whole(text)) <= 65_535:  # noqa: PLR2004 - the range of ports
        raise argparse.ArgumentTypeError(f"{text} is no port")
    return port
