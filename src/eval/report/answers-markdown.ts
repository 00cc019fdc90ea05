import type { AnswerRow, Fault, Outcome } from "../answers/judge-answer.ts";
import type { AnswersResult } from "../answers/run-answers.ts";
import { counted } from "../counted.ts";
import { answerMetrics } from "../metrics/answer-metrics.ts";
import { dollars, questionsAsked, unread, withInterval } from "./figures.ts";
import { type Table, table, tables, width } from "./table.ts";

/** Wrong answers that a terminal shows; the page and the JSON have all. */
const SHOWN = 20;

/**
 * Answers as Markdown that is also readable on a terminal: the figures, what came of the questions, and what went wrong
 * with the fault of each. With `columns` long cells are cut and long lists are shortened.
 */
export function answersMarkdown(result: AnswersResult, columns?: number): string {
  const figures = answerFigures(result);
  const wrong = wrongAnswers(result);
  const shown = columns === undefined ? wrong : fitted(wrong, columns);
  const more = wrong.rows.length - shown.rows.length;
  return [
    tables(figures.header, figures.rows, columns),
    "",
    ...answerSentences(result),
    ...(shown.rows.length === 0 ? [] : ["", table(shown.header, shown.rows, OF_WORDS)]),
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
      : `each was graded ${counted(grader.runs, "time")} by ${grader.model}`;
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

/** Columns of `wrongAnswers` that hold words. */
const OF_WORDS = [1, 2, 4];

/** Less of a text than this says nothing. */
const LEAST = 16;

/**
 * The first rows, as wide as a terminal: question and answer share what the other columns leave. Where that is too
 * little for both, answers are left to the reports, and where it is for one, what is short goes as well.
 */
function fitted({ header, rows }: Table, columns: number): Table {
  const first = rows.slice(0, SHOWN);
  const sizeOf = (column: number) => Math.max(...[header, ...first].map((row) => width(row[column] ?? "")));
  const roomBeside = (short: readonly number[], long: number) => {
    const taken = short.reduce((sum, column) => sum + sizeOf(column), 0);
    return Math.floor((columns - taken - 3 * (short.length + long) - 1) / long);
  };
  const both = roomBeside([1, 2, 3], 2);
  if (both >= LEAST) return pick({ header, rows: first }, [0, 1, 2, 3, 4], both);
  const one = roomBeside([1, 2, 3], 1);
  if (one >= LEAST) return pick({ header, rows: first }, [0, 1, 2, 3], one);
  return pick({ header, rows: first }, [0, 1], Math.max(LEAST, roomBeside([1], 1)));
}

function pick({ header, rows }: Table, shown: readonly number[], room: number): Table {
  const cells = (row: readonly string[]) =>
    shown.map((column) => {
      const cell = row[column] ?? "";
      return column === 0 || column === 4 ? shortened(cell, room) : cell;
    });
  return { header: shown.map((column) => header[column] ?? ""), rows: rows.map(cells) };
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
