from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import rankeval
from rankeval.core.provenance import Provenance
from rankeval.dashboard import reader
from rankeval.dashboard.library import LoadedProtocol

MANY = {f"d{number}": {"title": f"Title {number}", "text": "body"} for number in range(500)}


@pytest.fixture
def large() -> rankeval.Protocol:
    """Two queries over 500 documents, of which d7 is relevant to both and d400 to one."""
    queries = {"q1": {"text": "first", "split": "test", "kind": "odd"}, "q2": {"text": "second", "split": "dev"}}
    return rankeval.Protocol.from_relevant(MANY, queries, {"q1": ["d400", "d7"], "q2": ["d7"]}, "test", 2)


class TestSearch:
    def test_every_word_stands_in_the_id_or_the_text(self, large: rankeval.Protocol) -> None:
        assert reader.found_documents(large, "TITLE d499") == ("d499",)
        assert len(reader.found_documents(large, "")) == 500
        assert reader.found_documents(large, "nothing") == ()

    def test_queries_are_found_by_whatever_they_carry(self, large: rankeval.Protocol) -> None:
        assert reader.found_queries(large, "odd", None) == ("q1",)
        assert reader.found_queries(large, "", "dev") == ("q2",)
        assert reader.found_queries(large, "first", "dev") == ()

    def test_the_split_that_is_scored_stands_first(self, large: rankeval.Protocol) -> None:
        assert reader.splits(large.with_split_and_k("dev")) == ["dev", "test"]

    def test_what_queries_carry_beside_text_and_split(self, large: rankeval.Protocol) -> None:
        assert reader.metadata_fields(large) == ["kind"]


class TestPages:
    def test_the_first_of_several(self) -> None:
        page = reader.page_of([str(number) for number in range(250)], 1)

        assert (len(page.ids), page.found, page.pages) == (100, 250, 3)

    def test_nothing_found_is_one_empty_page(self) -> None:
        assert reader.page_of([], 1) == reader.Page((), 0, 1, 1)


class TestRelevance:
    def test_a_document_knows_its_queries(self, large: rankeval.Protocol) -> None:
        assert reader.relevant_to(large) == {"d400": ("q1",), "d7": ("q1", "q2")}

    def test_documents_of_a_query_stand_in_the_protocols_order(self, large: rankeval.Protocol) -> None:
        assert reader.relevant_of(large, "q1") == ["d7", "d400"]

    def test_a_grid_of_a_small_corpus_has_all_of_it(self, protocol: rankeval.Protocol) -> None:
        grid = reader.grid_of(protocol, ["q2"])

        assert (grid.documents, grid.others, grid.cut_off) == (("d1", "d2", "d3", "d4", "d5", "d6"), 0, 0)

    def test_a_grid_of_a_large_one_has_what_is_relevant_to_its_queries(self, large: rankeval.Protocol) -> None:
        grid = reader.grid_of(large, ["q2"])

        assert (grid.documents, grid.others, grid.cut_off) == (("d7",), 499, 0)

    def test_columns_that_do_not_fit_are_counted(self) -> None:
        all_relevant = rankeval.Protocol.from_relevant(MANY, {"q": {"split": "test"}}, {"q": list(MANY)}, "test", 1)
        grid = reader.grid_of(all_relevant, ["q"])

        assert (len(grid.documents), grid.others, grid.cut_off) == (reader.GRID_COLUMNS, 0, 500 - reader.GRID_COLUMNS)

    def test_a_disputed_judgment_has_its_reason(self, parts: dict[str, Any]) -> None:
        statement = {"disputed": [{"query": "q2", "document": "d3", "reason": "only in part"}, "no object"]}
        protocol = rankeval.Protocol(**parts, provenance=Provenance(statements=statement))

        assert reader.disputed(protocol, "q2", "d3") == ["only in part"]
        assert reader.disputed(protocol, "q2", "d1") == []


class TestFingerprints:
    def test_they_are_computed_again(self, protocol: rankeval.Protocol) -> None:
        parts: list[float] = []
        found = reader.recompute(LoadedProtocol(protocol.protocol_sha256, "p", protocol), parts.append)

        assert found.holds
        assert found.protocol_sha256 == "9dd1a576cc830736a0884e847845f31f2390843c27a250abf3bafaf8fa72cadb"
        assert found.compact_sha256 == protocol.compact_sha256
        assert parts[-1] == 1

    def test_a_file_that_stated_another_is_found_out(self, protocol: rankeval.Protocol) -> None:
        stated = "0" * 64
        unverified = rankeval.Protocol.from_relevant(
            protocol.corpus, protocol.queries, protocol.relevant, "test", 2, recorded_sha256=stated
        )
        found = reader.recompute(LoadedProtocol(stated, "p", unverified))

        assert (found.holds, found.protocol_sha256[:12]) == (False, "9dd1a576cc83")

    def test_one_that_was_only_stated_counts_as_recomputed_from_then_on(self, protocol: rankeval.Protocol) -> None:
        unverified = rankeval.Protocol.from_relevant(
            protocol.corpus,
            protocol.queries,
            protocol.relevant,
            "test",
            2,
            recorded_sha256=protocol.protocol_sha256,
        )
        entry = LoadedProtocol(protocol.protocol_sha256, "p", unverified)

        assert reader.recompute(entry).holds
        assert replace(entry, name="q").protocol.protocol_sha256_verified
