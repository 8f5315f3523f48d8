"""CSS of study pages: responsive, with dark mode and print."""

from typing import Final

STYLE: Final = """
:root {
  color-scheme: light dark;
  --paper: #f6f0e4; --mat: #ebe0c9; --card: #fffdf7; --ink: #2a2420; --faint: #665b4e;
  --line: #d3c4a8; --first: #0d5f70; --second: #96205f; --accent: #7d4b00; --good: #2d6a35;
  --on: #fffdf7; --tint-first: #7cc3cf; --tint-second: #eda0c4; --tint-use: #e2b75c;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia,
    "Liberation Serif", serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #1c1916; --mat: #28231e; --card: #332d27; --ink: #f2eadd; --faint: #b5a896;
    --line: #4d443a; --first: #74d4e2; --second: #f69cc6; --accent: #f0bd62; --good: #93d69a;
    --on: #1c1916; --tint-first: #14606e; --tint-second: #85305f; --tint-use: #7a5610;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--sans);
  overflow-wrap: break-word; }
main, header, footer { max-width: 66rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.2rem; } footer { padding-bottom: 3rem; }
h1, h2, h3 { font-family: var(--serif); line-height: 1.2; }
h1 { font-size: clamp(1.6rem, 1.2rem + 1.8vw, 2.4rem); margin: .2rem 0; }
h2 { font-size: 1.35rem; margin: 0 0 .4rem; } h3 { font-size: 1.05rem; margin: 1rem 0 .3rem; }
p { margin: .5rem 0; } .faint, small { color: var(--faint); } small { font-size: .88rem; }
a { color: var(--first); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { font: .9em ui-monospace, "Liberation Mono", monospace; background: var(--mat);
  padding: .05em .35em; border-radius: .3em; overflow-wrap: anywhere; }
.contents { display: flex; flex-wrap: wrap; gap: .3rem 1rem; padding: 0; margin: .8rem 0;
  list-style: none; font-size: .95rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
  padding: 1.1rem 1.2rem; margin: 1rem 0; }
.how { float: right; margin: .25rem 0 0 .6rem; padding: 0 .55em; border: 1px solid var(--line);
  border-radius: 1em; font-size: .8rem; color: var(--faint); }
.verdict { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .65rem 1.4rem;
  margin: .4rem 0; font-size: 1.05rem; }
.verdict dt { font: 700 1.05rem/1.5 var(--serif); } .verdict dd { margin: 0; }
.words dt { font-weight: 700; margin-top: .7rem; }
.words dt span { font-weight: 400; color: var(--faint); } .words dd { margin: 0; }
.claim { border-top: 1px solid var(--line); padding: .2rem 0 .5rem; }
.claim h3 { margin: .6rem 0 .2rem; }
blockquote { margin: .2rem 0; padding-left: .8rem; border-left: .25rem solid var(--line);
  font-family: var(--serif); font-style: italic; }
.badge { display: inline-block; padding: .05em .6em; margin-right: .5em; border-radius: 1em;
  font: 700 .85rem/1.6 var(--sans); background: var(--accent); color: var(--on); }
.badge.yes, .badge.no, .badge.partly { background: var(--faint); }
.badge.holds { background: var(--good); } .badge.fails { background: var(--second); }
.side { display: grid; gap: 0 2rem; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); }
figure { margin: .6rem 0 1rem; min-width: 0; }
figcaption { font-weight: 600; margin-bottom: .3rem; }
figcaption small { display: block; font-weight: 400; }
svg { display: block; max-width: 100%; height: auto; overflow: visible; }
svg text { font: 12px var(--sans); fill: var(--ink); font-variant-numeric: tabular-nums; }
svg .cell { font-size: 11px; } svg .axis { fill: var(--faint); }
svg .row, svg .one { fill: var(--first); } svg .column, svg .two { fill: var(--second); }
svg .row, svg .column, svg .plain { font-weight: 700; }
svg .plate { fill: var(--mat); } svg .grid { stroke: var(--line); stroke-width: 1; }
svg .mark { stroke: var(--accent); stroke-width: 1.5; stroke-dasharray: 4 3; }
svg .draw { fill: var(--faint); } svg .endless { fill: var(--accent); }
svg .t1 { fill: var(--tint-first); } svg .t2 { fill: var(--tint-second); }
svg .t3 { fill: var(--tint-use); } svg .inside { fill: var(--on); font-weight: 600; }
svg .path { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
svg .path.one { fill: none; stroke: var(--first); }
svg .path.two { fill: none; stroke: var(--second); stroke-dasharray: 6 3; }
.key { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: 0; margin: .2rem 0;
  list-style: none; font-size: .9rem; }
.key li::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .4em;
  border-radius: .2em; background: var(--swatch); }
.key .one { --swatch: var(--first); } .key .two { --swatch: var(--second); }
.key .draw { --swatch: var(--faint); } .key .endless { --swatch: var(--accent); }
table { position: relative; border-collapse: collapse; width: 100%; margin: .5rem 0;
  font-size: .95rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .4rem; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
thead th { font-size: .88rem; vertical-align: bottom; color: var(--faint); }
tbody th { font-weight: 600; }
.now th, .now td { background: var(--mat); }
details { margin: .3rem 0; } summary { cursor: pointer; color: var(--first); font-size: .92rem; }
.scroll { overflow-x: auto; } .scroll table { width: auto; font-size: .85rem; }
@media (max-width: 40rem) {
  main, header, footer { padding-left: .75rem; padding-right: .75rem; }
  section { padding: .9rem .7rem; }
  .verdict { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .verdict dd { margin-bottom: .7rem; }
  table { font-size: .88rem; } th, td { padding: .3rem .2rem; }
  thead th { font-size: .8rem; }
  .stack, .stack tbody, .stack tr, .stack th, .stack td { display: block; }
  .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
  .stack tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .stack th, .stack td { border: 0; padding: .05rem .3rem; text-align: left; }
  .stack td { display: flex; justify-content: space-between; gap: 1rem; text-align: right; }
  .stack td:empty { display: none; }
  .stack td::before { content: attr(data-head); color: var(--faint); text-align: left; }
}
@media print {
  @page { margin: 15mm; }
  :root { color-scheme: light; }
  body { background: none; font-size: 10pt; } main, header, footer { max-width: none; padding: 0; }
  section { background: none; border: 0; border-top: 1px solid var(--line); border-radius: 0;
    padding: .6rem 0; }
  table { font-size: .82rem; } thead th { font-size: .75rem; }
  .contents, details { display: none; }
  figure, tr, .claim, .verdict div, .words div { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; }
  .badge, .now th, .now td, .key li::before, code {
    print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  a { color: inherit; }
}
"""
