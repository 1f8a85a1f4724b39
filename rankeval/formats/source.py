"""Where bytes come from: a path, standard input or an upload, compressed or not, told by content."""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from rankeval.formats.catalogue import FormatError, Reading, refusal

MAX_BYTES = 4 * 2**30
"""What a file may hold after decompression."""

FREE_EXPANSION = 64 * 2**20
MAX_RATIO = 200
"""Past the free expansion, a compressed file may hold this many times its own size: real runs stay below 20."""

LARGE = 4 * 2**20
"""From this many bytes on, reading in columns saves more than the time that it takes to load what it needs."""

HEAD = 2 * 2**20
"""How much of a file is looked at to tell its format."""

_EMPTY = "there is nothing in it; a run that answers nothing is {}"
ZERO_BYTES = "zero bytes stand in it, as in UTF-16 and UTF-32; save the file as UTF-8"
_STANDARD_INPUT = "standard input"
_GZIP = b"\x1f\x8b"
_WINDOW = 2**14

_PACKED = (
    (b"PK\x03\x04", "a zip archive, or a workbook of a spreadsheet; unpack it, or save the sheet as CSV"),
    (_GZIP, "compressed twice; unpack it once"),
    (b"BZh", "compressed with bzip2; unpack it, or use gzip"),
    (b"\xfd7zXZ", "compressed with xz; unpack it, or use gzip"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it, or use gzip"),
    (b"7z\xbc\xaf", "a 7-Zip archive; unpack it"),
)
"""How files begin that are no text, and what to do about each."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ENDINGS = {".gz", ".json", ".jsonl", ".ndjson", ".trec", ".txt", ".run", ".tsv", ".csv", ".parquet", ".zip", ".res"}


class Source:
    """A file's content, decompressed, under the name that messages call it by.

    A large file on disk is read when somebody asks for it: who goes through it piece by piece never holds it whole.
    """

    __slots__ = ("_data", "_path", "limit", "name", "size")

    def __init__(self, name: str, data: bytes | Path, limit: int | None = None) -> None:
        """Take bytes as they are, or the path of a file that is to be read later.

        Args:
            name: what messages call it.
            data: the content, or where it is.
            limit: what may be made of it by whoever goes on to unpack it; by default that follows from its own size.

        """
        self.name = name
        self._path = data if isinstance(data, Path) else None
        self._data = data if isinstance(data, bytes) else None
        self.size = data.stat().st_size if isinstance(data, Path) else len(data)
        self.limit = expansion_limit(self.size) if limit is None else limit

    @classmethod
    def of(cls, given: Source | str | Path) -> Source:
        """Read a path, or standard input for `-`; a `Source` is one already.

        Raises:
            FormatError: the file cannot be read or decompressed.

        """
        if isinstance(given, Source):
            return given
        if str(given) == "-":
            return cls.upload(_STANDARD_INPUT, _standard_input())
        path = Path(given)
        try:
            with path.open("rb") as file:
                beginning = file.read(len(_GZIP))
                if beginning != _GZIP and path.is_file() and path.stat().st_size >= LARGE:
                    return cls(path.name, path)
                data = beginning + file.read()
        except (OSError, ValueError) as error:
            raise _unreadable(str(given), error) from error
        return cls.upload(path.name, data)

    @classmethod
    def upload(cls, name: str, data: bytes, limit: int | None = None) -> Source:
        """Take bytes as they came, and decompress them where they are gzip.

        Args:
            name: what messages call them.
            data: all of them.
            limit: how many bytes they may become; by default that follows from how many they are.

        Raises:
            FormatError: they are damaged gzip, or expand beyond all measure.

        """
        limit = expansion_limit(len(data)) if limit is None else limit
        return cls(name, _gunzip(name, data, limit) if data.startswith(_GZIP) else data, limit)

    @property
    def data(self) -> bytes:
        """The whole content."""
        if self._data is None:
            assert self._path is not None
            try:
                self._data = self._path.read_bytes()
            except OSError as error:
                raise _unreadable(self.name, error) from error
        return self._data

    def beginning(self, count: int) -> bytes:
        """Give the first bytes, without reading the rest."""
        if self._data is not None:
            return self._data[:count]
        assert self._path is not None
        with self._path.open("rb") as file:
            return file.read(count)

    def stretches(self, count: int) -> list[tuple[int, int]]:
        """Cut the content into so many stretches of whole lines, about equally long: from byte to byte."""
        with self._opened() as file:
            size = file.seek(0, os.SEEK_END)
            cuts = [0]
            for i in range(1, count):
                file.seek(max(cuts[-1], size * i // count))
                file.readline()
                cuts.append(file.tell())
        return [(start, end) for start, end in pairwise([*cuts, size]) if start < end]

    def pieces(self, count: int, stretch: tuple[int, int]) -> Iterator[bytes]:
        """Give a stretch in pieces of whole lines, of `count` bytes and the rest of a line each."""
        start, end = stretch
        with self._opened() as file:
            while start < end:
                stop = end
                if start + count < end:
                    file.seek(start + count)
                    file.readline()
                    stop = file.tell()
                # The line's end is found first: to add the line to the piece would copy the piece.
                file.seek(start)
                yield file.read(stop - start)
                start = stop

    def _opened(self) -> BinaryIO:
        if self._data is not None:
            return io.BytesIO(self._data)
        assert self._path is not None
        return self._path.open("rb")

    @property
    def stem(self) -> str:
        """The name without its format and compression endings: what a run of this file is called."""
        path = Path(self.name)
        while path.suffix.lower() in _ENDINGS and path.stem:
            path = Path(path.stem)
        return str(path)

    def text(self) -> str:
        """Decode the file; a byte-order mark at its start is no part of it.

        Raises:
            FormatError: it is not UTF-8, or there is nothing in it but blank lines.

        """
        data = self.data.removeprefix(BYTE_ORDER_MARK)
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            packed = next((what for beginning, what in _PACKED if data.startswith(beginning)), None)
            if packed is not None:
                raise refusal(Reading.ENCODING, file=self.name, detail=f"it is {packed}") from error
            line = data.count(b"\n", 0, error.start) + 1
            detail = f"byte {data[error.start]:#04x}; save the file as UTF-8"
            raise refusal(Reading.ENCODING, file=self.name, line=line, detail=detail) from error
        if not text.strip(" \t\r\n"):
            raise refusal(Reading.EMPTY, file=self.name, detail=_EMPTY)
        return text

    def refuse_other_encodings(self) -> None:
        """Refuse what is no text in UTF-8, for whoever finds that the first line makes no sense to a reader.

        Raises:
            FormatError: it is not UTF-8, or zero bytes in its first line tell that it is UTF-16 or UTF-32.

        """
        self.text()
        if "\0" in self.head(1)[0]:
            raise refusal(Reading.ENCODING, file=self.name, line=1, detail=ZERO_BYTES)

    def head(self, count: int) -> list[str]:
        """Give the first lines that are not blank, as far as they stand in the first `HEAD` bytes, to tell a format by.

        Raises:
            FormatError: there is nothing in the file but blank lines.

        """
        found: list[str] = []
        beginning = self.beginning(HEAD).removeprefix(BYTE_ORDER_MARK)
        for line in beginning.split(b"\n"):
            # What is no UTF-8 is refused by the reader, which decodes all of the file.
            text = line.decode(errors="replace").removesuffix("\r")
            if text.strip(" \t"):
                found.append(text)
            if len(found) == count:
                break
        if not found:
            raise refusal(Reading.EMPTY, file=self.name, detail=_EMPTY)
        return found

    def lines(self) -> Iterator[tuple[int, str]]:
        """Give the lines that are not empty with their numbers from 1; they end at LF or CR LF only."""
        lines = self.text().split("\n")
        last = lines.pop()
        for number, line in enumerate(lines, 1):
            if content := line.removesuffix("\r"):
                yield number, content
        if last:
            yield len(lines) + 1, last


def expansion_limit(size: int) -> int:
    """Give how many bytes a compressed file of so many may hold."""
    return min(MAX_BYTES, max(FREE_EXPANSION, MAX_RATIO * size))


def _gunzip(name: str, data: bytes, limit: int) -> bytes:
    """Decompress gzip, also of several members, to no more than so many bytes."""
    content = memoryview(data)
    parts: list[bytes] = []
    size, start = 0, 0
    # A member copies what follows it: the first, mostly the only one, is given all, and the others a little at a time.
    window = len(data)
    try:
        while data.startswith(_GZIP, start):
            member = zlib.decompressobj(wbits=31)
            while not member.eof:
                piece = content[start : start + window]
                if not piece:
                    raise refusal(Reading.COMPRESSION, file=name, detail="it is cut off")
                parts.append(member.decompress(piece, limit - size + 1))
                size += len(parts[-1])
                if size > limit:
                    raise refusal(Reading.COMPRESSION, file=name, detail=f"it expands past {limit} bytes")
                start += len(piece) - len(member.unused_data)
            window = _WINDOW
    except zlib.error as error:
        raise refusal(Reading.COMPRESSION, file=name, detail=str(error)) from error
    if data[start:].strip(b"\0"):
        raise refusal(Reading.COMPRESSION, file=name, detail="something follows the compressed data")
    return b"".join(parts)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise refusal(Reading.UNREADABLE, file=_STANDARD_INPUT, detail="it is closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise _unreadable(_STANDARD_INPUT, error) from error


def _unreadable(name: str, error: OSError | ValueError) -> FormatError:
    reason = error.strerror if isinstance(error, OSError) else None
    return refusal(Reading.UNREADABLE, file=name, detail=reason or str(error))
