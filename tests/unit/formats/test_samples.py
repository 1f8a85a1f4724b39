from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rankeval
from rankeval.core.chunks import adapt_runs
from rankeval.formats.samples import SampleSet, sample_set, sample_sets, samples_folder


@pytest.fixture
def help_centre() -> SampleSet:
    return sample_set("help_centre")


class TestSets:
    def test_the_published_example_comes_first(self) -> None:
        assert [each.name for each in sample_sets()] == ["tutorial", "help_centre"]

    @pytest.mark.parametrize("sample", sample_sets(), ids=lambda sample: sample.name)
    def test_every_run_fits_its_protocol(self, sample: SampleSet) -> None:
        assert {sample.baseline, sample.candidate} <= {run.name for run in sample.runs}
        for run in sample.runs:
            sample.protocol.score(run)
        for run in sample.chunk_runs:
            adapt_runs(sample.protocol.corpus, sample.protocol.queries, sample.chunk_map, run, sample.protocol.split)

    def test_every_text_of_the_published_example_has_a_gloss(self) -> None:
        sample = sample_set("tutorial")

        assert sample.gloss is not None
        assert list(sample.gloss["corpus"]) == list(sample.protocol.corpus)
        assert list(sample.gloss["queries"]) == list(sample.protocol.queries)


class TestHelpCentre:
    def test_its_size(self, help_centre: SampleSet) -> None:
        splits = {metadata["split"] for metadata in help_centre.protocol.queries.values()}

        assert len(help_centre.protocol.corpus) == 62
        assert (len(help_centre.protocol.queries), splits) == (40, {"dev", "test"})
        assert help_centre.protocol.groups_across_splits() == {}

    def test_between_its_two_runs_there_is_one_of_each(self, help_centre: SampleSet) -> None:
        runs = {run.name: run for run in help_centre.runs}
        reports = [help_centre.protocol.score(runs[name]) for name in (help_centre.baseline, help_centre.candidate)]
        comparison = rankeval.compare(*reports)

        for status in ("better", "worse", "same", "entered", "left", "neither", "null"):
            assert comparison.counts[status], status
        assert comparison.recall_delta is not None
        assert comparison.recall_delta > 0

    def test_one_run_has_missing_and_empty_queries(self, help_centre: SampleSet) -> None:
        run = next(run for run in help_centre.runs if run.name == "strict_interrupted")
        report = help_centre.protocol.score(run)

        assert report.missing_queries
        assert any(not row.missing and not row.returned for row in report.rows)

    def test_some_document_fills_several_chunk_slots(self, help_centre: SampleSet) -> None:
        protocol = help_centre.protocol
        run = help_centre.chunk_runs[0]
        adapted = adapt_runs(protocol.corpus, protocol.queries, help_centre.chunk_map, run, protocol.split)
        ranks = [row["chunk_ranks"] for evidence in adapted.evidence.values() for row in evidence["documents"]]

        assert any(len([rank for rank in each if rank <= protocol.k]) > 1 for each in ranks)

    def test_its_runs_are_made_again_byte_for_byte(self, tmp_path: Path) -> None:
        folder = samples_folder() / "help_centre"
        copy = tmp_path / "help_centre"
        shutil.copytree(
            folder, copy, ignore=shutil.ignore_patterns("runs", "chunk_runs", "chunk_to_doc.json", "__pycache__")
        )
        subprocess.run([sys.executable, str(copy / "make_runs.py")], check=True)
        made = {path.relative_to(copy) for path in copy.rglob("*") if path.is_file()}

        assert {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()} == made
        assert [name for name in made if (copy / name).read_bytes() != (folder / name).read_bytes()] == []
