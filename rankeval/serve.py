"""Start the dashboard: Streamlit, on this machine alone, with nothing sent anywhere."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from rankeval.formats import read_protocol, read_run
from rankeval.formats.catalogue import Reading, refusal

FIRST_PORT = 8501
_PORTS_TRIED = 50

_DASHBOARD = Path(__file__).parent / "dashboard" / "__main__.py"


def serve(files: Sequence[str], host: str, port: int | None) -> int:
    """Open the dashboard on a protocol and runs, or on the sample data.

    Args:
        files: a protocol file and run files; none opens the sample data.
        host: the address to listen on.
        port: the port; None takes the first free one from 8501 on.

    Raises:
        ContractError: a file is refused, before anything is started.
        FormatError: the port is taken.

    """
    for place, file in enumerate(files):
        if place:
            read_run(file)
        else:
            read_protocol(file)
    chosen = free_port(host, port)
    from streamlit.web import cli  # noqa: PLC0415 - half a second that refusals need not wait for

    print(f"rankeval: http://{host}:{chosen}", file=sys.stderr, flush=True)
    sys.argv = ["streamlit", "run", str(_DASHBOARD), *options(host, chosen), "--", *map(str, files)]
    code: int = cli.main(standalone_mode=False) or 0
    return code


def options(host: str, port: int) -> list[str]:
    """Give Streamlit's options.

    They are passed as flags, since a `.streamlit/config.toml` in the user's folder would win over a packaged one.
    """
    values = {
        "server.address": host,
        "server.port": port,
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "server.maxUploadSize": 2000,
        "browser.gatherUsageStats": "false",
        "client.showErrorLinks": "false",
        "client.showErrorDetails": "none",
        "client.toolbarMode": "viewer",
    }
    return [f"--{name}={value}" for name, value in values.items()]


def free_port(host: str, port: int | None) -> int:
    """Find a port that can be listened on.

    Raises:
        FormatError: it is taken, or all that were tried are.

    """
    tried = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED)
    for each in tried:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, each))
            except OSError as error:
                reason = error.strerror
            else:
                return each
    raise refusal(Reading.OPTION, detail=f"--port {tried[-1]} on {host}: {reason}")
