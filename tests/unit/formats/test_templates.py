from __future__ import annotations

import io
import zipfile

import pytest

import rankeval
from rankeval.core.chunks import collapse_run
from rankeval.core.contract import Rule
from rankeval.core.run import Run
from rankeval.formats import Source
from rankeval.formats.runs import RUN_FORMATS, run_format
from rankeval.formats.samples import SETS, sample_set
from rankeval.formats.templates import (
    FileTemplate,
    K,
    chunk_map_templates,
    protocol_templates,
    refused_run,
    run_templates,
)

PROTOCOLS = {each.name: each for each in protocol_templates()}
RUNS = {each.name: each for each in run_templates()}
MAPS = {each.name: each for each in chunk_map_templates()}
DOCUMENT_RUNS = [name for name in RUNS if name != "chunk-run.json"]


def source(template: FileTemplate) -> Source:
    return Source.upload(template.name, template.content)


@pytest.fixture
def whole() -> rankeval.Protocol:
    return rankeval.read_protocol(source(PROTOCOLS["protocol.json"]))


class TestProtocols:
    def test_the_zip_is_the_protocol_in_one_file(self, whole: rankeval.Protocol) -> None:
        assert rankeval.read_protocol(source(PROTOCOLS["beir.zip"]), k=K).protocol_sha256 == whole.protocol_sha256

    @pytest.mark.parametrize(
        "names", [("corpus.jsonl", "queries.jsonl", "qrels.trec"), ("corpus.csv", "queries.csv", "qrels.csv")]
    )
    def test_three_files_are_too(self, whole: rankeval.Protocol, names: tuple[str, str, str]) -> None:
        corpus, queries, qrels = (source(PROTOCOLS[name]) for name in names)

        assert rankeval.read_collection(corpus, queries, qrels, k=K).protocol_sha256 == whole.protocol_sha256

    def test_nothing_is_left_aside(self, whole: rankeval.Protocol) -> None:
        assert whole.provenance.notes == ()
        assert rankeval.read_protocol(source(PROTOCOLS["beir.zip"]), k=K).provenance.notes == ()

    def test_one_query_is_null_so_that_a_newcomer_sees_one(self, whole: rankeval.Protocol) -> None:
        assert (whole.k, whole.split, whole.score({}).no_relevant_queries) == (K, "test", ("q3",))


class TestRuns:
    @pytest.mark.parametrize("name", DOCUMENT_RUNS)
    def test_each_is_accepted(self, whole: rankeval.Protocol, name: str) -> None:
        run = rankeval.read_run(source(RUNS[name]))

        assert whole.score(run).eligible_queries == 2
        assert run.name == name.partition(".")[0]

    def test_the_two_systems_differ_by_hand(self, whole: rankeval.Protocol) -> None:
        """q1: rank 1 to 2.  q2: rank 2 to 1.  q3: nothing is relevant."""
        a, b = (whole.score(rankeval.read_run(source(RUNS[name]))) for name in ("first.json", "second.json"))

        assert [str(row.status) for row in rankeval.compare(a, b).rows] == ["worse", "better", "null"]

    def test_the_same_system_is_the_same_run(self) -> None:
        first, again, table, rows = (
            rankeval.read_run(source(RUNS[name])).run_sha256
            for name in ("first.json", "first.jsonl", "second.csv", "second.trec")
        )

        assert first == again
        assert table == rows

    def test_missing_is_told_from_empty(self, whole: rankeval.Protocol) -> None:
        missing = {name: whole.score(rankeval.read_run(source(RUNS[name]))).missing_queries for name in DOCUMENT_RUNS}

        assert missing == {
            "first.json": (),
            "first.jsonl": (),
            "second.json": (),
            "second.trec": ("q3",),
            "second.csv": ("q3",),
        }

    def test_lists_lines_trec_and_a_table_are_there(self) -> None:
        assert {run_format(source(each)) for each in RUNS.values()} == {"json", "jsonl", "trec", "csv"}
        assert {"json", "jsonl", "trec", "csv"} < RUN_FORMATS.keys()


class TestChunkMaps:
    @pytest.mark.parametrize("name", MAPS)
    def test_the_chunk_run_is_collapsed_by_each(self, whole: rankeval.Protocol, name: str) -> None:
        chunk_run = rankeval.read_run(source(RUNS["chunk-run.json"]))
        run, _ = collapse_run(whole, chunk_run, rankeval.read_chunk_map(source(MAPS[name])))

        assert run.rankings == {"q1": ["d1", "d3"], "q2": ["d3", "d2"], "q3": ["d3"]}


class TestRefused:
    @pytest.mark.parametrize("name", [*SETS, "templates"])
    def test_it_is_refused_by_two_rules_and_no_other(self, whole: rankeval.Protocol, name: str) -> None:
        protocol = whole if name == "templates" else sample_set(name).protocol
        run = rankeval.read_run(source(refused_run(protocol)))
        with pytest.raises(rankeval.RunError) as caught:
            protocol.score(run)

        assert [fault.rule for fault in caught.value.faults] == [Rule.DUPLICATE_DOCUMENT, Rule.UNKNOWN_DOCUMENT]
        assert caught.value.total == 2

    def test_its_unknown_document_is_unknown_whatever_the_corpus_holds(self) -> None:
        queries = {"q": {"text": "", "split": "s"}}
        protocol = rankeval.Protocol.from_relevant({"no-such-document": ""}, queries, {"q": []}, "s", 1)
        run: Run = rankeval.read_run(source(refused_run(protocol)))

        assert run.rankings == {"q": ["no-such-document", "no-such-document", "no-such-document-either"]}


class TestAll:
    def test_each_has_a_name_of_its_own_a_place_and_a_sentence(self) -> None:
        every = [*protocol_templates(), *run_templates(), *chunk_map_templates()]

        assert len({each.name for each in every}) == len(every)
        assert {each.place for each in every} == {"protocol", "run", "chunk map"}
        assert all(each.says.endswith(".") for each in every)

    def test_no_clock_is_read(self) -> None:
        with zipfile.ZipFile(io.BytesIO(PROTOCOLS["beir.zip"].content)) as packed:
            assert {member.date_time for member in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}

    def test_they_fit_on_a_screen(self) -> None:
        assert max(len(each.content.splitlines()) for each in [*PROTOCOLS.values(), *RUNS.values()]) <= 60
