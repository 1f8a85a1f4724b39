from __future__ import annotations

import gzip
import json

import pandas as pd
import pytest

import rankeval
from rankeval.formats import Source, read_chunk_map


class TestChunkMaps:
    @pytest.mark.parametrize(
        "content",
        [
            b'{"c1": "d1", "c2": "d1"}',
            b"chunk_id,doc_id\nc1,d1\nc2,d1\n",
            b"docid\tchunk\nd1\tc1\nd1\tc2\n",
            b'{"chunk_id": "c1", "doc_id": "d1"}\n{"chunk_id": "c2", "doc_id": "d1"}\n',
            b'[{"chunk": "c1", "doc": "d1"}, {"chunk": "c2", "doc": "d1"}]',
            b'{"c1":\n"d1",\n"c2": "d1"}',
            gzip.compress(b"chunk_id,doc_id\nc1,d1\nc2,d1\n"),
            pd.DataFrame({"chunk_id": ["c1", "c2"], "doc_id": ["d1", "d1"]}).to_parquet(),
        ],
    )
    def test_one_map_in_every_format(self, content: bytes) -> None:
        assert read_chunk_map(Source.upload("map", content)) == {"c1": "d1", "c2": "d1"}

    @pytest.mark.parametrize(
        "content", [b'{"doc": "d", "pid": "d"}', b'{"chunk": "d", "document": "e", "c": "d"}', b"{}"]
    )
    def test_a_chunk_may_be_called_like_a_column(self, content: bytes) -> None:
        assert read_chunk_map(Source("map", content)) == json.loads(content)

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b'{"c1": 1}', "map, line 1, chunk 'c1': the document is 1 and must be text"),
            (b'{"c1": "d", "c1": "d"}', "key 'c1', first on line 1"),
            (b"chunk_id,doc_id\nc,d\nc,d\n", "map, line 3, chunk 'c': first on line 2"),
            (b"chunk_id,doc_id,score\nc,d,1\n", "a chunk map has two columns"),
            (b"c,d\n", "no chunk column"),
            (b"chunk_id,doc_id\n,d\n", "chunk_id is empty"),
            (b"", "the file is empty"),
            (b'{"chunk": "c", "doc": "d"}', "the file fits two formats"),
            (b'{"chunk": "c", "doc": "d"}\n{"chunk": "e", "doc": "d", "page": 1}', "not used: page"),
            (b'{"chunk": "c", "doc": "d"}\n{"chunk": "e", "doc": 5}\n{', "doc is 5"),
            (b'{"c":\n"\\ud800"}', "map, line 2: '\\ud800' is half a character"),
            (b"chunk,doc\nc,d,e\n,d\n", "3 fields, 2 expected"),
            (b"chunk,doc,document\n", "could both be the doc"),
        ],
    )
    def test_what_is_refused(self, content: bytes, words: str) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            read_chunk_map(Source("map", content))

        assert words in str(refusal.value)
