import type { AnswerRow, Fault, Outcome } from "../answers/judge-answer.ts";
import type { AnswersResult } from "../answers/run-answers.ts";
import { answerMetrics } from "../metrics/answer-metrics.ts";
import { dollars, questionsAsked, unread, withInterval } from "./figures.ts";
import { type Table, table, width } from "./table.ts";

/** Wrong answers that a terminal shows; the page and the JSON have all. */
const SHOWN = 20;

/**
 * Answers as Markdown that is also readable on a terminal: the figures, what came of the questions, and what went wrong
 * with the fault of each. With `columns` long cells are cut and long lists are shortened.
 */
export function answersMarkdown(result: AnswersResult, columns?: number): string {
  const figures = answerFigures(result);
  const wrong = wrongAnswers(result);
  const shown = columns === undefined ? wrong.rows : wrong.rows.slice(0, SHOWN);
  const more = wrong.rows.length - shown.length;
  return [
    table(figures.header, figures.rows),
    "",
    ...answerSentences(result),
    ...(shown.length === 0
      ? []
      : [
          "",
          table(wrong.header, columns === undefined ? shown : cut(shown, wrong.header, columns), [1, 2, 4]),
        ]),
    ...(more > 0 ? [`… and ${more} more; --report has all.`] : []),
  ].join("\n");
}

/** Each metric with its interval and the questions it rests on. */
export function answerFigures({ summary }: AnswersResult): Table {
  const rows = Object.keys(answerMetrics).flatMap((name) => {
    const interval = summary[name];
    return interval === undefined ? [] : [[name, withInterval(interval), String(interval.n)]];
  });
  return { header: ["metric", "per cent", "questions"], rows };
}

/** Who answered and graded, what came of it, and where the fault lies. */
export function answerSentences(result: AnswersResult): readonly string[] {
  const { model, grader, outcomes, faults, rows, cost } = result;
  const by = model === undefined ? "Answers are extracts, no model was asked" : `Answers by ${model}`;
  const told =
    grader === undefined
      ? "an answer counts as right when it cites a gold passage"
      : `each was graded ${grader.runs} times by ${grader.model}`;
  const counts = (Object.keys(outcomes) as Outcome[])
    .filter((name) => outcomes[name] > 0)
    .map((name) => `${outcomes[name]} ${name}`);
  const failed = faults.retrieval + faults.answer;
  return [
    `${by}; ${told}. ${questionsAsked(rows.length, 0)}: ${counts.join(", ")}.${unread(result)}`,
    ...(failed === 0
      ? []
      : [
          `Of ${failed} that did not come out right, ${faults.retrieval} lacked a passage that answers (a fault of retrieval), and ${faults.answer} had all there is (a fault of ${model === undefined ? "the choice of extracts" : "the model"}).`,
        ]),
    ...(rows.some(({ answer }) => answer.whole)
      ? ["All documents were sent with the question, as they fit the prompt: nothing was searched for."]
      : []),
    ...(model === undefined ? [] : [`A thousand such answers cost ${dollars(cost.thousandAnswers)}.`]),
  ];
}

/** Questions that did not come out right, those that retrieval failed first. */
export function wrongAnswers({ rows, model }: AnswersResult): Table {
  const wrong = rows.filter(({ outcome }) => outcome !== "right" && outcome !== "not scored");
  const order = ["retrieval", "answer", undefined];
  const sorted = wrong.toSorted((a, b) => order.indexOf(a.fault) - order.indexOf(b.fault));
  return {
    header: ["question", "came out", "fault of", "gold in evidence", "answer"],
    rows: sorted.map((row) => [
      row.text,
      row.outcome,
      faultName(row.fault, model),
      inEvidence(row),
      oneLine(row.answer.text),
    ]),
  };
}

export function faultName(fault: Fault | undefined, model: string | undefined): string {
  if (fault === "answer") return model === undefined ? "extracts" : "the model";
  return fault ?? "–";
}

/** "1 of 2" passages; "–" for a question without gold. */
export function inEvidence({ places }: AnswerRow): string {
  const there = places.filter((place) => place !== null).length;
  return places.length === 0 ? "–" : `${there} of ${places.length}`;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Question and answer share what the other columns leave. */
function cut(rows: Table["rows"], header: Table["header"], columns: number): Table["rows"] {
  const short = [1, 2, 3];
  const taken = short.map((column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const left = columns - taken.reduce((sum, size) => sum + size, 0) - 3 * header.length - 1;
  const room = Math.max(15, Math.floor(left / 2));
  return rows.map((row) =>
    row.map((cell, column) => (short.includes(column) ? cell : shortened(cell, room))),
  );
}

function shortened(text: string, room: number): string {
  if (width(text) <= room) return text;
  let cut = "";
  for (const sign of text) {
    if (width(cut + sign) > room - 1) break;
    cut += sign;
  }
  return `${cut.trimEnd()}…`;
}
