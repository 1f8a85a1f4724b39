"""Fuzz every reader: whatever the bytes are, they are read or refused in words, and nothing else happens.

    python tests/fuzz/fuzz_readers.py [--seconds 600] [--seed N]

Half of the cases damage one character of a small run; where it is still read, it must be read as the slow readers of
`reference_readers.py` read it.  The others mutate files of every kind, compressed ones and Parquet included, and give
them to every reader.  It prints cases a second, the slowest case and every failure, and exits 1 if there was one.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import sys
import time
import traceback
import zipfile
from collections.abc import Callable
from typing import Any

import pandas as pd
import reference_readers

import rankeval
from rankeval.formats import (
    RUN_FORMATS,
    Declared,
    Ordering,
    Source,
    frozen_protocol_json,
    read_chunk_map,
    read_collection,
    read_label_changes,
    read_protocol,
    read_run,
    verify,
)
from rankeval.formats.collection import read_corpus, read_qrels, read_queries
from rankeval.formats.large import read_large_run

EVERYTHING = Declared("all others are not relevant", 1, "nobody judged them")
SCORED = Ordering("score", "file-order")

READERS: dict[str, Callable[[Source], Any]] = {
    "run": read_run,
    "run by score": lambda source: read_run(source, ordering=SCORED),
    **{f"run as {name}": lambda source, name=name: read_run(source, input_format=name) for name in RUN_FORMATS},
    "large run": lambda source: [read_large_run(source, name, SCORED) for name in RUN_FORMATS],
    "chunk map": read_chunk_map,
    "label changes": read_label_changes,
    "corpus": read_corpus,
    "queries": read_queries,
    "qrels": read_qrels,
    "protocol": read_protocol,
    "declared protocol": lambda source: read_protocol(source, split="test", k=1, declared=EVERYTHING),
    "verify": verify,
    "collection": lambda source: read_collection(source, source, source, split="test", k=1, declared=EVERYTHING),
}

CORPUS = '{"_id": "d1", "title": "t", "text": "one"}\n{"_id": "d2", "text": "two"}\n'
QUERIES = '{"_id": "q1", "text": "a", "metadata": {"split": "test"}}\n{"_id": "q2", "text": "b", "split": "test"}\n'
CHANGES = '{"query": "q1", "doc": "d2", "label": 1, "who": "Ann", "why": "so"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t-1\n"

WORDS = [
    *(
        word.encode()
        for word in ("NaN", "1e999", "\\ud800", '""', "null", "true", "{}", "[]", "\r\n", "\t", "\ufeff", "-")
    ),
    *(bytes([byte]) for byte in range(256)),
    b"\xff\xff\xff\x7f",
    b"\0" * 8,
    b"PAR1",
    b"PK\x05\x06",
]


def zipped(method: int) -> bytes:
    """Make a zip file of a BEIR folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in (("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES), ("qrels/test.tsv", QRELS)):
            archive.writestr(f"beir/{name}", content)
    return buffer.getvalue()


def seeds() -> list[bytes]:
    """Give valid files of every kind."""
    corpus, queries = {"d1": "one", "d2": {"title": "t", "text": "two"}}, {"q1": {"text": "a", "split": "test"}}
    bare = {"corpus": corpus, "queries": queries, "qrels": {"q1": {"d1": 1, "d2": 0}}, "split": "test", "k": 2}
    protocol = rankeval.Protocol(**bare)
    proposed = rankeval.propose(protocol, [rankeval.LabelChange("q1", "d2", 1, "Ann", "so")])
    frozen, amended = ("".join(frozen_protocol_json(each)) for each in (protocol, proposed))
    frames = [
        pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["d1", "d2"], "rank": [1, 2], "score": [2.5, 1.0]}),
        pd.DataFrame({"qid": ["q1"], "docid": ["d1"], "label": [1]}),
        pd.DataFrame({"chunk_id": ["c1", "c2"], "doc_id": ["d1", "d1"]}),
        pd.DataFrame({"_id": ["d1"], "title": [None], "text": ["x"], "metadata": [{"split": "test"}]}),
    ]
    texts = [
        *(text for _, text in reference_readers.SMALL_RUNS.values()),
        *(CORPUS, QUERIES, QRELS, "q1 0 d1 1\nq1 0 d2 -2\n", "qid,docid,rel\nq1,d1,1\n", '{"q1": {"d1": 1, "d2": 0}}'),
        *(
            '{"c1": "d1",\n"c2": "d2"}',
            "chunk,doc\nc1,d1\n",
            json.dumps(bare),
            frozen,
            amended,
            "_id,title,text\nd1,,x\n",
        ),
        *(CHANGES * 2, "query,doc,label,annotator,reason,apostrophe_added\nq1,d1,0,Ann,so,why\n"),
        '{"adapter_sha256": "00", "document_runs": {"q1": ["d1"]}, "evidence": {}}',
    ]
    files = [text.encode() for text in texts]
    binary = [
        zipped(method) for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    ]
    binary += [frame.to_parquet(compression=method) for frame in frames for method in (None, "snappy")]
    return [*files, *map(gzip.compress, files), *binary, *binary]


def mutated(chance: random.Random, files: list[bytes]) -> bytes:
    """Change a file in one to six places."""
    data = chance.choice(files)
    packed = data.startswith(b"\x1f\x8b") and chance.random() < 0.7
    data = gzip.decompress(data) if packed else data
    for _ in range(chance.randint(1, 6)):
        at, length = chance.randint(0, len(data)), chance.choice((0, 1, 1, 1, 4, 40))
        other = chance.choice(files)
        start = chance.randint(0, len(other))
        new = chance.choice((b"", chance.choice(WORDS), data[at : at + length] * 2, other[start : start + 30]))
        data = data[:at] + new + data[at + length :]
    return gzip.compress(data, 1) if packed else data


class Fuzz:
    """One run of the fuzzer, and what it found."""

    def __init__(self, seed: int) -> None:
        """Begin with a seed, from which all cases follow."""
        self.chance = random.Random(seed)
        self.files = seeds()
        self.cases = self.read = self.failures = 0
        self.slowest = (0.0, "")

    def one(self) -> None:
        """Try one case."""
        if self.chance.random() < 0.5:
            self.damage()
        else:
            data = mutated(self.chance, self.files)
            name = self.chance.choice(list(READERS))
            self.attempt(f"{name} {data!r}", lambda: READERS[name](Source.upload("file", data)))

    def damage(self) -> None:
        """Damage one character of a run, and hold what is read to the reference."""
        name = self.chance.choice(list(reference_readers.SMALL_RUNS))
        reader, text = reference_readers.SMALL_RUNS[name]
        kind = self.chance.choice(("insert", "delete", "replace"))
        at, character = self.chance.randrange(len(text)), self.chance.choice(reference_readers.DAMAGE)
        broken = reference_readers.damaged(text, kind, at, character)
        run = self.attempt(f"{name} {broken!r}", lambda: read_run(Source("run", broken.encode())))
        if run is None:
            return
        try:
            right = dict(run.rankings) == reader(broken)
        except reference_readers.Unreadable:
            right = False
        if not right:
            self.failure(f"{name} {broken!r}", f"read as {dict(run.rankings)}")

    def attempt(self, case: str, read: Callable[[], Any]) -> Any:
        """Read; None where it is refused."""
        self.cases += 1
        started = time.perf_counter()
        try:
            result = read()
        except rankeval.ContractError as refusal:
            str(refusal)
            return None
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            self.failure(case, traceback.format_exc())
            return None
        finally:
            self.slowest = max(self.slowest, (time.perf_counter() - started, case))
        self.read += 1
        return result

    def failure(self, case: str, why: str) -> None:
        """Count and print one failure."""
        self.failures += 1
        print(f"FAILED {case}\n{why}", flush=True)


def main() -> int:
    """Fuzz for as long as is asked."""
    options = argparse.ArgumentParser(description="Fuzz every reader.")
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--seed", type=int, default=time.time_ns())
    asked = options.parse_args()
    fuzz = Fuzz(asked.seed)
    started = time.monotonic()
    while (passed := time.monotonic() - started) < asked.seconds:
        fuzz.one()
    print(f"seed {asked.seed}: {fuzz.cases} cases in {passed:.0f} s, {fuzz.cases / passed:.0f} a second")
    print(f"{fuzz.read} read, {fuzz.cases - fuzz.read} refused or failed, {fuzz.failures} failures")
    print(f"slowest: {fuzz.slowest[0]:.3f} s: {fuzz.slowest[1][:200]}")
    return 1 if fuzz.failures else 0


if __name__ == "__main__":
    sys.exit(main())
