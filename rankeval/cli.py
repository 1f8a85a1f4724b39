"""The command line: each command a thin skin over a function of the package.

Nothing heavy is imported here: a small job is over before pandas would be loaded.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rankeval.core import chunks, comparison, controls, fingerprint
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run
from rankeval.core.scoring import score
from rankeval.formats import (
    RUN_FORMATS,
    Declared,
    Ordering,
    Reading,
    frozen_protocol_json,
    read_chunk_map,
    read_collection,
    read_protocol,
    read_run,
    reports,
    samples,
    verify,
)
from rankeval.formats.catalogue import refusal
from rankeval.formats.runs import LARGE
from rankeval.progress import Progress

DONE, GATE_FAILED, REFUSED = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: the words after `rankeval`; those of the process by default.

    Returns:
        0 done, 1 a gate failed, 2 refused input or usage.

    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    options = parser().parse_args(arguments)
    try:
        code: int = options.command(options)
        sys.stdout.flush()
    except ContractError as error:
        print(f"rankeval: {error}", file=sys.stderr)
        return REFUSED
    except BrokenPipeError:
        # Whoever reads has seen enough; there is nobody to tell, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        print(f"rankeval: {error.filename or 'file'}: {error.strerror or error}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        return 130
    return code


def parser() -> argparse.ArgumentParser:
    """Describe every command and option."""
    root = argparse.ArgumentParser(prog="rankeval", description="Exact scores for retrieval on a frozen protocol.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        made.set_defaults(command=run)
        return made

    scored = command("score", score_command, "score runs on a protocol")
    _add_protocol(scored)
    scored.add_argument("runs", nargs="+", metavar="RUN", help="a run file, - for standard input, or NAME=FILE")
    _add_ordering(scored)
    _add_chunks(scored)
    _add_output(scored)

    compared = command("compare", compare_command, "compare run B with run A, query by query")
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
    _add_output(compared)

    collapsed = command("collapse", collapse_command, "turn a chunk run into documents, with the evidence")
    _add_protocol(collapsed)
    collapsed.add_argument("run", metavar="CHUNK_RUN", help="a run of chunk IDs, as for score")
    _add_ordering(collapsed)
    _add_chunks(collapsed, required=True)

    budgets = command("budgets", budgets_command, "score chunk runs under several numbers of chunks")
    _add_protocol(budgets)
    budgets.add_argument("runs", nargs="+", metavar="CHUNK_RUN", help="runs of chunk IDs, as for score")
    _add_ordering(budgets)
    budgets.add_argument("--map", required=True, metavar="MAP", help="the chunk map: chunk ID to document ID")
    budgets.add_argument(
        "--budgets", type=_whole_list, default=(1, 2, 5, 10), metavar="N,N", help="numbers of chunks (1,2,5,10)"
    )
    _add_output(budgets)

    frozen = command("freeze", freeze_command, "write a protocol with its fingerprints to one file")
    frozen.add_argument("protocol", nargs="?", metavar="SOURCE", help="a protocol file, or a BEIR folder or zip")
    for part in ("corpus", "queries", "qrels"):
        frozen.add_argument(
            f"--{part}", metavar="FILE", help=f"the {part} in a file of their own; all three, no SOURCE"
        )
    _add_declarations(frozen)
    frozen.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write it")
    _add_output(frozen)

    verified = command("verify", verify_command, "recompute both fingerprints of frozen protocols")
    verified.add_argument("files", nargs="+", metavar="FILE", help="a frozen protocol file")
    _add_output(verified)

    reproduced = command("reproduce", reproduce_command, "compute the published example")
    reproduced.add_argument("--chunks", action="store_true", help="its chunk half")

    served = command("serve", serve_command, "open the dashboard in a browser")
    served.add_argument("files", nargs="*", metavar="PROTOCOL RUN", help="a protocol and runs to open it on")
    served.add_argument("--host", default="127.0.0.1", metavar="H", help="the address to listen on (127.0.0.1)")
    served.add_argument("--port", type=_port, metavar="N", help="the port (8501, or the next one that is free)")
    return root


def score_command(options: argparse.Namespace) -> int:
    """Score runs."""
    protocol, runs = _protocol_and_runs(options, options.runs)
    scored = [score(protocol, run) for run in runs]
    _print(
        options,
        lambda: reports.score_document(protocol, runs, scored),
        lambda: reports.score_table(protocol, runs, scored),
    )
    return DONE


def compare_command(options: argparse.Namespace) -> int:
    """Compare two runs, and let a gate fail."""
    protocol, (run_a, run_b) = _protocol_and_runs(options, [options.run_a, options.run_b])
    compared = comparison.compare(score(protocol, run_a), score(protocol, run_b))
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
    _write(Path(options.output), frozen_protocol_json(protocol))
    _print_facts(options, reports.freeze_document(protocol))
    return DONE


def verify_command(options: argparse.Namespace) -> int:
    """Recompute fingerprints; all files are read before anything is printed."""
    verified: dict[str, Any] = {}
    for file in options.files:
        with Progress(file) as progress:
            verified[file] = reports.freeze_document(verify(file, progress))
    for file, facts in verified.items():
        _print_facts(options, {"file": file, **facts})
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

    return serve(options.files, options.host, options.port)


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


def _print_facts(options: argparse.Namespace, facts: dict[str, Any]) -> None:
    _print(options, lambda: facts, lambda: reports.facts_table(facts))


def _wants_table(options: argparse.Namespace) -> bool:
    return bool(options.format == "table" or (options.format is None and sys.stdout.isatty()))


def _write(file: Path, pieces: Iterable[str]) -> None:
    """Write a file as a whole or not at all."""
    import tempfile  # noqa: PLC0415 - only freezing needs it

    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", newline="\n", dir=file.parent, prefix=f".{file.name}.", delete=False
    ) as temporary:
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


def _add_protocol(made: argparse.ArgumentParser) -> None:
    made.add_argument("protocol", metavar="PROTOCOL", help="a protocol file, or a BEIR folder or zip")
    _add_declarations(made)


def _add_declarations(made: argparse.ArgumentParser) -> None:
    declared = made.add_argument_group("what a protocol's source leaves open")
    declared.add_argument("--split", metavar="S", help="the split to score")
    declared.add_argument("--k", type=int, metavar="N", help="the document cut-off")
    declared.add_argument("--relevant-from", type=int, metavar="N", help="graded labels: N and above is relevant")
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


def _add_output(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--format", choices=("json", "table"), help="what to print (a table on a terminal, JSON otherwise)"
    )


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
