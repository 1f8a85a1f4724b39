from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet

import rankeval
from rankeval.core.provenance import Declaration
from rankeval.core.run import FromChunks
from rankeval.formats import Source, read_run, run_bytes, runs
from rankeval.formats.writers import WRITERS, run_pieces

anything = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
# What has a meaning to one reader or another, put together at random: far more often wrong than text drawn blindly.
pieces = st.lists(
    st.sampled_from(["query", "doc", "rank", "score", ",", '"', "{", "[", "}", "PAR1", "\ufeff", "#", "'", "\r", "a"]),
    min_size=1,
    max_size=9,
).map("".join)
tricky = anything | pieces
BLANKS = set(" \t\r\n")
no_blanks = tricky.filter(BLANKS.isdisjoint)


def rankings(ids: st.SearchStrategy[str], least: int) -> st.SearchStrategy[dict[str, list[str]]]:
    return st.dictionaries(ids, st.lists(ids, min_size=least, max_size=4, unique=True), max_size=4)


def again(run: rankeval.Run, to: str) -> rankeval.Run:
    return read_run(Source.upload(f"run.{to}", run_bytes(run, to)))


def refusal_of(made: Any, to: str, **known: Any) -> rankeval.FormatError:
    with pytest.raises(rankeval.FormatError) as refusal:
        run_bytes(rankeval.Run(made, **known), to)

    assert refusal.value.rule == "the target format cannot hold this run"
    return refusal.value


def details(refusal: rankeval.FormatError) -> list[tuple[str | None, str | None, str]]:
    return [(fault.query, fault.document, fault.detail) for fault in refusal.faults]


@pytest.fixture(scope="module", params=["small files", "large files"])
def _readers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Read what is written once line by line, and once as large files are read."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "large files":
            patch.setattr(runs, "LARGE", 0)
        yield


@pytest.mark.usefixtures("_readers")
class TestRoundTrip:
    @given(made=rankings(tricky | st.just(""), 0), name=tricky)
    def test_json_holds_every_run(self, made: dict[str, list[str]], name: str) -> None:
        run = rankeval.Run(made, name)
        back = again(run, "json")

        assert (back.run_sha256, back.name) == (run.run_sha256, name)

    @pytest.mark.parametrize("to", ["csv", "parquet"])
    @given(made=rankings(tricky, 1))
    def test_tables_hold_every_run_without_an_empty_list(self, to: str, made: dict[str, list[str]]) -> None:
        assert again(rankeval.Run(made), to).run_sha256 == rankeval.Run(made).run_sha256

    @given(made=rankings(no_blanks, 1).filter(bool), name=tricky)
    @example(made={"q": ["d"]}, name="a,query,doc,rank")
    @example(made={"q": ["d"]}, name="a b\r")
    def test_trec_holds_every_run_of_ids_without_a_blank(self, made: dict[str, list[str]], name: str) -> None:
        """Behind a first line that is plain; which first lines are not is tested below."""
        made = {"plain": ["d"], **made}

        assert dict(again(rankeval.Run(made, name), "trec").rankings) == made

    @given(made=rankings(no_blanks, 1).filter(bool))
    def test_a_trec_file_is_read_as_it_was_meant_or_is_not_written(self, made: dict[str, list[str]]) -> None:
        run = rankeval.Run(made)
        try:
            data = run_bytes(run, "trec")
        except rankeval.FormatError:
            data = None

        assert data is None or dict(read_run(Source.upload("run", data)).rankings) == made

    @pytest.mark.parametrize("to", ["json", "csv", "parquet"])
    def test_a_run_that_answers_nothing(self, to: str) -> None:
        assert again(rankeval.Run({}), to).rankings == {}

    @pytest.mark.parametrize("to", list(WRITERS))
    def test_a_long_ranking_keeps_its_order(self, to: str) -> None:
        made = {"q": [f"d{i}" for i in range(1_000)]}

        assert dict(again(rankeval.Run(made), to).rankings) == made

    @pytest.mark.parametrize("to", list(WRITERS))
    def test_a_document_twice_is_still_the_same_run(self, to: str) -> None:
        """The scorer refuses it; a conversion neither mends nor hides it."""
        assert dict(again(rankeval.Run({"q": ["d", "d"]}), to).rankings) == {"q": ["d", "d"]}

    @pytest.mark.parametrize("to", list(WRITERS))
    def test_what_is_written_in_one_format_can_be_written_in_each_other(self, to: str) -> None:
        run = rankeval.Run({"001": ["1e5", "NA"], "null": ["#7", "é", "e\u0301"]})
        for other in WRITERS:
            assert again(again(run, to), other).run_sha256 == run.run_sha256


class TestBytes:
    """What people see who open the file."""

    RUN = rankeval.Run({"q1": ["d2", "d1"], "q2": ["d,3"]}, "my run, the 2nd")

    def test_trec_has_scores_that_fall_and_the_name_as_tag(self) -> None:
        assert run_bytes(self.RUN, "trec").decode() == (
            "q1 Q0 d2 1 2 my_run__the_2nd\nq1 Q0 d1 2 1 my_run__the_2nd\nq2 Q0 d,3 1 1 my_run__the_2nd\n"
        )

    def test_a_run_without_a_name_has_a_tag_all_the_same(self) -> None:
        assert run_bytes(rankeval.Run({"q": ["d"]}, ""), "trec") == b"q Q0 d 1 1 run\n"

    def test_csv_is_quoted_as_rfc_4180_says(self) -> None:
        run = rankeval.Run({'q"1': ["a,b", "c\r\nd", "e\rf"]})

        assert run_bytes(run, "csv").decode() == (
            'query_id,doc_id,rank\r\n"q""1","a,b",1\r\n"q""1","c\r\nd",2\r\n"q""1","e\rf",3\r\n'
        )

    def test_parquet_has_ids_as_strings(self) -> None:
        schema = parquet.read_schema(pa.BufferReader(run_bytes(self.RUN, "parquet")))

        assert [(field.name, str(field.type)) for field in schema] == [
            ("query_id", "string"),
            ("doc_id", "string"),
            ("rank", "int32"),
        ]

    def test_json_has_a_query_a_line(self) -> None:
        assert run_bytes(self.RUN, "json").decode().splitlines()[5:] == [
            '"rankings": {',
            '"q1": ["d2", "d1"],',
            '"q2": ["d,3"]',
            "}}",
        ]

    @pytest.mark.parametrize("to", list(WRITERS))
    def test_pieces_are_the_same_bytes(self, to: str) -> None:
        assert b"".join(run_pieces(self.RUN, to)) == run_bytes(self.RUN, to)


class TestWhatIsKnownOfTheRun:
    def test_json_keeps_it(self) -> None:
        run = rankeval.Run(
            {"q": ["d"]}, "mine", system={"model": "m"}, declarations=(Declaration("order", "score", "x"),)
        )
        back = again(run, "json")

        assert (back.name, back.system, back.declarations) == ("mine", run.system, run.declarations)

    def test_json_says_from_which_chunks_it_was_collapsed(self) -> None:
        run = rankeval.Run({"q": ["d"]}, from_chunks=FromChunks("aa", "bb", 5))

        assert json.loads(run_bytes(run, "json"))["from_chunks"] == {
            "chunk_run_sha256": "aa",
            "adapter_sha256": "bb",
            "budget": 5,
        }

    @pytest.mark.parametrize("origin", [FromChunks("aa", "bb", 5), FromChunks(None, "bb", None)])
    def test_and_it_is_read_back(self, origin: FromChunks) -> None:
        assert again(rankeval.Run({"q": ["d"]}, from_chunks=origin), "json").from_chunks == origin

    @pytest.mark.parametrize("origin", ["5", '{"adapter_sha256": "bb"}', "[]", '{"adapter_sha256": 5, "budget": 5}'])
    def test_an_origin_that_is_none_is_refused(self, origin: str) -> None:
        content = f'{{"format": "rankeval-run/1", "rankings": {{}}, "from_chunks": {origin}}}'

        with pytest.raises(rankeval.FormatError, match="from_chunks must be"):
            read_run(Source.upload("run.json", content.encode()))

    @pytest.mark.parametrize(
        "known",
        [{"system": {"model": object()}}, {"system": {"configuration": {"t": float("nan")}}}, {"name": "\ud800"}],
        ids=["no JSON", "NaN", "half a character"],
    )
    def test_what_is_no_json_is_refused(self, known: dict[str, Any]) -> None:
        refusal = refusal_of({"q": ["d"]}, "json", **known)

        assert refusal.faults[0].detail.startswith("its name, system or declarations are not JSON: ")


class TestCannotHold:
    @pytest.mark.parametrize("to", ["trec", "csv", "parquet"])
    def test_an_empty_list_in_a_format_of_rows(self, to: str) -> None:
        refusal = refusal_of({"q1": ["d"], "q2": [], "q3": []}, to)

        assert [fault.query for fault in refusal.faults] == ["q2", "q3"]
        assert refusal.faults[0].detail == "its list is empty, which a format of rows has no row for"

    @pytest.mark.parametrize("to", ["trec", "csv", "parquet"])
    def test_an_empty_id_in_a_format_of_rows(self, to: str) -> None:
        assert details(refusal_of({"": ["d"], "q": ["d", ""]}, to)) == [
            ("", None, "the query is empty"),
            ("q", "", "the document is empty"),
        ]

    @pytest.mark.parametrize("blank", BLANKS)
    def test_a_blank_in_a_trec_id(self, blank: str) -> None:
        query, document = f"q{blank}1", f"d{blank}"
        refusal = refusal_of({"q": ["d", document], query: ["d"]}, "trec")

        assert [(fault.query, fault.document, fault.position) for fault in refusal.faults] == [
            ("q", document, 2),
            (query, None, None),
        ]

    @pytest.mark.parametrize("query", ["\ufeffq", "query,doc,rank,", "[NaN,", "PAR1\x15\x04\x15"])
    def test_a_trec_file_whose_first_line_would_be_taken_for_something_else(self, query: str) -> None:
        refusal = refusal_of({query: ["d"], "q": ["d"]}, "trec")

        assert (refusal.faults[0].query, refusal.faults[0].document) == (query, "d")
        assert refusal.faults[0].detail.startswith("the format of a file is told by its first line, and it would be ")

    @pytest.mark.parametrize("query", ["{a", "[", "\ufeffq", "PAR1", "query,doc,rank,"])
    def test_further_down_it_can_stand(self, query: str) -> None:
        assert dict(again(rankeval.Run({"q": ["d"], query: ["d"]}), "trec").rankings) == {"q": ["d"], query: ["d"]}

    def test_a_trec_file_of_no_line(self) -> None:
        assert "an empty file is no run" in refusal_of({}, "trec").faults[0].detail

    @pytest.mark.parametrize("to", list(WRITERS))
    def test_half_a_character(self, to: str) -> None:
        assert details(refusal_of({"q": ["d", "\ud83d"], "\ude00": ["d"]}, to)) == [
            ("q", "\ud83d", "the document holds half a character, which UTF-8 cannot hold"),
            ("\ude00", None, "the query holds half a character, which UTF-8 cannot hold"),
        ]

    @pytest.mark.parametrize("to", list(WRITERS))
    @pytest.mark.parametrize("made", [{"q": "d"}, {"q": None}, {"q": ("d",)}, {7: ["d"]}])
    def test_what_is_no_ranking(self, to: str, made: Any) -> None:
        (fault,) = refusal_of(made, to).faults

        assert (fault.query, fault.detail) == (
            next(str(query) for query in made),
            "it is not text with a list of texts",
        )

    @pytest.mark.parametrize("to", list(WRITERS))
    def test_a_document_that_is_no_text(self, to: str) -> None:
        assert details(refusal_of({"q": [7]}, to)) == [("q", "7", "the document is 7, which is no text")]

    @pytest.mark.parametrize("to", list(WRITERS))
    def test_nothing_is_given_before_all_was_checked(self, to: str) -> None:
        with pytest.raises(rankeval.FormatError):
            run_pieces(rankeval.Run({"q": ["d"], "r": [7]}), to)  # type: ignore[list-item]

    def test_all_faults_are_counted(self) -> None:
        assert refusal_of({f"q{i}": [] for i in range(1_200)}, "csv").total == 1_200
