from __future__ import annotations

import socket

import pytest

import rankeval
from rankeval.serve import free_port, options


class TestFreePort:
    def test_a_port_that_is_taken_is_refused_when_it_was_named(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]

            with pytest.raises(rankeval.FormatError, match=f"--port {port} on 127.0.0.1"):
                free_port("127.0.0.1", port)

    def test_a_free_port_is_taken(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]

        assert free_port("127.0.0.1", port) == port

    def test_some_port_is_found_where_none_is_named(self) -> None:
        assert 8501 <= free_port("127.0.0.1", None) < 8551


class TestOptions:
    def test_this_machine_alone_and_nothing_sent(self) -> None:
        given = options("127.0.0.1", 8501)

        assert "--server.address=127.0.0.1" in given
        assert "--browser.gatherUsageStats=false" in given
        assert "--client.showErrorLinks=false" in given
        assert "--server.allowedHosts=localhost" in given
        assert "--theme.light.backgroundColor=#ffffff" in given

    def test_who_listens_to_the_network_is_reached_under_any_name(self) -> None:
        assert not [flag for flag in options("0.0.0.0", 8501) if "allowedHosts" in flag]  # noqa: S104 - what is tested
