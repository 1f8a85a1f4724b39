"""Every sentence of the pages is in every catalogue, whole, and the pages read what the catalogue says."""

from __future__ import annotations

import io
import re
from gettext import GNUTranslations
from string import Formatter

import pytest
import translations
from babel.messages.catalog import Catalog, Message

from rankeval.core.contract import Rule
from rankeval.dashboard import language
from rankeval.formats.catalogue import Reading

LOCALES = sorted(folder.name for folder in translations.LOCALES.iterdir())


def named(message: Message) -> tuple[str, str | None]:
    return translations.forms(message.id)[0], message.context


def fields(message: str) -> set[tuple[str, str | None, str | None]]:
    """The fields of a message, with how they are written."""
    return {(name, spec, how) for _, name, spec, how in Formatter().parse(message) if name is not None}


def translated(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


@pytest.fixture(params=LOCALES)
def locale(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class TestCatalogues:
    def test_there_is_one_for_every_language_but_english(self) -> None:
        assert sorted(language._LOCALES.values()) == LOCALES
        assert set(language.LANGUAGES) == {"en", *language._LOCALES}

    def test_every_message_is_there_and_none_that_is_no_longer_said(self, locale: str) -> None:
        said = {named(message) for message in translated(translations.template())}
        catalogue = translations.committed(locale)

        assert {named(message) for message in translated(catalogue)} == said
        assert not catalogue.obsolete

    def test_every_form_is_translated_and_none_is_a_guess(self, locale: str) -> None:
        catalogue = translations.committed(locale)
        for message in translated(catalogue):
            strings = translations.forms(message.string)

            assert len(strings) == (1 if isinstance(message.id, str) else catalogue.num_plurals), message.id
            assert all(string.strip() for string in strings), message.id
            assert not message.fuzzy, message.id

    def test_every_translation_has_the_fields_of_its_message(self, locale: str) -> None:
        for message in translated(translations.committed(locale)):
            expected = fields(translations.forms(message.id)[-1])
            for string in translations.forms(message.string):
                assert fields(string) == expected, message.id

    def test_no_translation_holds_markup(self, locale: str) -> None:
        for message in translated(translations.committed(locale)):
            assert not {"<", ">", "&"} & set("".join(translations.forms(message.string))), message.id

    def test_a_chunk_has_one_name(self) -> None:
        """文本块 in every message that speaks of chunks; 分块 stood for the same."""
        forms = translations.forms
        messages = translated(translations.committed("zh_CN"))
        strings = {re.sub(r"{\w+}", "", forms(each.id)[0]): "".join(forms(each.string)) for each in messages}

        assert [english for english, string in strings.items() if "分块" in string] == []
        assert [english for english, string in strings.items() if "chunk" in english and "文本块" not in string] == []

    def test_it_is_compiled_as_it_stands(self, locale: str) -> None:
        source = translations.source(locale)
        compiled = GNUTranslations(io.BytesIO(translations.as_mo(translations.committed(locale))))
        shipped = GNUTranslations(io.BytesIO(source.with_suffix(".mo").read_bytes()))
        tables = [{key: said for key, said in each._catalog.items() if key} for each in (shipped, compiled)]

        assert tables[0] == tables[1]

    def test_it_is_written_as_the_command_writes_it(self, locale: str) -> None:
        catalogue = translations.committed(locale)
        catalogue.update(translations.template(), no_fuzzy_matching=True)

        assert translations.source(locale).read_bytes() == translations.as_po(catalogue)

    @pytest.mark.parametrize("rule", [*Rule, *Reading])
    def test_every_rule_has_a_translation_to_stand_beside_it(self, locale: str, rule: str) -> None:
        shipped = GNUTranslations(io.BytesIO(translations.source(locale).with_suffix(".mo").read_bytes()))

        assert shipped.gettext(str(rule)) != str(rule)
