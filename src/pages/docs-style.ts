import { html } from './escaped-html.ts'

/** The style of the documents. No font, picture or script is loaded. */
export const docs_style = html`
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1b2127; --quiet: #55606b; --line: #d3d9df; --soft: #f4f6f8;
  --link: #0b57a4; --get: #0b57a4; --post: #17693a; --patch: #85500a; --delete: #ad2018;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181c; --ink: #e3e8ec; --quiet: #9ba7b2; --line: #353d45; --soft: #1d2328;
    --link: #83bcff; --get: #83bcff; --post: #7ed49b; --patch: #f0b866; --delete: #ff9d94;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: 0.9em/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 0.9rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.45rem; margin: 3rem 0 0.75rem; padding-top: 0.75rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2.25rem 0 0.25rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: 0.95rem; margin: 1.25rem 0 0.25rem; }
p { margin: 0.5rem 0; max-width: 46rem; }
.quiet { color: var(--quiet); }
.method { font: 700 0.85em ui-monospace, Menlo, Consolas, monospace; }
.get { color: var(--get); } .post { color: var(--post); }
.patch, .put { color: var(--patch); } .delete { color: var(--delete); }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: 0.5rem; }
.frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 80rem;
  margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto;
  padding: 2rem 1rem 2rem 1.5rem; font-size: 0.92rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li { margin: 0.3rem 0; }
nav details ul { margin: 0.25rem 0 0.75rem 0.9rem; font-size: 0.92em; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
summary { cursor: pointer; }
main { padding: 2rem 1.5rem 4rem; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1rem; font-size: 0.92rem; }
th code, td code, li code { overflow-wrap: anywhere; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0;
  border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 600; }
tbody th { font-weight: inherit; width: 38%; }
.required { color: var(--delete); font-size: 0.85em; white-space: nowrap; }
footer { padding: 1.5rem; color: var(--quiet); font-size: 0.9rem; text-align: center; }
@media (max-width: 52rem) {
  .frame { display: block; }
  nav { position: static; max-height: none; padding: 1.25rem 1rem 0.5rem;
    border-bottom: 1px solid var(--line); }
  main { padding: 1.25rem 1rem 3rem; }
  table, tbody, tr, tbody th, td { display: block; }
  thead { position: absolute; left: -99rem; }
  tr { border-bottom: 1px solid var(--line); padding: 0.45rem 0; }
  th, td { border: 0; padding: 0.05rem 0; }
  tbody th { font-weight: 600; width: auto; }
  td:empty { display: none; }
  td::before { content: attr(data-label) ": "; color: var(--quiet); }
}
@media print { nav, .skip { display: none; } .frame { display: block; } }
`
