from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


class TestCommandLine:
    def test_the_page_says_what_the_parser_says(self) -> None:
        script = "import documented, sys; sys.stdout.write(documented.command_line())"
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT / "tests", capture_output=True, check=True, env={**os.environ}
        )

        assert done.stdout.decode() == (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")


class TestReadme:
    def test_ci_runs_the_test_command_of_the_readme(self) -> None:
        assert "\nbash tests/run.sh\n" in (ROOT / "README.md").read_text(encoding="utf-8")
        assert "\nbash tests/run.sh " in (ROOT / ".ci" / "run").read_text(encoding="utf-8")

    def test_its_links_lead_somewhere(self) -> None:
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        links = [part.split(")")[0] for part in text.split("](")[1:]]

        assert links
        assert [link for link in links if not (ROOT / link).exists()] == []
