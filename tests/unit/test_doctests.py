from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import rankeval

MODULES = [
    module.name
    for module in pkgutil.walk_packages(rankeval.__path__, "rankeval.")
    if not module.name.endswith(("__main__", "migrations.env")) and "sample_data" not in module.name
]


class TestExamples:
    @pytest.mark.parametrize("name", MODULES)
    def test_examples_in_docstrings_come_out_as_they_say(self, name: str) -> None:
        assert doctest.testmod(importlib.import_module(name)).failed == 0

    def test_there_are_examples(self) -> None:
        assert doctest.testmod(importlib.import_module("rankeval.core.scoring")).attempted > 0
