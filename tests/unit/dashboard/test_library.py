from __future__ import annotations

from typing import Any

import pytest

import rankeval
from rankeval.core.provenance import Declaration, Provenance
from rankeval.dashboard import library as module
from rankeval.dashboard.library import Library


class TestProtocols:
    def test_the_same_protocol_is_there_once(self, protocol: rankeval.Protocol) -> None:
        library = Library()

        assert library.add_protocol("one", protocol) is library.add_protocol("two", protocol)
        assert [entry.name for entry in library.protocols()] == ["one"]

    def test_a_stated_fingerprint_alone_does_not_make_two_protocols_one(self, protocol: rankeval.Protocol) -> None:
        """A file may state a fingerprint that was not recomputed; what is compared is always computed."""
        other = rankeval.Protocol.from_relevant(
            protocol.corpus,
            protocol.queries,
            protocol.relevant,
            "test",
            1,
            recorded_sha256=protocol.protocol_sha256,
        )
        library = Library()
        library.add_protocol("one", protocol)

        assert library.add_protocol("two", other).protocol.k == 1

    def test_it_stands_with_the_declarations_that_it_was_brought_with_last(
        self, protocol: rankeval.Protocol, parts: dict[str, Any]
    ) -> None:
        declared = Provenance(declarations=(Declaration("unlisted-nonrelevant", "all were judged"),))
        library = Library()
        entry = library.add_protocol("one", protocol)
        library.add_protocol("one", rankeval.Protocol(**parts, provenance=declared))

        assert entry.protocol.provenance is declared


class TestRuns:
    def test_the_same_rankings_are_scored_once(
        self, protocol: rankeval.Protocol, fixture_a: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        library = Library()
        entry = library.add_protocol("one", protocol)
        first = library.add_run(entry, rankeval.Run(fixture_a, "a"))
        monkeypatch.setattr(module, "score", None)
        second = library.add_run(entry, rankeval.Run(fixture_a, "b"))

        assert first.report is second.report
