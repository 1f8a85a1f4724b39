"""Time and memory of `rankeval score` on three sizes and three formats, beside pytrec_eval if a Python has it.

    python tests/benchmarks/large_runs.py FOLDER [PYTHON_WITH_PYTREC_EVAL]

A figure is the whole process, from its start to its report, loading the frozen protocol included.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import collections_on_disk as on_disk

FORMATS = {
    "run.trec": on_disk.write_trec_run,
    "run.json": on_disk.write_json_run,
    "run.parquet": on_disk.write_parquet_run,
}

PEER = """
import sys, pytrec_eval
qrels, run = pytrec_eval.parse_qrel(open(sys.argv[1])), pytrec_eval.parse_run(open(sys.argv[2]))
scored = pytrec_eval.RelevanceEvaluator(qrels, {"recall.10", "recip_rank"}).evaluate(run)
for query, own in scored.items():
    print(query, own)
for measure in ("recall_10", "recip_rank"):
    print(measure, sum(own[measure] for own in scored.values()) / len(scored))
"""


def measured(arguments: list[str]) -> tuple[float, float]:
    """Give seconds and MiB of a command, run in a child of its own so that its memory is its own."""
    script = (
        "import resource, subprocess, sys, time;"
        " start = time.perf_counter();"
        " subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        " print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True, text=True)
    seconds, mebibytes = map(float, done.stdout.split())
    return seconds, mebibytes


def prepared(folder: Path, size: on_disk.Size) -> Path:
    """Write a collection, its runs and its frozen protocol, unless they are there."""
    place = folder / str(size).replace(" ", "_")
    if not (place / "protocol.json").exists():
        on_disk.write_source(place, size)
        for name, write in FORMATS.items():
            write(place / name, size)
        parts = [f"--{part}={place / file}" for part, file in SOURCES.items()]
        command = [sys.executable, "-m", "rankeval", "freeze", *parts, "--k", "10"]
        start = time.perf_counter()
        subprocess.run(
            [*command, "--unlisted-nonrelevant", "a benchmark", "-o", str(place / "protocol.json")],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        print(f"{size}: frozen in {time.perf_counter() - start:.1f} s")
    return place


SOURCES = {"corpus": "corpus.jsonl", "queries": "queries.jsonl", "qrels": "qrels.txt"}


def main() -> None:
    """Print a line a size and format."""
    folder = Path(sys.argv[1])
    peer = sys.argv[2] if len(sys.argv) > 2 else None
    for size in (on_disk.SMALL, on_disk.MIDDLE, on_disk.LARGE):
        place = prepared(folder, size)
        beside = None
        if peer:
            beside = measured([peer, "-c", PEER, str(place / "qrels.txt"), str(place / "run.trec")])
            print(f"{size}: pytrec_eval, TREC  {beside[0]:6.2f} s  {beside[1]:6.0f} MiB")
        for name in FORMATS:
            command = [sys.executable, "-m", "rankeval", "score", str(place / "protocol.json"), str(place / name)]
            seconds, memory = measured(command)
            ratio = f"  {seconds / beside[0]:.2f} of its time, {memory / beside[1]:.2f} of its memory" if beside else ""
            print(f"{size}: {name:<18} {seconds:6.2f} s  {memory:6.0f} MiB{ratio}")


if __name__ == "__main__":
    main()
