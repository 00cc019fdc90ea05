/**
 * Trains how sure an extract is, and writes the coefficients.
 *
 *   node scripts/train-confidence.ts            all sets; writes src/query/answer/confidence-coefficients.ts
 *     --sets idk-mrc-id,tat-qa                  only these; nothing is written
 *     --without "heading,words"                 leaves features out
 *     --questions 200                           at most so many of a set, of each kind
 *     --ridge 0.0005                            how strongly coefficients are held near 0
 *     --fresh                                   asks anew instead of taking what is kept in .bench/confidence/
 *
 * A logistic regression over questions with an answer and kinds without: those that a set itself has (`given`), with the
 * documents that answer left out (`removed`), with one word exchanged (`altered`), with one name or number exchanged
 * (`renamed`), with one word denied (`denied`), and another set's (`foreign`). What is printed is scored on each set by coefficients that never saw it.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadSet, setNames } from "../bench/sets.ts";
import { buildIndex, sample, workbench } from "../src/eval/build.ts";
import { finds } from "../src/eval/judge.ts";
import { table } from "../src/eval/report/table.ts";
import type { EvaluationSet, Question } from "../src/eval/types.ts";
import { openKonteks } from "../src/open.ts";
import type { ConfidenceFeatures } from "../src/query/answer/confidence-features.ts";
import type { Filter, Konteks } from "../src/spec/index.ts";
import { fitLogistic, type LabelledCase, type LogisticModel } from "./lib/logistic.ts";
import { alteredQuestions, deniedQuestions, renamedQuestions } from "./lib/unanswerable.ts";

const { values: flags } = parseArgs({
  options: {
    sets: { type: "string" },
    without: { type: "string", default: "" },
    questions: { type: "string", default: "200" },
    ridge: { type: "string", default: "0.0005" },
    fresh: { type: "boolean", default: false },
  },
});

/** The sign that each feature must have, and the order of the coefficients. */
const SIGNS: Readonly<Record<keyof ConfidenceFeatures, -1 | 0 | 1>> = {
  coverage: 1,
  window: 1,
  absent: -1,
  namesAbsent: -1,
  bm25: 1,
  gap: 1,
  rank: 1,
  kindAbsent: -1,
  notDenied: -1,
  heading: -1,
  words: 0,
};
const FEATURES = Object.keys(SIGNS) as (keyof ConfidenceFeatures)[];

/** What a kind of question without an answer counts beside the others of its set. */
const KINDS = { given: 2, removed: 1, altered: 0.7, renamed: 0.7, foreign: 0.5, denied: 0.3 } as const;
type Kind = keyof typeof KINDS;

interface Case {
  readonly kind: "answerable" | Kind;
  /** Whether a passage that answers was among the hits. */
  readonly found: boolean;
  readonly features: readonly number[];
}

const most = Number(flags.questions);
const without = new Set(flags.without.split(",").filter((name) => name !== ""));
const used = FEATURES.map((name, i) => ({ name, i })).filter(({ name }) => !without.has(name));
const names = flags.sets?.split(",") ?? setNames();
const cases = new Map<string, readonly Case[]>();
for (const name of names) cases.set(name, await casesOf(name));
report();
if (flags.sets === undefined && without.size === 0) await write();

async function casesOf(name: string): Promise<readonly Case[]> {
  const folder = join(".bench", "confidence");
  const file = join(folder, `${name}.json`);
  if (!flags.fresh && existsSync(file)) return JSON.parse(await readFile(file, "utf8"));
  console.error(`${name} …`);
  const set = await loadSet(name);
  await using bench = await workbench(openKonteks);
  await using built = await buildIndex(bench, set, {});
  const found = await look(built.konteks, set);
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(found));
  return found;
}

async function look(konteks: Konteks, set: EvaluationSet): Promise<readonly Case[]> {
  const answered = set.questions.filter(({ gold }) => gold.length > 0);
  const some = sample(answered, most);
  const language = (await konteks.status()).identity === undefined ? "" : await languageOf(konteks);
  const cases: Case[] = [];
  const ask = async (kind: Case["kind"], text: string, gold: Question["gold"] = [], filter?: Filter) => {
    const answer = await konteks.ask(text, { thresholds: { confidence: 0 }, ...(filter && { filter }) });
    const facts = answer.trace.find(({ stage }) => stage === "extract")?.facts;
    const features = facts?.features as ConfidenceFeatures | undefined;
    if (features === undefined) return;
    const found = answer.hits.some((hit) => gold.some((passage) => finds(hit, passage)));
    cases.push({ kind, found, features: FEATURES.map((one) => Number(features[one].toFixed(5))) });
  };
  for (const { text, gold } of sample(answered, 2 * most)) await ask("answerable", text, gold);
  for (const { text } of sample(
    set.questions.filter((one) => one.unanswerable),
    2 * most,
  ))
    await ask("given", text);
  for (const { text, gold } of some) {
    const values = [...new Set(gold.map(({ documentId }) => documentId))];
    await ask("removed", text, [], { not: { field: "documentId", op: "in", values } });
  }
  const texts = some.map(({ text }) => text);
  for (const text of alteredQuestions(texts)) await ask("altered", text);
  for (const text of renamedQuestions(texts)) await ask("renamed", text);
  for (const text of deniedQuestions(texts, language)) await ask("denied", text);
  for (const text of await foreignQuestions(set.name)) await ask("foreign", text);
  return cases;
}

async function languageOf(konteks: Konteks): Promise<string> {
  const [first] = await konteks.documents();
  const record = first && (await konteks.document(first.id));
  return record?.document.language ?? "en";
}

/** Some of every other set; the three translations of one set ask for the same. */
async function foreignQuestions(name: string): Promise<readonly string[]> {
  const family = (set: string) => set.split("-")[0];
  const others = setNames().filter((other) => family(other) !== family(name));
  const sets = await Promise.all(others.map(loadSet));
  return sets.flatMap(({ questions }) =>
    sample(
      questions.filter(({ gold }) => gold.length > 0),
      most / 10,
    ).map(({ text }) => text),
  );
}

function modelOf(sets: readonly string[]): LogisticModel {
  const training = sets.flatMap((set) => weighted(cases.get(set) ?? []));
  return fitLogistic(training, {
    ridge: Number(flags.ridge),
    signs: used.map(({ name }) => SIGNS[name]),
  });
}

/** Every set counts the same, and in it both sides do. */
function weighted(all: readonly Case[]): readonly LabelledCase[] {
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => all.some((one) => one.kind === kind));
  const sum = kinds.reduce((total, kind) => total + KINDS[kind], 0);
  const answerable = all.filter(({ kind, found }) => kind === "answerable" && found);
  return [
    ...answerable.map((one) => labelled(one, true, 1 / answerable.length)),
    ...kinds.flatMap((kind) => {
      const those = all.filter((one) => one.kind === kind);
      return those.map((one) => labelled(one, false, KINDS[kind] / sum / those.length));
    }),
  ];
}

function labelled({ features }: Case, label: boolean, weight: number): LabelledCase {
  return { features: used.map(({ i }) => features[i] ?? 0), label, weight };
}

function confidence(model: LogisticModel, { features }: Case): number {
  const sum = used.reduce(
    (total, { i }, j) => total + (model.coefficients[j] ?? 0) * (features[i] ?? 0),
    model.intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}

/** By set: the share of each kind that is answered at 0.5, and the best balanced accuracy, by a model of the other sets. */
function report(): void {
  const kinds = ["answerable", ...Object.keys(KINDS)] as Case["kind"][];
  const rows = names.map((name) => {
    const model = modelOf(names.filter((other) => other !== name));
    const scores = (kind: Case["kind"]) =>
      (cases.get(name) ?? []).filter((one) => one.kind === kind).map((one) => confidence(model, one));
    const answerable = scores("answerable");
    return [
      name,
      ...kinds.map((kind) => {
        const those = scores(kind);
        if (those.length === 0) return "";
        const answered = those.filter((score) => score >= 0.5).length / those.length;
        const best = kind === "answerable" ? "" : ` (${percent(bestBalanced(answerable, those))})`;
        return `${percent(answered)}${best}`;
      }),
    ];
  });
  console.log(
    "Answered at 0.5, and in brackets the best balanced accuracy against questions with an answer, in %.",
  );
  console.log(table(["set", ...kinds], rows));
  const all = modelOf(names);
  console.log(`intercept ${all.intercept.toFixed(3)}`);
  for (const [j, { name }] of used.entries()) console.log(`${name} ${(all.coefficients[j] ?? 0).toFixed(3)}`);
}

function bestBalanced(right: readonly number[], wrong: readonly number[]): number {
  const share = (scores: readonly number[], at: number) =>
    scores.filter((score) => score >= at).length / scores.length;
  return Math.max(...[...right, ...wrong].map((at) => (share(right, at) + 1 - share(wrong, at)) / 2));
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}

async function write(): Promise<void> {
  const { intercept, coefficients } = modelOf(names);
  const lines = FEATURES.map((name, i) => `  ${name}: ${(coefficients[i] ?? 0).toFixed(3)},`);
  const text = `import type { ConfidenceFeatures } from "./confidence-features.ts";

/*
 * Written by scripts/train-confidence.ts; do not edit. Trained on ${names.length} sets (${names.join(", ")}),
 * every set counting the same; ridge ${flags.ridge}. Figures, scored on sets that the coefficients had not seen, are in
 * docs/decisions/0007-answers-checked-not-trusted.md.
 */
export const INTERCEPT = ${intercept.toFixed(3)};
export const COEFFICIENTS: Readonly<Record<keyof ConfidenceFeatures, number>> = {
${lines.join("\n")}
};
`;
  await writeFile(join("src", "query", "answer", "confidence-coefficients.ts"), text);
}
