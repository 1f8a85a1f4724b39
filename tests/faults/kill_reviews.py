"""Kill a process with SIGKILL while it writes verdicts, again and again; nothing that it acknowledged may be lost.

.venv/bin/python tests/faults/kill_reviews.py --kills 100

A child writes verdicts of random annotators and says of each that it is saved only when the workspace has said so.  It
is killed at a random moment.  Then every verdict that it acknowledged must be there as it was written, SQLite's and our
own checks of the file must find nothing, and the next child goes on in the same file.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import rankeval
from rankeval.core.review import Mark, Verdict
from rankeval.workspace import ReviewedRun, Reviews, Workspace
from rankeval.workspace.checks import verify

TUTORIAL = Path(__file__).parents[2] / "sample_data" / "tutorial"
ANNOTATORS = 20
LONGEST_S = 0.5
"""How long at most a child writes before it is killed."""

_PATIENCE_S = 60


def make_workspace(file: Path) -> str:
    """Make a workspace with a review round that every annotator takes part in, and give the round's address."""
    protocol = rankeval.read_protocol(TUTORIAL / "protocol.json")
    workspace = Workspace(file)
    workspace.add_protocol("tutorial", protocol)
    reviews = Reviews(workspace.database)
    made = reviews.create_round(
        name="killed",
        compact_sha256=protocol.compact_sha256,
        baseline=ReviewedRun("a" * 64, "a"),
        candidate=ReviewedRun("b" * 64, "b"),
        statuses=["worse"],
        queries=["q2", "q3", "q4"],
        guidelines="",
        annotators_per_query=ANNOTATORS,
    )
    for number in range(ANNOTATORS):
        reviews.join(made.token, f"annotator {number}")
    return made.token


def write_for_ever(file: Path, token: str, life: int) -> None:
    """Save verdicts, and print each when it is saved."""
    chance = random.Random(life)
    reviews = Reviews(Workspace(file).database)
    annotators = reviews.annotators(token)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for number in count():
        who = chance.choice(annotators)
        saved = reviews.save_verdict(
            token,
            who.id,
            chance.choice(["q2", "q3", "q4"]),
            chance.choice(list(Verdict)),
            note=f"{life}-{number} " + "x" * chance.randrange(5_000),
            marks={"d1": chance.choice(list(Mark))},
            client_token=f"{life}-{number}",
        ).answer
        sys.stdout.write(json.dumps([saved.annotator, saved.query, saved.revision, saved.verdict, saved.note]) + "\n")
        sys.stdout.flush()


def kill_once(file: Path, token: str, life: int, longest_s: float) -> list[list[object]]:
    """Start a writer, kill it at a random moment, and give all that it acknowledged."""
    arguments = [sys.executable, __file__, "--write", str(file), token, str(life)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(random.Random(-life).uniform(0, longest_s))
        child.send_signal(signal.SIGKILL)
        said = child.stdout.read()
        child.wait(_PATIENCE_S)
    # A line that the kill cut off was not acknowledged.
    return [json.loads(line) for line in said.splitlines(keepends=True) if line.endswith("\n")]


def lost(file: Path, token: str, acknowledged: list[list[object]]) -> Iterator[list[object]]:
    """Open the workspace again, check it, and give what was acknowledged and is not there."""
    workspace = Workspace(file)
    verify(workspace.database)
    answers = [each.answer for each in Reviews(workspace.database).history(token)]
    there = {(each.annotator, each.query, each.revision, each.verdict, each.note) for each in answers}
    assert len(there) == len(answers)
    yield from (each for each in acknowledged if tuple(each) not in there)


def kill(kills: int, folder: Path, longest_s: float = LONGEST_S) -> tuple[int, int]:
    """Kill that many writers, and count the verdicts that were acknowledged and those of them that are lost."""
    file = folder / "rankeval.db"
    token = make_workspace(file)
    acknowledged: list[list[object]] = []
    missing = 0
    for life in range(1, kills + 1):
        acknowledged += kill_once(file, token, life, longest_s)
        missing += len(list(lost(file, token, acknowledged)))
    return len(acknowledged), missing


def main() -> int:
    """Run the command, or be the child that is killed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100, metavar="N", help="how often (100)")
    parser.add_argument("--write", nargs=3, metavar=("FILE", "TOKEN", "LIFE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write is not None:
        file, token, life = options.write
        write_for_ever(Path(file), token, int(life))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        acknowledged, missing = kill(options.kills, Path(folder))
    seconds = time.monotonic() - began
    print(f"{options.kills} kills, {acknowledged} verdicts acknowledged, {missing} lost, {seconds:.0f} s")
    return int(missing > 0)


if __name__ == "__main__":
    raise SystemExit(main())
