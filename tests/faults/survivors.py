"""Hold the mutation tool's survivors to the list of those that no test can notice.

    mutmut run && python tests/faults/survivors.py

Fails on a survivor that is not listed, and on a listed mutant that is none any more.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

LIST = Path(__file__).with_name("equivalent_mutants.toml")


def mutmut(*arguments: str) -> str:
    """Give what the mutation tool prints."""
    return subprocess.run(["mutmut", *arguments], check=True, capture_output=True, text=True).stdout


def survivors() -> set[tuple[str, str]]:
    """Give the function and the changed line of every mutant that no test noticed."""
    found = set()
    for name in re.findall(r"^\s*(\S+): survived", mutmut("results"), re.MULTILINE):
        function = name.removeprefix("rankeval.core.").rsplit("__mutmut_", 1)[0]
        function = re.sub(r"\.xǁ(\w+)ǁ", r".\1.", function).replace(".x_", ".")
        diff = mutmut("show", name).splitlines()
        changed = [line[1:].strip() for line in diff if line.startswith("+") and not line.startswith("+++")]
        found.add((function, " ".join(changed)))
    return found


def main() -> int:
    """Print what is unlisted or no longer there, and say whether there is any."""
    listed = {
        (mutant["function"], line)
        for mutant in tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
        for line in mutant["lines"]
    }
    found = survivors()
    for function, line in sorted(found - listed):
        print(f"survived, and is not listed: {function}: {line}")
    for function, line in sorted(listed - found):
        print(f"listed, and did not survive: {function}: {line}")
    print(f"{len(found)} survivors, {len(listed)} listed")
    return int(found != listed)


if __name__ == "__main__":
    sys.exit(main())
