"""Damage small valid files at random and hand them to every reader: nothing but a ContractError may come out.

python tests/fuzz/fuzz_readers.py [SECONDS] [SEED]
"""

from __future__ import annotations

import gzip
import io
import random
import sys
import time
import traceback
import zipfile
from collections.abc import Callable

import pandas as pd

import rankeval
from rankeval.formats import Declared, Ordering, Source, read_chunk_map, read_collection, read_protocol, read_run
from rankeval.formats.large import read_large_run
from rankeval.formats.runs import RUN_FORMATS
from rankeval.formats.samples import samples_folder

Read = Callable[[bytes], object]


def parquet(**columns: list[object]) -> bytes:
    """Write a small Parquet file."""
    return bytes(pd.DataFrame(columns).to_parquet())


def beir_zip() -> bytes:
    """Write a small zip of a BEIR folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("corpus.jsonl", '{"_id": "d1", "title": "", "text": "x"}\n{"_id": "d2", "text": "y"}\n')
        archive.writestr("queries.jsonl", '{"_id": "q1", "text": "a"}\n')
        archive.writestr("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    return buffer.getvalue()


SEEDS = [
    b'{"q1": ["d1", "d2"], "q2": []}',
    b'{"q1": {"d1": 1.5, "d2": 1e3}}',
    b'{"format": "rankeval-run/1", "name": "x", "system": {"model": "m"}, "rankings": {"q1": ["d1"]}}',
    b'{"query_id": "q1", "ranking": ["d1", "d2"]}\n{"query_id": "q2", "ranking": []}\n',
    b'[{"query": "q1", "doc": "d1", "rank": 1}]',
    b"q1 Q0 d1 1 2.5 x\nq1 Q0 d2 2 2.5 x\nq2 Q0 d1 1 -1e3 x\n",
    b"q1\td1\t1\nq1\td2\t2\n",
    b'query_id,doc_id,rank,score\nq1,"d,1",1,2\nq1,d2,2,1\n',
    b"qid\tdocno\tsim\nq1\td1\t2\nq1\td2\t1\n",
    b"q1 0 d1 1\nq1 0 d2 0\n",
    b"query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    b'{"_id": "d1", "title": "t", "text": "x", "metadata": {}}\n{"_id": "d2", "text": "y"}\n',
    b'{"_id": "q1", "text": "a", "metadata": {"split": "test"}}\n',
    b'{"c1": "d1", "c2": "d2"}',
    b"chunk_id,doc_id\nc1,d1\n",
    parquet(query_id=["q1", "q1"], doc_id=["d1", "d2"], rank=[1, 2]),
    parquet(query_id=["q1"], doc_id=["d1"], label=[1]),
    beir_zip(),
    (samples_folder() / "tutorial" / "protocol.json").read_bytes(),
    gzip.compress(b'{"q1": ["d1"]}'),
]

COLLECTION = (b'{"d1": "x", "d2": "y"}', b'{"q1": {"text": "a", "split": "test"}}', b'{"q1": {"d1": 1, "d2": 0}}')


def as_part(place: int) -> Read:
    """Read bytes as corpus, queries or judgments, beside two that are right."""

    def read(data: bytes) -> object:
        parts = [Source("part", each) for each in COLLECTION]
        parts[place] = Source.upload("fuzz", data)
        return read_collection(*parts, split="test", k=1, declared=Declared("x", 1, "y"))

    return read


READERS: dict[str, Read] = {
    "run": lambda data: read_run(Source.upload("fuzz", data)),
    "run by score": lambda data: read_run(Source.upload("fuzz", data), ordering=Ordering("score", "file-order")),
    "protocol": lambda data: read_protocol(Source.upload("fuzz", data), split="test", k=1, declared=Declared("x", 1)),
    "chunk map": lambda data: read_chunk_map(Source.upload("fuzz", data)),
    "corpus": as_part(0),
    "queries": as_part(1),
    "judgments": as_part(2),
    **{
        f"run as {name}": lambda data, name=name: read_run(Source("fuzz", data), input_format=name)
        for name in RUN_FORMATS
    },
    **{
        f"large {name}": lambda data, name=name: read_large_run(Source("fuzz", data), name, Ordering())
        for name in RUN_FORMATS
    },
}


def damaged(chance: random.Random) -> bytes:
    """Take a seed and change, remove, repeat or join pieces of it."""
    data = bytearray(chance.choice(SEEDS))
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[at : at + 1] = bytes([chance.choice((chance.randrange(256), *b'{}[]",:\\\n\r\t 019.-eE#'))])
            case 1:
                del data[at : at + chance.randrange(1, 9)]
            case 2:
                data[at:at] = data[max(0, at - chance.randrange(1, 9)) : at]
            case 3:
                data[at:at] = chance.choice(
                    (b"\xef\xbb\xbf", b"\\ud800", b"NaN", b"1e999", b"null", b"\xff", b"\0", b"\xc2\xa0")
                )
            case _:
                data += chance.choice(SEEDS)[: chance.randrange(40)]
    return gzip.compress(bytes(data)) if chance.random() < 0.05 else bytes(data)


def main() -> int:
    """Fuzz for a while; print how much was done and everything that was no ContractError."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    end, cases, refused, failures = time.monotonic() + seconds, 0, 0, 0
    while time.monotonic() < end:
        data = damaged(chance)
        name = chance.choice(list(READERS))
        cases += 1
        try:
            READERS[name](data)
        except rankeval.ContractError:
            refused += 1
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            failures += 1
            print(f"{name}: {data!r}\n{traceback.format_exc()}")
    print(
        f"{cases} files in {seconds:.0f} s: {refused} refused, {cases - refused - failures} read, {failures} failures"
    )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
