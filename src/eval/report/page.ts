/** Text that is safe inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}

/** A page that needs nothing from the network, in light and dark, wide and narrow. `body` is HTML. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="konteks eval">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

/**
 * An HTML table; cells are text. The first column is a heading of its row, and stays in sight while the others scroll. An
 * interval behind a figure stands below it, so that more columns fit.
 */
export function htmlTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = header.map((cell) => `<th scope="col">${breakable(cell)}</th>`).join("");
  const body = rows.map(([first = "", ...cells]) => {
    const rest = cells.map((cell) => `<td>${cellHtml(cell)}</td>`).join("");
    return `<tr><th scope="row">${escapeHtml(first)}</th>${rest}</tr>`;
  });
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

/** "recall@20" may be parted before its depth. */
function breakable(name: string): string {
  return escapeHtml(name).replaceAll("@", "<wbr>@");
}

function cellHtml(cell: string): string {
  const [, figure, interval] = /^(.*?\d) ((?:± [\d.]+)|(?:\(.+ to .+\)))$/.exec(cell) ?? [];
  if (figure === undefined || interval === undefined) return escapeHtml(cell);
  return `${escapeHtml(figure)} <small>${escapeHtml(interval)}</small>`;
}

/** A table that scrolls within a part of the page. */
export function tall(table: string): string {
  return table.replace('class="scroll"', 'class="scroll tall"');
}

/** A figure drawn for wide and for narrow screens; only the fitting one is shown. */
export function figure(caption: string, wide: string, narrow: string): string {
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption><div class="wide">${wide}</div><div class="narrow">${narrow}</div></figure>`;
}

/** Series colours are of the Okabe–Ito palette, told apart by colour-blind readers; lighter ones for dark. */
const css = `
:root {
  --text: #1c1e21; --soft: #5c6168; --page: #fff; --line: #dcdfe3; --band: #f4f5f7; --shade: #0003; --accent: #0b57b0;
  --series-1: #0072b2; --series-2: #c65500; --series-3: #00805c; --series-4: #a83a80; --series-5: #6b6b00; --series-6: #444b55; --series-7: #4b3fb5; --series-8: #8a4b12; --series-9: #9a1f3d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e7e9ec; --soft: #a2a8b0; --page: #15171a; --line: #33373d; --band: #1e2125; --shade: #000a; --accent: #7db8ff;
    --series-1: #56b4e9; --series-2: #f0a04b; --series-3: #3ecf9f; --series-4: #e79ac7; --series-5: #e3d84f; --series-6: #c3c9d1; --series-7: #a79cf7; --series-8: #d9a878; --series-9: #ff8f9f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
p { margin: .5rem 0; max-width: 44rem; }
.soft { color: var(--soft); }
.take { border-left: 4px solid var(--accent); padding: .25rem 0 .25rem 1rem; margin: 1.25rem 0; }
.take strong { color: var(--accent); }
figure { margin: 1.5rem 0; max-width: 56rem; }
figcaption { color: var(--soft); font-size: .9rem; margin-bottom: .5rem; }
svg { max-width: 100%; height: auto; font-size: 12px; }
.narrow { display: none; }
@media (max-width: 44rem) { .wide { display: none; } .narrow { display: block; } }
/* The shade at an edge says that there is more beyond it; at the end it is covered. */
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: linear-gradient(to left, var(--page) 40%, transparent) right / 3rem 100% no-repeat local, linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat; }
.tall { max-height: 32rem; overflow-y: auto; }
table { border-collapse: collapse; font-size: .8125rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .35rem .45rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th[scope=row], th[scope=col]:first-child { text-align: left; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { background: var(--band); position: sticky; top: 0; font-weight: 600; white-space: normal; vertical-align: bottom; }
tbody th { font-weight: 500; background: var(--page); }
th[scope=row], th[scope=col]:first-child { position: sticky; left: 0; }
thead th:first-child { z-index: 1; }
td small { display: block; color: var(--soft); font-size: .75rem; line-height: 1.2; }
.questions td, .questions th { text-align: left; }
.questions th[scope=row] { white-space: normal; min-width: 16rem; }
.missed td:last-child, .answers td:nth-child(5) { white-space: normal; min-width: 18rem; }
.small table { width: auto; }
.small .scroll { display: inline-block; max-width: 100%; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
@media (max-width: 44rem) {
  th[scope=row] { white-space: normal; min-width: 7rem; }
  .questions th[scope=row] { position: static; min-width: 12rem; }
  .missed thead { display: none; }
  .missed tr, .missed td, .missed th[scope=row] { display: block; border: 0; padding: .15rem .45rem; }
  .missed tr { border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .missed td:nth-child(2) { display: none; }
  .missed td:last-child { color: var(--soft); }
  .answers thead { display: none; }
  .answers tr { display: block; border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .answers th[scope=row], .answers td:nth-child(5) { display: block; border: 0; padding: .15rem .45rem; min-width: 0; }
  .answers td { display: inline-block; border: 0; padding: 0 .45rem; color: var(--soft); }
  .answers td:nth-child(3):not(:empty)::before { content: "fault of "; }
  .answers td:nth-child(4)::before { content: "gold in evidence: "; }
  .answers td:nth-child(6):not(:empty)::before { content: "cites "; }
}
details > summary { cursor: pointer; margin: .5rem 0; color: var(--accent); }
`;
