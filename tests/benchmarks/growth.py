"""Whether the cost of a run grows with its lines: one corpus, four sizes of run, each twice the one before.

python tests/benchmarks/growth.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import collections_on_disk as on_disk
from large_runs import measured, prepared

DEPTHS = (500, 1_000, 2_000, 4_000)
QUERIES, DOCUMENTS = 2_000, 50_000
TIMES = 3


def main() -> None:
    """Print seconds, and microseconds a line beyond the smallest size, whose cost is mostly that of starting."""
    folder = Path(sys.argv[1])
    base: tuple[int, float] | None = None
    for depth in DEPTHS:
        size = on_disk.Size(QUERIES, depth, DOCUMENTS)
        place = prepared(folder, size)
        command = [sys.executable, "-m", "rankeval", "score", str(place / "protocol.json"), str(place / "run.trec")]
        seconds = min(measured(command)[0] for _ in range(TIMES))
        lines = QUERIES * depth
        beyond = (
            "" if base is None else f"  {1e6 * (seconds - base[1]) / (lines - base[0]):.2f} µs for each further line"
        )
        base = base or (lines, seconds)
        print(f"{lines:>9} lines  {seconds:5.2f} s{beyond}")


if __name__ == "__main__":
    main()
