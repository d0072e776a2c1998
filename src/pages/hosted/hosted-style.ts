import { html } from '../escaped-html.ts'

/**
 * The style of the customer's pages, for phones first. No font, picture or script is loaded. Codes stay
 * dark on white with a quiet zone, whatever the colors are, because scanners need it.
 */
export const hosted_style = html`
:root {
  color-scheme: light dark;
  --page: #f1f3f4; --card: #ffffff; --ink: #17222c; --quiet: #53616d; --line: #dde2e6;
  --edge: #7d8a95; --act: #1f4e79; --act-over: #173c5e; --on-act: #ffffff; --soft: #f6f8f9;
  --good: #17653f; --bad: #a3271d; --note: #fff1cc; --on-note: #553f00; --note-line: #ecd28a;
  --shade: 0 1px 2px #17222c14, 0 12px 32px #17222c12;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1418; --card: #192026; --ink: #e9eef2; --quiet: #a5b1bb; --line: #303a43;
    --edge: #7b8893; --act: #9ccbf5; --act-over: #bcdcfa; --on-act: #0d2336; --soft: #212a31;
    --good: #82d5a6; --bad: #ffa79d; --note: #3a2f10; --on-note: #ffe3a1; --note-line: #5d4c1d;
    --shade: none;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans",
    "Hiragino Kaku Gothic ProN", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", Meiryo, sans-serif;
  overflow-wrap: anywhere;
}
:lang(ja) { line-break: strict; }
h1:lang(ja), button:lang(ja), .test p:lang(ja), .end p:lang(ja) {
  word-break: auto-phrase;
}
a { color: var(--act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 3px; }

.test { background: var(--note); color: var(--on-note); border-bottom: 1px solid var(--note-line); }
.test p { max-width: 30rem; margin: 0 auto; padding: 0.7rem 1.25rem; font-size: 0.92rem;
  line-height: 1.5; text-align: center; text-wrap: balance; }
.test strong { display: inline-block; margin-right: 0.4em; }

main {
  width: calc(100% - 1.5rem); max-width: 30rem; margin: 0.75rem auto 2rem; padding: 1.5rem 1.25rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 1.1rem;
  box-shadow: var(--shade);
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.3; letter-spacing: -0.01em; text-wrap: balance; }
h2 { margin: 1.75rem 0 0.5rem; font-size: 1.05rem; line-height: 1.4; }
h2 + dl, h2 + p { margin-top: 0.5rem; }
dl + p { margin-top: 1rem; }
p { margin: 0.6rem 0 0; text-wrap: pretty; }
.from { margin: 0 0 0.3rem; color: var(--quiet); font-weight: 600; font-size: 0.95rem; }
.lead { color: var(--quiet); }

dl { margin: 1.25rem 0 0; }
dl > div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.65rem 0;
  border-top: 1px solid var(--line); }
dl > div:last-child { border-bottom: 1px solid var(--line); }
dt { flex: none; max-width: 50%; color: var(--quiet); font-size: 0.92rem; line-height: 1.75; }
dd { margin: 0; text-align: right; font-weight: 600; }
dl > .large, dl > .long { display: block; }
dl > .large { padding: 0.8rem 0; }
.large dt, .long dt { max-width: none; line-height: 1.5; }
.long dd { text-align: left; }
.long time, .long small { display: inline-block; }
.long small { font-size: 0.88rem; font-weight: 400; color: var(--quiet); }
.large dd { text-align: left; text-wrap: balance; font-size: 2.25rem; font-weight: 700; line-height: 1.2;
  letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.digits { font-variant-numeric: tabular-nums; letter-spacing: 0.06em;
  -webkit-user-select: all; user-select: all; }
.large .digits { font-size: 1.65rem; letter-spacing: 0.03em; }
.digits span, figcaption span { margin-right: 0.45em; white-space: nowrap; }
.missing dd { color: var(--bad); }

.code { margin: 1.25rem 0 0; padding: 1.1rem; border: 1px solid var(--line); border-radius: 0.8rem;
  background: #ffffff; color: #000000; text-align: center; forced-color-adjust: none;
  break-inside: avoid; }
.code img { display: block; width: 15rem; height: auto; max-width: 100%; aspect-ratio: 1;
  margin: 0 auto; image-rendering: pixelated; }
.code svg { display: block; width: 100%; height: 5.5rem; }
.code figcaption { margin: 0.5rem 1rem 0; text-wrap: balance; font-size: 0.8rem; line-height: 1.4;
  font-variant-numeric: tabular-nums; }
.bars { margin: 1rem -1.25rem 0; padding: 1rem 0; border-width: 0; border-radius: 0; }

ol { margin: 0.5rem 0 0; padding: 0; list-style: none; counter-reset: step; }
ol li { position: relative; min-height: 1.75rem; margin: 0.75rem 0 0; padding-left: 2.6rem;
  counter-increment: step; }
ol li::before { content: counter(step); position: absolute; left: 0; top: 0; width: 1.75rem;
  height: 1.75rem; border-radius: 50%; background: var(--soft); border: 1px solid var(--line);
  font-size: 0.88rem; font-weight: 700; line-height: 1.6rem; text-align: center; }

form, .actions { display: grid; gap: 0.7rem; margin: 1.5rem 0 0; }
form h2 { margin: 0; }
.trial { padding: 1.1rem; border: 1px dashed var(--edge); border-radius: 0.8rem; }
button, .button {
  display: block; width: 100%; min-height: 3.25rem; margin: 0; padding: 0.75rem 1rem;
  border: 1px solid var(--edge); border-radius: 0.8rem; background: transparent; color: var(--ink);
  font: inherit; font-weight: 600; line-height: 1.4; text-align: center; text-wrap: balance;
  text-decoration: none; cursor: pointer; touch-action: manipulation;
}
button:hover, .button:hover { background: var(--soft); border-color: var(--ink); }
.main { background: var(--act); border-color: var(--act); color: var(--on-act); }
.main:hover { background: var(--act-over); border-color: var(--act-over); }
.faint { min-height: 2.9rem; border-color: transparent; color: var(--quiet); font-weight: 500;
  text-decoration: underline; text-underline-offset: 0.2em; }
.faint:hover { border-color: transparent; color: var(--ink); }
label { display: block; margin: 0 0 0.3rem; font-size: 0.92rem; font-weight: 600; }
input { display: block; width: 100%; min-height: 3rem; padding: 0.6rem 0.8rem; font: inherit;
  color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 0.6rem; }

.end { padding: 2.25rem 1.25rem 1.75rem; text-align: center; }
.end p { text-wrap: balance; }
.end p span { display: inline-block; }
.end .sign { display: block; width: 3.75rem; height: 3.75rem; margin: 0 auto 1rem;
  fill: none; stroke: currentColor; stroke-width: 3; stroke-linecap: round;
  stroke-linejoin: round; color: var(--quiet); }
.end .good { color: var(--good); }
.end .bad { color: var(--bad); }
.end .actions { margin-top: 1.75rem; }

@media (min-width: 40rem) {
  .test p { max-width: none; }
  .bars { margin: 1.25rem 0 0; border-width: 1px; border-radius: 0.8rem; }
  main { margin: clamp(1.5rem, 8vh, 5rem) auto 3rem; padding: 2.25rem; }
  .end { padding: 3rem 2.25rem 2.25rem; }
  h1 { font-size: 1.65rem; }
  .large dd { font-size: 2.6rem; }
  .large .digits { font-size: 2rem; }
}
@media print {
  :root {
    --page: #ffffff; --card: #ffffff; --ink: #000000; --quiet: #333333; --line: #999999;
    --soft: #ffffff; --act: #000000; --note: #ffffff; --on-note: #000000; --note-line: #000000;
    --bad: #000000; --shade: none;
  }
  main { width: auto; max-width: 32rem; margin: 0 auto; padding: 1rem 0; border: 0; }
  form, .actions { display: none; }
  .bars { margin: 1.25rem 0 0; }
  dl > div, li { break-inside: avoid; }
}
`
