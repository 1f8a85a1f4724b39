from __future__ import annotations

from gettext import NullTranslations
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from rankeval.dashboard import language
from rankeval.dashboard.language import Later, later, later_n, shown

APP = str(Path(__file__).parents[3] / "app.py")


def visit(locale: str, **address: str) -> AppTest:
    """A visitor whose browser prefers a language."""
    app = AppTest.from_file(APP, default_timeout=30)
    app.context = {"locale": locale}
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def html_of(app: AppTest) -> str:
    assert not app.exception
    return " ".join(str(each.proto.body) for each in app.get("html"))


IN_CHINESE = "fixture_B 相比 fixture_A：1 个变好，1 个变差，1 个进入；Recall +1/3，MRR +1/3；A 缺失 q4；1 个空值"
IN_ENGLISH = "fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3;"


class TestCurrent:
    @pytest.mark.parametrize("locale", ["zh", "zh-CN", "zh-Hans", "zh_SG"])
    def test_the_browser_decides(self, locale: str) -> None:
        assert IN_CHINESE in html_of(visit(locale))

    @pytest.mark.parametrize("locale", ["en-GB", "de", "zh-TW", "zh-Hant-HK", ""])
    def test_english_where_there_is_no_catalogue(self, locale: str) -> None:
        assert IN_ENGLISH in html_of(visit(locale))

    def test_the_address_decides_before_the_browser(self) -> None:
        assert IN_ENGLISH in html_of(visit("zh-CN", lang="en"))
        assert IN_CHINESE in html_of(visit("en-GB", lang="zh"))

    def test_a_language_that_there_is_not_is_said_and_the_browser_decides(self) -> None:
        app = visit("zh-CN", lang="xx")

        assert IN_CHINESE in html_of(app)
        assert any("'xx'" in each.value for each in app.text)

    def test_english_where_nobody_visits(self) -> None:
        assert language.current() == "en"

    def test_two_visitors_in_turn_each_read_their_own(self) -> None:
        """In turn: AppTest gives all the apps of a process one runtime, and takes it from a script that still runs.

        That visitors at once keep their languages is for `tests/browser/test_languages.py` to show, on a real server.
        """
        visitors = {IN_CHINESE: visit("zh-CN"), IN_ENGLISH: visit("en-GB")}
        for _ in range(2):
            read = {own: html_of(app.run()) for own, app in visitors.items()}

            assert (IN_CHINESE in read[IN_CHINESE], IN_ENGLISH in read[IN_CHINESE]) == (True, False)
            assert (IN_CHINESE in read[IN_ENGLISH], IN_ENGLISH in read[IN_ENGLISH]) == (False, True)


class TestSwitch:
    def test_another_language_is_one_click_away_and_stays(self) -> None:
        app = visit("zh-CN", query="q3")
        app.segmented_control(key="language").set_value("English").run()
        assert IN_ENGLISH in html_of(app)
        assert (app.query_params["lang"], app.query_params["query"]) == ("en", "q3")

        next(button for button in app.button if "A help centre" in button.label).click().run()

        assert "char_ngrams against bm25" in html_of(app)


class TestLater:
    def test_it_is_english_until_it_is_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kept = later("loaded as {name!r}", name="b")
        counted = later_n("{count} document", "{count} documents", 1)
        assert (kept, counted, shown(kept), shown("as it is")) == (
            "loaded as 'b'",
            "1 document",
            "loaded as 'b'",
            "as it is",
        )

        monkeypatch.setattr(language, "current", lambda: "zh")

        assert [shown(each) for each in (kept, counted, "as it is")] == ["已加载为 'b'", "1 个文档", "as it is"]

    def test_a_sentence_of_the_core_is_kept_as_what_makes_it(self) -> None:
        class Loud(NullTranslations):
            def gettext(self, message: str) -> str:
                return message.upper()

        assert Later(lambda words: words.gettext("loud")).say(Loud()) == "LOUD"


class TestBeside:
    def test_a_translation_stands_beside_a_rule_only_where_there_is_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert language.beside("the file is empty") == ""
        monkeypatch.setattr(language, "current", lambda: "zh")

        assert language.beside("the file is empty") == "文件为空"
        assert language.beside("no sentence of ours") == ""
        assert language.beside("") == ""
