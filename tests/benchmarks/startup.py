"""How much processor time `rankeval score` takes on the published example, beside a bare Python.

python tests/benchmarks/startup.py
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

TUTORIAL = Path(__file__).parents[2] / "sample_data" / "tutorial"
TIMES = 15


def processor_seconds(arguments: list[str]) -> float:
    """Give the median of user and system time of a command, in seconds."""
    taken = []
    for _ in range(TIMES):
        before = os.times()
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        taken.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return statistics.median(taken)


def main() -> None:
    """Print both figures and their ratio."""
    bare = processor_seconds([sys.executable, "-c", "pass"])
    files = [str(TUTORIAL / "protocol.json"), str(TUTORIAL / "runs" / "fixture_A.json")]
    score = processor_seconds([sys.executable, "-m", "rankeval", "score", *files])
    print(f"python -c pass   {bare:.3f} s of processor time")
    print(f"rankeval score   {score:.3f} s, {score / bare:.1f} times as much (to be below 0.15 s)")


if __name__ == "__main__":
    main()
