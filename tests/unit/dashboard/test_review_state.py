"""What a visitor of the Review page is in the middle of."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def a_second_click() -> None:
    """Click on Save again when the first click has saved the draft and let go of it."""
    import streamlit as st  # noqa: PLC0415 - AppTest runs the body alone

    from rankeval.core.review import Verdict  # noqa: PLC0415
    from rankeval.dashboard import review_queue  # noqa: PLC0415
    from rankeval.dashboard.review_state import Draft  # noqa: PLC0415

    draft = Draft.begin("round", "q1", None)
    draft.choose(Verdict.EQUAL)
    st.text(f"{draft.verdict}")
    draft.forget()
    review_queue._save(None, None, None, draft)
    st.text(f"{draft.verdict}")


class TestDraft:
    def test_a_second_click_on_save_does_nothing(self) -> None:
        app = AppTest.from_function(a_second_click, default_timeout=30).run()

        assert not app.exception
        assert [each.value for each in app.text] == ["equal", "None"]
