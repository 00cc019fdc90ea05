import type { DraftQuestion } from "../types.ts";
import { lineError, readText } from "./lines.ts";

/** Names a column may have, in lower case. */
const columnNames = {
  id: ["id"],
  question: ["question", "query", "text"],
  quote: ["quote", "passage", "gold", "answer passage"],
  document: ["document", "file", "source", "documentid"],
  answer: ["answer"],
  tags: ["tags", "tag"],
} as const;

type Column = keyof typeof columnNames;

/**
 * Reads a CSV with a header row and the columns `question` and `quote`, and perhaps `document`, `id`, `answer` and
 * `tags` (parted by `;`). Rows with the same id, or else the same question, are one question with several gold
 * passages. A row without a quote is a question that the corpus does not answer. Without `document` the quote is
 * looked for in every document.
 */
export async function readQuestionCsv(path: string): Promise<readonly DraftQuestion[]> {
  const rows = await parseRows(path);
  const questions = new Map<string, DraftQuestion>();
  rows.forEach((row, index) => {
    const question = toQuestion(row, index + 1);
    const key = row.cells.id ?? question.text;
    const earlier = questions.get(key);
    questions.set(
      key,
      earlier === undefined ? question : { ...earlier, gold: [...earlier.gold, ...question.gold] },
    );
  });
  return [...questions.values()].map((question) => ({
    ...question,
    unanswerable: question.gold.length === 0,
  }));
}

interface Row {
  readonly at: string;
  readonly cells: Partial<Record<Column, string>>;
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

async function parseRows(path: string): Promise<readonly Row[]> {
  const [header, ...rows] = await parseCsv(path, await readText(path));
  const columns = findColumns(header?.record ?? [], path);
  return rows.map(({ record, info }) => ({ at: `${path}:${info.lines}`, cells: cellsOf(record, columns) }));
}

async function parseCsv(path: string, text: string): Promise<readonly CsvRecord[]> {
  const { parse } = await import("csv-parse/sync");
  const delimiter = delimiterOf(text);
  try {
    // With `info` the records are wrapped, which the library's types leave out.
    const records: unknown = parse(text, {
      info: true,
      relax_column_count: true,
      // Written by hand: What does "Purpose" mean?
      relax_quotes: true,
      skip_empty_lines: true,
      delimiter,
    });
    return records as readonly CsvRecord[];
  } catch (cause) {
    throw lineError(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** Spreadsheets of many languages write semicolons or tabs. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (mark: string) => header.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

function findColumns(header: readonly string[], path: string): ReadonlyMap<Column, number> {
  const names = header.map((name) => name.trim().toLowerCase());
  const columns = new Map<Column, number>();
  for (const column of Object.keys(columnNames) as Column[]) {
    const index = names.findIndex((name) => (columnNames[column] as readonly string[]).includes(name));
    if (index >= 0) columns.set(column, index);
  }
  if (columns.has("question") && columns.has("quote")) return columns;
  throw lineError(
    `${path}:1`,
    `the header row needs the columns "question" and "quote"; it has "${header.join('", "')}"`,
  );
}

function cellsOf(record: readonly string[], columns: ReadonlyMap<Column, number>): Row["cells"] {
  const cells = [...columns].map(([column, index]) => [column, record[index]?.trim() ?? ""] as const);
  return Object.fromEntries(cells.filter(([, cell]) => cell !== ""));
}

function toQuestion({ at, cells }: Row, number: number): DraftQuestion {
  const { id = `q${number}`, question, quote, document, answer, tags } = cells;
  if (question === undefined) throw lineError(at, "the question is empty");
  return {
    id,
    text: question,
    gold: quote === undefined ? [] : [{ documentId: document ?? "", quote, grade: 1 }],
    tags: tags === undefined ? [] : tags.split(";").map((tag) => tag.trim()),
    unanswerable: quote === undefined,
    answers: answer === undefined ? [] : [answer],
    at,
  };
}
