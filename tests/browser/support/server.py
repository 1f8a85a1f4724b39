"""A dashboard started as a user starts it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(
    folder: Path, files: Sequence[Path] = (), port: int | None = None, workspace: Path | None = None
) -> Iterator[str]:
    """Start a dashboard in a folder, give its address, and stop it at the end."""
    kept = [] if workspace is None else ["--workspace", str(workspace)]
    port = port or free_port()
    with (folder / "server.log").open("ab") as log:
        # Not a pipe: when nobody reads it any more, the server would hang at its end.
        server = subprocess.Popen(
            [sys.executable, "-m", "rankeval", "serve", "--port", str(port), *kept, *map(str, files)],
            cwd=folder,
            stdout=log,
            stderr=log,
            env={**os.environ, "NO_COLOR": "1"},
        )
    try:
        _wait_for(port, folder / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=20)


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int, log: Path) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"the server did not start: {log.read_text()}")
