"""Style sheet of a report: screens wide and narrow, light and dark, and paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2433; --muted: #5b6475; --line: #d5dae3;
  --paper: #ffffff; --tint: #f4f6f9; --link: #0b5cad; --warn: #8a5300; --bad: #a3180f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --muted: #a3adbd; --line: #3a4252;
  --paper: #14181f; --tint: #1d232d; --link: #7db7ff; --warn: #f0b95a; --bad: #ff8f85; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial,
  sans-serif; }
header, nav, main, footer { max-width: 46rem; margin: 0 auto; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 3rem 0 .75rem; padding-top: .75rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
li { margin: .3rem 0; overflow-wrap: anywhere; }
.note, .absent, figcaption, caption { color: var(--muted); font-size: .9rem; }
.absent { font-style: italic; }
nav { margin-top: 1.25rem; padding: .75rem 1rem; background: var(--tint); border-radius: .5rem; }
nav ol { margin: 0; padding-left: 1.3rem; columns: 2; column-gap: 2rem; }
nav li { break-inside: avoid; margin: 0 0 .35rem; }
.wide { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.35;
  min-width: min(100%, 30rem); }
caption { text-align: left; padding-bottom: .35rem; font-size: .85rem; }
th, td { padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
th + th, th + td, td + td { padding-left: .25rem; }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
tbody th { font-weight: 500; min-width: 7rem; }
.facts th { color: var(--muted); font-weight: 400; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
  min-width: 3rem; }
thead .number { white-space: normal; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
  font-size: .82rem; }
code { overflow-wrap: anywhere; }
code.short { white-space: nowrap; }
pre { overflow-x: auto; padding: .75rem; background: var(--tint); border-radius: .4rem;
  line-height: 1.4; }
pre code { overflow-wrap: normal; }
figure { margin: 1rem 0; }
figure > svg, figure > img { display: block; max-width: 100%; height: auto; background: #fff;
  padding: .4rem; border-radius: .4rem; }
figure > img { width: 100%; }
figure svg * { stroke-linejoin: round; stroke-linecap: butt; }
figcaption { margin-top: .4rem; }
.side-by-side { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: flex-start; }
.side-by-side > figure { flex: 1 1 18rem; min-width: 0; max-width: 24rem; }
.side-by-side > .wide { flex: 0 1 auto; max-width: 100%; }
.side-by-side table { min-width: 0; }
.side-by-side > figure > svg { width: 100% !important; }
details { margin: .4rem 0; }
summary { cursor: pointer; }
details[open] > summary { margin-bottom: .3rem; }
.members { font-size: .9rem; }
.messages { list-style: none; padding: 0; }
.messages > li { margin: .6rem 0; padding: .5rem .75rem; background: var(--tint);
  border-radius: .4rem; }
.severity { font-size: .75rem; font-weight: 600; text-transform: uppercase;
  letter-spacing: .04em; color: var(--muted); }
.severity.warning { color: var(--warn); }
.severity.error { color: var(--bad); }
.plain { list-style: none; padding: 0; }
.references { font-size: .9rem; }
footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); }
@media (max-width: 34rem) { body { padding: 1rem .75rem 3rem; } nav ol { columns: 1; }
  h1 { font-size: 1.4rem; } }
@page { size: A4; margin: 18mm 16mm; }
@media print { :root { color-scheme: light; --ink: #000; --muted: #444; --line: #bbb;
  --paper: #fff; --tint: #f4f4f4; --link: #000; --warn: #6b4000; --bad: #8a0f08; }
  body { padding: 0; font-size: 10pt; }
  header, nav, main, footer { max-width: none; }
  h2, h3, caption, summary { break-after: avoid; }
  figure, table, .together, .messages > li { break-inside: avoid; }
  .side-by-side > figure { flex: 1 1 40%; max-width: 46%; }
  h2 { margin-top: 8mm; } h3 { margin-top: 4mm; } figure { margin: 2mm 0; }
  th, td { padding-top: .5mm; padding-bottom: .5mm; }
  figcaption, .note, table { font-size: 8.5pt; }
  .wide { overflow: visible; } pre { white-space: pre-wrap; }
  figure > svg, figure > img { padding: 0; }
  a { text-decoration: none; } }
"""
