"""Laws of the run readers: a damaged file is refused or read for what it says, and nothing else ever happens."""

from __future__ import annotations

from typing import Any

import pytest
import reference_readers
from hypothesis import example, given
from hypothesis import strategies as st

import rankeval
from rankeval.formats import RUN_FORMATS, Declared, Source, read_chunk_map, read_collection, read_protocol, read_run
from rankeval.formats.collection import read_corpus, read_qrels, read_queries

NAMES = sorted(reference_readers.SMALL_RUNS)


def read(text: str) -> dict[str, list[str]] | None:
    """Read a run; None where it is refused."""
    try:
        return dict(read_run(Source("run", text.encode())).rankings)
    except rankeval.FormatError:
        return None


@st.composite
def damage(draw: st.DrawFn) -> tuple[str, str, int, str]:
    """Draw a small run and a damaged place in it."""
    name, kind = draw(st.sampled_from(NAMES)), draw(st.sampled_from(["insert", "delete", "replace"]))
    text = reference_readers.SMALL_RUNS[name][1]
    at = draw(st.integers(0, len(text) - (kind != "insert")))
    character = draw(st.sampled_from(reference_readers.DAMAGE) | st.characters(exclude_categories=["Cs"]))
    return name, kind, at, character


class TestDamage:
    @pytest.mark.parametrize("name", NAMES)
    def test_the_whole_file_is_read_as_the_reference_reads_it(self, name: str) -> None:
        reader, text = reference_readers.SMALL_RUNS[name]

        assert read(text) == reader(text)

    @given(damage())
    @example(("trec", "insert", 0, "{"))
    @example(("csv, quoted", "insert", 12, "\r"))
    @example(("lists", "insert", 26, "}"))
    @example(("msmarco", "replace", 9, "\r"))
    def test_a_damaged_file_is_refused_or_read_for_what_it_says(self, damaged: tuple[str, str, int, str]) -> None:
        name, *where = damaged
        reader, text = reference_readers.SMALL_RUNS[name]
        broken = reference_readers.damaged(text, *where)
        found = read(broken)

        assert found is None or found == reader(broken)

    @given(damage())
    def test_no_other_query_is_changed_unless_a_query_id_is_damaged(self, damaged: tuple[str, str, int, str]) -> None:
        name, kind, at, character = damaged
        reader, text = reference_readers.SMALL_RUNS[name]
        whole, found = reader(text), read(reference_readers.damaged(text, kind, at, character))
        in_a_query = any(text[start : start + 2] in whole for start in range(max(0, at - 2), at + 1))
        if found is None or in_a_query:
            return
        changed = {query for query in whole | found if whole.get(query) != found.get(query)}

        assert len(changed) <= 1


READERS: list[Any] = [
    *(lambda source, each=each: read_run(source, input_format=each) for each in RUN_FORMATS),
    read_run,
    read_chunk_map,
    read_protocol,
    lambda source: read_protocol(source, split="test", k=1, declared=Declared("w", 1, "w")),
    rankeval.formats.verify,
    read_corpus,
    read_queries,
    read_qrels,
    lambda source: read_collection(source, source, source, k=1),
]

BEGINNINGS = [b"", b"\x1f\x8b\x08", b"PK\x03\x04", b"PK\x05\x06", b"PAR1\x15", b"\xef\xbb\xbf", b"{", b"[", b'{"a":']


class TestAnything:
    @pytest.mark.parametrize("reader", READERS)
    @given(st.sampled_from(BEGINNINGS), st.binary(max_size=60))
    def test_bytes_are_refused_and_nothing_else(self, reader: Any, beginning: bytes, rest: bytes) -> None:
        try:
            reader(Source.upload("file", beginning + rest))
        except rankeval.ContractError as refusal:
            assert str(refusal)  # noqa: PT017 - either is right: to be read, or to be refused in words

    @pytest.mark.parametrize("reader", READERS)
    @given(text=st.text(alphabet='{}[]",:\\ud8 \t\r\nqd1.e-_id'))
    def test_so_is_what_looks_like_text(self, reader: Any, text: str) -> None:
        try:
            reader(Source.upload("file", text.encode()))
        except rankeval.ContractError as refusal:
            assert str(refusal)  # noqa: PT017 - likewise
