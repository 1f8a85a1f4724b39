from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd

import rankeval

SCRIPT = """
import sys, rankeval
rankeval.Run.from_scores({"q": {"d": 1}})
sys.exit(bool({"pandas", "numpy", "pyarrow"} & {*sys.modules}))
"""


class TestRunsOfLiveObjects:
    def test_they_stand_on_run(self) -> None:
        frame = pd.DataFrame({"query": ["q", "q"], "doc": ["d1", "d2"], "rank": [2, 1]})

        assert rankeval.Run.from_scores({"q": {"d": 1}}).rankings == {"q": ["d"]}
        assert rankeval.Run.from_frame(frame).rankings == {"q": ["d2", "d1"]}
        assert rankeval.Run.from_ranx(SimpleNamespace(run={"q": {"d": 1.0}}, name="x")).name == "x"

    def test_a_declaration_is_at_hand(self) -> None:
        tied = rankeval.Run.from_scores({"q": {"b": 1, "a": 1}}, ordering=rankeval.Ordering(ties="file-order"))

        assert tied.rankings == {"q": ["b", "a"]}

    def test_a_run_has_them_too(self) -> None:
        assert rankeval.Run({}).from_scores({"q": {"d": 1}}).rankings == {"q": ["d"]}

    def test_nothing_heavy_is_loaded_for_them(self) -> None:
        assert subprocess.run([sys.executable, "-c", SCRIPT], check=False).returncode == 0


class TestDeclared:
    def test_what_a_source_leaves_open_is_declared_in_python_too(self, tmp_path: Path) -> None:
        source = tmp_path / "protocol.json"
        source.write_text(
            '{"corpus": {"d1": "", "d2": ""}, "queries": {"q": {"split": "test"}}, "qrels": {"q": {"d1": 3}}, "k": 1}'
        )
        declared = rankeval.Declared(unlisted_nonrelevant="pooled", relevant_from=2)
        protocol = rankeval.read_protocol(source, declared=declared)

        assert protocol.relevant == {"q": {"d1"}}
        assert [each.option for each in protocol.provenance.declarations] == ["unlisted-nonrelevant", "relevant-from"]
