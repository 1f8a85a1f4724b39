from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.core.provenance import Declaration
from rankeval.formats import Source, read_run, run_bytes

anything = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
no_blanks = anything.filter(lambda text: not set(text) & set(" \t\r\n"))


def rankings(ids: st.SearchStrategy[str], least: int) -> st.SearchStrategy[dict[str, list[str]]]:
    return st.dictionaries(ids, st.lists(ids, min_size=least, max_size=4, unique=True), max_size=4)


def again(run: rankeval.Run, to: str) -> rankeval.Run:
    return read_run(Source(f"run.{to}", run_bytes(run, to)))


class TestRoundTrip:
    @given(rankings(anything, 0))
    def test_json_holds_every_run(self, made: dict[str, list[str]]) -> None:
        assert again(rankeval.Run(made), "json").run_sha256 == rankeval.Run(made).run_sha256

    @pytest.mark.parametrize("to", ["csv", "parquet"])
    @given(made=rankings(anything, 1))
    def test_tables_hold_every_run_without_an_empty_list(self, to: str, made: dict[str, list[str]]) -> None:
        assert dict(again(rankeval.Run(made), to).rankings) == made

    @given(rankings(no_blanks, 1))
    def test_trec_holds_what_has_no_blank_or_refuses(self, made: dict[str, list[str]]) -> None:
        """What begins like a byte-order mark cannot stand at the start, and a run of nothing has no line."""
        cannot = not made or next(iter(made)).startswith("\ufeff")
        if cannot:
            with pytest.raises(rankeval.FormatError, match="cannot hold this run"):
                run_bytes(rankeval.Run(made), "trec")
        else:
            assert dict(again(rankeval.Run(made), "trec").rankings) == made

    def test_json_keeps_what_is_known_of_the_run(self) -> None:
        run = rankeval.Run(
            {"q": ["d"]}, "mine", system={"model": "m"}, declarations=(Declaration("order", "score", "x"),)
        )
        back = again(run, "json")

        assert (back.name, back.system, back.declarations) == ("mine", run.system, run.declarations)


class TestCannotHold:
    @pytest.mark.parametrize("to", ["trec", "csv", "parquet"])
    def test_an_empty_list(self, to: str) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            run_bytes(rankeval.Run({"q1": ["d"], "q2": []}), to)

        assert refusal.value.rule == "the target format cannot hold this run"
        assert [fault.query for fault in refusal.value.faults] == ["q2"]

    @pytest.mark.parametrize(("query", "document"), [("q 1", "d"), ("q", "d\t1"), ("q", "d\r"), ("q\n", "d")])
    def test_a_blank_in_a_trec_id(self, query: str, document: str) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            run_bytes(rankeval.Run({query: [document]}), "trec")

        assert (refusal.value.faults[0].query, refusal.value.faults[0].document) == (query, document)

    def test_a_trec_file_of_no_line(self) -> None:
        with pytest.raises(rankeval.FormatError, match="it would not be read back: the file is empty"):
            run_bytes(rankeval.Run({}), "trec")

    def test_a_document_twice_is_still_the_same_run(self) -> None:
        assert again(rankeval.Run({"q": ["d", "d"]}), "csv").rankings == {"q": ["d", "d"]}
