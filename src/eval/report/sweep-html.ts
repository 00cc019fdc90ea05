import { counted } from "../counted.ts";
import type { QuestionRow } from "../rows.ts";
import type { Sweep } from "../sweep/sweep.ts";
import { percent, questionsAsked, unread, unscoredOf } from "./figures.ts";
import { escapeHtml, figure, htmlPage, htmlTable, tall } from "./page.ts";
import { narrow, wide } from "./plotter.ts";
import { costChart, curveChart, settingsChart } from "./sweep-charts.ts";
import {
  depthTable,
  RERANKING,
  rerankTable,
  settingsTable,
  sweepChoice,
  sweepDepth,
} from "./sweep-markdown.ts";

/** The sweep as a page of its own: the choice, every setting with both halves, how deep to read, and every question. */
export async function sweepHtml(sweep: Sweep): Promise<string> {
  const { header, rows } = settingsTable(sweep);
  const body = [
    `<h1>Settings tried on “${escapeHtml(sweep.set)}”</h1>`,
    `<p class="soft">${counted(sweep.settings.length, "setting")}, ${questionsAsked(rowsOf(sweep).length, unscoredOf(rowsOf(sweep)))}: half of them choose, the other half confirms. Figures are per cent with 95 % bootstrap intervals.${escapeHtml(unread(sweep))}</p>`,
    `<div class="take"><p>${marked(sweepChoice(sweep))}</p><p>${marked(sweepDepth(sweep))}</p></div>`,
    "<h2>Settings</h2>",
    htmlTable(header, rows),
    rerankHtml(sweep),
    ...(await charts(sweep)),
    depthHtml(sweep),
    questionsHtml(sweep),
  ];
  return htmlPage(`konteks: settings on ${sweep.set}`, body.join("\n"));
}

function rowsOf({ settings }: Sweep): readonly QuestionRow[] {
  return settings[0]?.rows ?? [];
}

/** The bold of our own sentences; everything else is text. */
function marked(markdown: string): string {
  return escapeHtml(markdown).replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>");
}

async function charts(sweep: Sweep): Promise<readonly string[]> {
  const drawn = [
    [
      `${sweep.decisive} of the best settings: above on the questions that choose, below on those held back`,
      settingsChart,
    ],
    ["The taken setting by how many hits are read; the dashed line is the depth to take", curveChart],
    ["Time of a query against quality, a dot for each setting", costChart],
  ] as const;
  return Promise.all(
    drawn.map(async ([caption, draw]) => figure(caption, await draw(sweep, wide), await draw(sweep, narrow))),
  );
}

function rerankHtml(sweep: Sweep): string {
  const { header, rows } = rerankTable(sweep);
  if (rows.length === 0) return "";
  return `<h2>How deep to rerank</h2><p class="soft">${RERANKING}.</p><div class="small">${htmlTable(header, rows)}</div>`;
}

function depthHtml(sweep: Sweep): string {
  const { header, rows } = depthTable(sweep);
  return rows.length === 0
    ? ""
    : `<h2>How deep to read</h2><div class="small">${htmlTable(header, rows)}</div>`;
}

/** What the taken setting finds beside the best one, and beside what most settings find. */
function questionsHtml({ settings, taken, best }: Sweep): string {
  if (taken === undefined || best === undefined) return "";
  const byId = new Map(best.rows.map((row) => [row.id, row]));
  const scored = taken.rows.filter(({ places }) => places.length > 0);
  const finders = findersOf(settings.map(({ rows }) => rows));
  const rows = scored.map((row) => [
    row.text,
    places(row),
    places(byId.get(row.id)),
    `${percent((finders.get(row.id) ?? 0) / settings.length)} %`,
  ]);
  const header = ["question", "taken", "best", "settings that find all"];
  return `<h2>Every question</h2><p class="soft">Where the gold passages are found; “–” is not found.</p><details><summary>Show ${counted(rows.length, "question")}</summary><div class="questions">${tall(htmlTable(header, rows))}</div></details>`;
}

function findersOf(all: readonly (readonly QuestionRow[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of all.flat()) {
    const found = row.places.every((place) => place !== null && place <= 20);
    counts.set(row.id, (counts.get(row.id) ?? 0) + Number(found));
  }
  return counts;
}

function places(row: QuestionRow | undefined): string {
  return (row?.places ?? []).map((place) => place ?? "–").join(", ");
}
