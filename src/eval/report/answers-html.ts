import type { AnswersResult } from "../answers/run-answers.ts";
import { answersChart } from "./answers-chart.ts";
import {
  answerFigures,
  answerSentences,
  faultName,
  inEvidence,
  oneLine,
  wrongAnswers,
} from "./answers-markdown.ts";
import { escapeHtml, figure, htmlPage, htmlTable, tall } from "./page.ts";
import { narrow, wide } from "./plotter.ts";

/** Answers as a page of their own. */
export async function answersHtml(result: AnswersResult): Promise<string> {
  const body = `<h1>Answers on “${escapeHtml(result.set)}”</h1>\n${await answersSection(result)}`;
  return htmlPage(`konteks: answers on ${result.set}`, body);
}

/** The same as a part of another page: figures, what came of the questions, what went wrong, and every answer. */
export async function answersSection(result: AnswersResult): Promise<string> {
  const figures = answerFigures(result);
  return [
    ...answerSentences(result).map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    `<div class="small">${htmlTable(figures.header, figures.rows)}</div>`,
    figure(
      "What came of the questions, and whether the gold passage was in the evidence",
      await answersChart(result, wide),
      await answersChart(result, narrow),
    ),
    wrongHtml(result),
    everyAnswer(result),
  ].join("\n");
}

function wrongHtml(result: AnswersResult): string {
  const { header, rows } = wrongAnswers(result);
  if (rows.length === 0) return "<h3>Wrong answers</h3><p>None.</p>";
  return `<h3>Wrong answers</h3><div class="questions answers">${tall(htmlTable(header, rows))}</div>`;
}

function everyAnswer({ rows, model }: AnswersResult): string {
  const header = ["question", "came out", "fault of", "gold in evidence", "answer", "cites"];
  const cells = rows.map((row) => [
    row.text,
    row.outcome,
    row.fault === undefined ? "" : faultName(row.fault, model),
    inEvidence(row),
    oneLine(row.answer.text),
    [...new Set(row.answer.citations.map(({ documentId }) => documentId))].join(", "),
  ]);
  return `<details><summary>Show ${rows.length === 1 ? "the answer" : `all ${rows.length} answers`}</summary><div class="questions answers">${tall(htmlTable(header, cells))}</div></details>`;
}
