"""Make the runs of the help centre: five small retrievers over protocol.json, written out in plain Python.

    python sample_data/help_centre/make_runs.py

Everything is deterministic: a second call writes the same bytes.  The retrievers are small but real; nobody touched
what they return.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DEPTH = 20
CHUNK_DEPTH = 15
CHUNK_WORDS, CHUNK_STEP = 16, 12

Tokens = Callable[[str], list[str]]
Scores = dict[str, float]

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and any are as at be been but by can do does for from get have how i in is it its me my not of on one or"
        " our so some that the their them then there these they this to us was we what when where which who will with"
        " you your",
    )
)
SUFFIXES = ("ing", "ed", "es", "s", "e")
SHORTEST_STEM = 3


def words(text: str) -> list[str]:
    """Split a text into lower-case words."""
    return re.findall(r"[a-z0-9]+", text.lower())


def stems(text: str) -> list[str]:
    """Split a text into words without stop words and common endings."""
    return [_stem(word) for word in words(text) if word not in STOP_WORDS]


def _stem(word: str) -> str:
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= SHORTEST_STEM:
            return word[: -len(suffix)]
    return word


def trigrams(text: str) -> list[str]:
    """Split a text into overlapping runs of three characters, word by word."""
    return [f" {word} "[at : at + 3] for word in words(text) for at in range(len(word))]


def bm25(texts: Mapping[str, str], tokens: Tokens, k1: float = 1.2, b: float = 0.75) -> Callable[[str], Scores]:
    """Index texts for BM25 (Robertson and Zaragoza, 2009) and give the function that scores a query."""
    counts = {key: Counter(tokens(text)) for key, text in texts.items()}
    lengths = {key: sum(count.values()) for key, count in counts.items()}
    average = sum(lengths.values()) / len(lengths)
    frequency = Counter(token for count in counts.values() for token in count)

    def score(query: str) -> Scores:
        scores: Scores = {}
        for key, count in counts.items():
            norm = k1 * (1 - b + b * lengths[key] / average)
            total = 0.0
            for token in tokens(query):
                if found := count[token]:
                    idf = math.log(1 + (len(counts) - frequency[token] + 0.5) / (frequency[token] + 0.5))
                    total += idf * found * (k1 + 1) / (found + norm)
            if total > 0:
                scores[key] = total
        return scores

    return score


def cosine(texts: Mapping[str, str], tokens: Tokens) -> Callable[[str], Scores]:
    """Index texts as TF-IDF vectors and give the function that scores a query by the cosine."""
    counts = {key: Counter(tokens(text)) for key, text in texts.items()}
    frequency = Counter(token for count in counts.values() for token in count)

    def vector(count: Counter[str]) -> dict[str, float]:
        weights = {
            token: (1 + math.log(found)) * math.log(len(counts) / frequency[token])
            for token, found in count.items()
            if frequency[token]
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {token: weight / length for token, weight in weights.items()}

    vectors = {key: vector(count) for key, count in counts.items()}

    def score(query: str) -> Scores:
        wanted = vector(Counter(tokens(query)))
        scores = {
            key: sum(wanted.get(token, 0.0) * weight for token, weight in own.items()) for key, own in vectors.items()
        }
        return {key: value for key, value in scores.items() if value > 0}

    return score


def ranked(scores: Scores, depth: int) -> list[str]:
    """Sort by falling score; equal scores by ID, so that a second call gives the same."""
    return sorted(scores, key=lambda key: (-scores[key], key))[:depth]


def stemmed_fields(corpus: Mapping[str, Mapping[str, str]]) -> Callable[[str], Scores]:
    """Score the stems of title and text apart, and add: a word in the title counts more, since titles are short."""
    titles = bm25({key: document["title"] for key, document in corpus.items()}, stems, b=0.3)
    bodies = bm25({key: document["text"] for key, document in corpus.items()}, stems)

    def score(query: str) -> Scores:
        title, body = titles(query), bodies(query)
        return {key: title.get(key, 0.0) + body.get(key, 0.0) for key in title.keys() | body.keys()}

    return score


def all_words(texts: Mapping[str, str], most: int) -> Callable[[str], Scores]:
    """Find the texts that hold every stem of a short query; for a longer query than `most` stems, half of them."""
    index = {key: set(stems(text)) for key, text in texts.items()}

    def score(query: str) -> Scores:
        wanted = set(stems(query))
        needed = len(wanted) if len(wanted) <= most else math.ceil(len(wanted) / 2)
        found = {key: len(wanted & own) for key, own in index.items()}
        return {key: float(hits) for key, hits in found.items() if wanted and hits >= needed}

    return score


def chunked(corpus: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[str, str]]:
    """Cut every text into overlapping passages: chunk ID -> document ID and passage."""
    chunks: dict[str, tuple[str, str]] = {}
    for key, document in corpus.items():
        running = document["text"].split()
        starts = range(0, max(1, len(running) - (CHUNK_WORDS - CHUNK_STEP)), CHUNK_STEP)
        for number, start in enumerate(starts, 1):
            chunks[f"{key}#{number}"] = (key, " ".join(running[start : start + CHUNK_WORDS]))
    return chunks


def write_json_run(file: str, rankings: Mapping[str, list[str]], description: str, **system: Any) -> None:
    """Write a run in the format `rankeval-run/1`, a query a line."""
    canonical = json.dumps(rankings, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    head = {
        "format": "rankeval-run/1",
        "name": Path(file).stem,
        "system": {"description": description, **system},
        "run_sha256": hashlib.sha256(canonical.encode()).hexdigest(),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    entries = ",\n".join(f"  {json.dumps(query)}: {json.dumps(ranking)}" for query, ranking in rankings.items())
    lines.append(f'"rankings": {{\n{entries}\n}}')
    _write(file, "{\n" + ",\n".join(lines) + "\n}\n")


def write_trec_run(file: str, scores: Mapping[str, Scores]) -> None:
    """Write a run as TREC text of six columns."""
    _write(file, "".join(_trec_lines(scores, Path(file).stem)))


def _trec_lines(scores: Mapping[str, Scores], tag: str) -> Iterable[str]:
    for query, own in scores.items():
        for rank, document in enumerate(ranked(own, DEPTH), 1):
            yield f"{query} Q0 {document} {rank} {own[document]:.9f} {tag}\n"


def _write(file: str, text: str) -> None:
    path = HERE / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Write every run, the chunk map and the chunk runs."""
    protocol = json.loads((HERE / "protocol.json").read_text(encoding="utf-8"))
    corpus: dict[str, dict[str, str]] = protocol["corpus"]
    queries = {key: own["text"] for key, own in protocol["queries"].items() if own["split"] == protocol["split"]}
    texts = {key: f"{document['title']} {document['text']}" for key, document in corpus.items()}

    plain = bm25(texts, words)
    write_json_run(
        "runs/bm25.json",
        {query: ranked(plain(text), DEPTH) for query, text in queries.items()},
        "BM25 over title and text, every word as it is",
        configuration={"k1": 1.2, "b": 0.75},
    )
    fields = stemmed_fields(corpus)
    write_json_run(
        "runs/stemmed_fields.json",
        {query: ranked(fields(text), DEPTH) for query, text in queries.items()},
        "BM25 over stems without stop words, title and text scored apart and added",
        configuration={"k1": 1.2, "b_title": 0.3, "b_text": 0.75},
    )
    grams = cosine(texts, trigrams)
    write_trec_run("runs/char_ngrams.trec", {query: grams(text) for query, text in queries.items()})

    # A run as a crash leaves it: a strict search answers some queries with nothing, and the last six never came.
    strict = all_words(texts, most=5)
    answered = dict(list(queries.items())[:-6])
    write_json_run(
        "runs/strict_interrupted.json",
        {query: ranked(strict(text), DEPTH) for query, text in answered.items()},
        "Boolean search that wants all words, stopped before it was through",
    )

    chunks = chunked(corpus)
    _write(
        "chunk_to_doc.json",
        "{\n" + ",\n".join(f"{json.dumps(c)}: {json.dumps(d)}" for c, (d, _) in chunks.items()) + "\n}\n",
    )
    passages = {chunk: passage for chunk, (_, passage) in chunks.items()}
    titled = {chunk: f"{corpus[document]['title']} {passage}" for chunk, (document, passage) in chunks.items()}
    for file, content, description in (
        ("chunk_runs/bm25_chunks.json", passages, "BM25 over passages"),
        ("chunk_runs/title_chunks.json", titled, "BM25 over passages with the title of their document before them"),
    ):
        search = bm25(content, stems)
        write_json_run(
            file,
            {query: ranked(search(text), CHUNK_DEPTH) for query, text in queries.items()},
            description,
            chunker=f"{CHUNK_WORDS} words, a new passage every {CHUNK_STEP}",
        )


if __name__ == "__main__":
    main()
