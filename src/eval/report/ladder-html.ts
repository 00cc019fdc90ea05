import { counted } from "../counted.ts";
import type { Ladder } from "../ladder/ladder.ts";
import { answersSection } from "./answers-html.ts";
import { depthChart, ladderChart, latencyChart } from "./charts.ts";
import { questionsAsked, unread } from "./figures.ts";
import { ASIDE, answersOver, CHANGES, ladderCells, ladderChanges, ladderHeader } from "./ladder-markdown.ts";
import { escapeHtml, figure, htmlPage, htmlTable, tall } from "./page.ts";
import { narrow, wide } from "./plotter.ts";
import { type QuestionStory, questionStories } from "./questions.ts";

/** The ladder as a page of its own: table, charts, advice, and what became of every question. */
export async function ladderHtml(ladder: Ladder): Promise<string> {
  const stories = questionStories(ladder.steps);
  const body = [
    `<h1>What contextual retrieval brings on “${escapeHtml(ladder.set)}”</h1>`,
    `<p class="soft">${questionsAsked(ladder.questions, ladder.unscored)}; ${counted(ladder.steps.length, "step")}. Figures are per cent with 95 % bootstrap intervals; changes are paired, question by question, against the step before. “≈” marks a change that these questions cannot tell from chance.${escapeHtml(unread(ladder))}</p>`,
    adviceHtml(ladder),
    "<h2>The ladder</h2>",
    htmlTable(
      ladderHeader(ladder),
      ladder.steps.map((step) => ladderCells(step, ladder)),
    ),
    changesHtml(ladder),
    ladder.steps.some(({ aside }) => aside) ? `<p class="soft">${escapeHtml(ASIDE)}</p>` : "",
    skippedHtml(ladder),
    ...(await charts(ladder)),
    missedHtml(stories, ladder),
    await answersHtmlOf(ladder),
    allQuestionsHtml(stories, ladder),
  ];
  return htmlPage(`konteks: ${ladder.set}`, body.join("\n"));
}

async function charts(ladder: Ladder): Promise<readonly string[]> {
  const drawn = [
    ["Share of gold passages found, by step, with 95 % intervals", ladderChart],
    ["Recall by how many hits are read", depthChart],
    ["Time of a query against recall@20", latencyChart],
  ] as const;
  return Promise.all(
    drawn.map(async ([caption, draw]) =>
      figure(caption, await draw(ladder, wide), await draw(ladder, narrow)),
    ),
  );
}

function adviceHtml({ advice }: Ladder): string {
  const take = advice.take === undefined ? "" : `<strong>Take “${escapeHtml(advice.take)}”.</strong> `;
  const uncertain = advice.uncertain.map((name) => `“${escapeHtml(name)}”`).join(", ");
  const note =
    uncertain === "" ? "" : `<p class="soft">Not certainly better than the step before: ${uncertain}.</p>`;
  return `<div class="take"><p>${take}${escapeHtml(advice.reasons.join(" "))}</p>${note}</div>`;
}

function changesHtml(ladder: Ladder): string {
  const { header, rows } = ladderChanges(ladder);
  return rows.length === 0 ? "" : `<p class="soft">${CHANGES}:</p>${htmlTable(header, rows)}`;
}

function skippedHtml({ skipped }: Ladder): string {
  return skipped
    .map((step) => `<p class="soft">“${escapeHtml(step.name)}” is left out: ${escapeHtml(step.skipped)}.</p>`)
    .join("\n");
}

function missedHtml(stories: readonly QuestionStory[], { steps }: Ladder): string {
  const missed = stories.filter((story) => story.missed > 0);
  const last = steps.at(-1)?.name ?? "";
  if (missed.length === 0) return `<h2>Missed questions</h2><p>“${escapeHtml(last)}” misses none.</p>`;
  const rows = missed.map((story) => [story.text, String(story.missed), story.reason]);
  return `<h2>Missed questions</h2><p class="soft">${missed.length} of ${counted(stories.length, "question")} ${missed.length === 1 ? "has" : "have"} a gold passage that “${escapeHtml(last)}” does not find.</p><div class="questions missed">${tall(htmlTable(["question", "passages missed", "why"], rows))}</div>`;
}

async function answersHtmlOf({ answers, advice }: Ladder): Promise<string> {
  if (answers === undefined) return "";
  return `<h2>Answers over “${escapeHtml(answers.step)}”</h2><p class="soft">${escapeHtml(answersSentence(advice))}</p>${await answersSection(answers)}`;
}

function answersSentence(advice: Ladder["advice"]): string {
  const text = answersOver({ advice }).replaceAll("`", "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function allQuestionsHtml(stories: readonly QuestionStory[], { steps }: Ladder): string {
  const rows = stories.map((story) => [story.text, ...story.places]);
  const header = ["question", ...steps.map(({ name }) => name)];
  return `<h2>Every question</h2><p class="soft">Where each step finds the gold passages; “–” is not found.</p><details><summary>Show ${counted(stories.length, "question")}</summary><div class="questions">${tall(htmlTable(header, rows))}</div></details>`;
}
