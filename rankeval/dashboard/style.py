"""How the pages look: one design in light and dark, told by shape and word first and by colour second."""

from __future__ import annotations

STYLE = """
<style>
:root { --rk-up: light-dark(#0b57a4, #8fc1ff); --rk-down: light-dark(#a8420a, #ffb27d);
  --rk-quiet: light-dark(#4c5768, #aeb9c8); --rk-line: light-dark(#d5dbe3, #364152); }

/* The page. */
.block-container { padding: 1rem 2rem 3rem; max-width: 120rem; }
[data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: .7rem; }
[data-testid="stCaptionContainer"] { opacity: 1 !important; }
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] p { color: var(--rk-quiet) !important; }
input::placeholder, textarea::placeholder { color: var(--rk-quiet) !important; opacity: 1 !important; }
/* White on the light blue of the dark theme could not be read. */
[data-testid^="stBaseButton-primary"]:enabled :is(p, kbd) {
  color: light-dark(#ffffff, #12171f) !important; opacity: 1 !important; }
/* A table's buttons are there at once, not after a fade of a quarter of a second. */
[data-testid="stElementToolbar"] { transition: none !important; }
/* It writes an ID that begins with = as a formula; our own downloads do not. */
[data-testid="stElementToolbarButton"]:has([aria-label="Download as CSV"]) { display: none; }
.st-key-navigation { border-bottom: 1px solid var(--rk-line); padding-bottom: .45rem; gap: .5rem !important; }
/* Streamlit marks the focus by the background that marks the page that is open. */
.st-key-navigation a:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }
.rk-name { font-weight: 700; font-size: 1.1rem; letter-spacing: .01em; }
.st-key-table-side { position: sticky; top: .8rem; }
@media (max-width: 62rem) {
  .st-key-bench > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] { flex-direction: column; }
  .st-key-bench > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] > div { width: 100%; }
  .st-key-table-side { position: static; }
}

/* Words and figures. */
.rk { line-height: 1.45; }
.rk bdi, .rk .doc { overflow-wrap: anywhere; }
.rk .quiet { color: var(--rk-quiet); }
.rk .up { color: var(--rk-up); }
.rk .down { color: var(--rk-down); }
.rk .absent { padding: .2rem 0; border-top: 1px solid var(--rk-line); }
.rk-small { font-size: .88rem; }
.rk-bar { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; align-items: baseline; font-size: .93rem; }
.rk-bar b { font-size: 1.02rem; }
.rk-bar code { font-size: .86rem; background: none; color: inherit; padding: 0; }
.rk-flag { border: 1px solid currentColor; border-radius: 4px; padding: 0 .4rem; font-size: .82rem; }
.rk-counts { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; font-size: .93rem; }
.rk-counts b { color: light-dark(#1c2430, #e6ebf2); }
.rk-verdict { font-size: 1.32rem; font-weight: 650; line-height: 1.4; }
.rk-means { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem; }
.rk-mean { border: 1px solid var(--rk-line); border-radius: 6px; padding: .4rem .8rem; }
.rk-mean .top { display: flex; flex-wrap: wrap; gap: 0 .9rem; align-items: baseline; }
.rk-mean .delta { font-size: 1.35rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.rk-mean .sides { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.rk-mean .sides > span { display: inline-block; margin-right: .15rem; }
.rk-about summary { cursor: pointer; }

.rk-heading { font-size: 1.12rem !important; font-weight: 650; margin: .9rem 0 0; padding: 0 !important; }
.rk-facts { display: grid; grid-template-columns: max-content 1fr; gap: 0 .6rem; }
.rk-facts b { text-align: right; font-variant-numeric: tabular-nums; }
.rk-effect { border-left: 4px solid var(--rk-down); padding-left: .6rem; margin: .3rem 0; }
.rk-versus { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; font-variant-numeric: tabular-nums; }
.rk-null { border: 1px solid var(--rk-line); border-radius: 6px; padding: .35rem .7rem; margin: .4rem 0; }
.rk-null summary { cursor: pointer; }

.rk-hints { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: .3rem 2rem; margin: 0;
  padding: .5rem 0 .2rem 1.2rem; font-size: .93rem; color: var(--rk-quiet); }
.rk-hints[hidden] { display: none; }
.rk-hints-close { border: 0; background: none; color: inherit; text-decoration: underline; font: inherit;
  font-size: .88rem; padding: 0 0 0 1.2rem; cursor: pointer; }
.rk-matrix-place { overflow-x: auto; }
.rk-matrix { border-collapse: collapse; line-height: 1.45; }
.rk-matrix th, .rk-matrix td { border: 1px solid var(--rk-line); padding: .15rem .5rem; text-align: right; }
.rk-matrix th { font-weight: 500; max-width: 12rem; overflow-wrap: break-word; }
.rk-matrix th[scope="row"], .rk-matrix th:first-child { text-align: left; }
.rk-matrix td { padding: 0; text-align: right; color: var(--rk-quiet); min-width: 4rem; }
.rk-matrix td:not(:has(button)) { padding-right: .6rem; }
.rk-cell { all: unset; box-sizing: border-box; width: 100%; padding: .3rem .6rem; cursor: pointer; }
.rk-cell { color: light-dark(#0b57a4, #8fc1ff); font-variant-numeric: tabular-nums; text-decoration: underline; }
.rk-cell:hover { background: var(--rk-line); }
.rk-cell:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }

.rk-settled { border-top: 1px solid var(--rk-line); margin-top: .35rem; padding-top: .25rem; }
.rk-said { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: .4rem 1.2rem; }

/* One query. */
.rk-need { border-left: 4px solid light-dark(#1f5fae, #7fb2ff); padding: .1rem 0 .1rem .7rem; }
.rk-need + .rk { margin-top: .7rem; }
.rk-need .words { font-size: 1.08rem; font-weight: 550; }
.rk-moved { font-size: 1.06rem; font-weight: 600; margin: 0 0 .5rem; }
.rk-ways { display: grid; grid-template-columns: minmax(0, 5fr) minmax(3rem, 3fr) minmax(0, 5fr); }
.rk-ways .station { height: 1.55rem; display: flex; gap: .45rem; align-items: center; font-size: .88rem; }
.rk-ways .station .doc { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; min-width: 0; }
.rk-ways .station.relevant { font-weight: 650; color: var(--rk-up); }
.rk-ways .rank { min-width: 1.4rem; text-align: right; font-variant-numeric: tabular-nums; }
.rk-ways .other { color: var(--rk-quiet); font-variant-numeric: tabular-nums; font-weight: 400; padding-right: .4rem; }
.rk-ways { position: relative; --row: 1.55rem; margin-bottom: .6rem; }
.rk-ways .ways { position: relative; overflow: hidden; height: calc(var(--rows) * var(--row)); }
.rk-ways .cut { position: absolute; left: 0; right: 0; top: calc(var(--cut) * var(--row)); }
.rk-ways .cut { border-top: 2px dashed currentColor; }
.rk-ways .way { position: absolute; left: 0; right: 0; --wide: .75px; --ink: light-dark(#a9b3c1, #5b687a);
  top: calc((var(--from) - .5) * var(--row)); height: calc((var(--to) - var(--from)) * var(--row)); }
.rk-ways .way.relevant { --wide: 1.6px; --ink: var(--rk-up); z-index: 1; }
.rk-ways .way.relevant.fell { --ink: var(--rk-down); }
.rk-ways .way.fell { --corner: to bottom left; }
.rk-ways .way.rose { --corner: to bottom right; }
.rk-ways .way.kept { height: calc(2 * var(--wide)); margin-top: calc(-1 * var(--wide)); background: var(--ink); }
.rk-ways .way.fell, .rk-ways .way.rose { background: linear-gradient(var(--corner), transparent calc(50% - var(--wide)),
  var(--ink) calc(50% - var(--wide)), var(--ink) calc(50% + var(--wide)), transparent calc(50% + var(--wide))); }
.rk-two { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem; }
.rk-two > div { min-width: 0; }
.rk-side { font-weight: 650; border-bottom: 2px solid currentColor; padding-bottom: .15rem; margin-bottom: .4rem; }
.rk-doc { border: 1px solid var(--rk-line); border-left-width: 5px; border-radius: 6px; padding: .35rem .55rem; }
.rk-doc { margin: .35rem 0; }
.rk-doc.relevant { border-left-color: var(--rk-up); }
.rk-doc .head { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; }
.rk-doc .rank { font-weight: 700; font-variant-numeric: tabular-nums; }
.rk-doc .badge { font-size: .82rem; white-space: nowrap; }
.rk-doc .badge.relevant { font-weight: 700; color: var(--rk-up); }
.rk-doc .other { font-size: .82rem; color: var(--rk-quiet); }
.rk-doc .body { font-size: .9rem; margin-top: .15rem; }
.rk-doc summary { cursor: pointer; }
.rk-cut { display: flex; align-items: center; gap: .5rem; font-size: .8rem; font-weight: 650; margin: .55rem 0; }
.rk-cut::before, .rk-cut::after { content: ""; flex: 1; border-top: 2px dashed currentColor; }
@media (max-width: 40rem) { .rk-two { grid-template-columns: 1fr; } }

/* What became of a file. */
.rk-card .file { font-weight: 650; }
.rk-card .rule { font-size: 1.02rem; font-weight: 600; margin: .2rem 0; }
.rk-card ul { margin: .2rem 0 0; padding-left: 1.2rem; }
.rk-card code { background: none; color: inherit; padding: 0; font-size: .88rem; }
.rk-title { font-weight: 650; font-size: 1.05rem; overflow-wrap: anywhere; }
.rk-holds { color: var(--rk-up); font-weight: 600; margin-top: .3rem; }
.rk-prints b { text-align: left; }
.rk-prints code, .rk-text { overflow-wrap: anywhere; }
.rk-text { white-space: pre-wrap; }
.st-key-read-pane { max-height: 44rem; overflow: auto; }
@media (max-width: 62rem) {
  :is(.st-key-data-load, .st-key-data-loaded, .st-key-data-reader, .st-key-read-bench)
    > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) {
    flex-direction: column; }
  .st-key-data-load > [data-testid="stLayoutWrapper"]
    > [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) {
    flex-direction: column-reverse; }
  :is(.st-key-data-load, .st-key-data-loaded, .st-key-data-reader, .st-key-read-bench)
    > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] > [data-testid="stColumn"] { width: 100%; }
}
.rk-asks { border-left: 4px solid var(--rk-down); padding: .1rem 0 .1rem .7rem; font-weight: 600; }
</style>
"""
