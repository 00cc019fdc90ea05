import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../src/eval/dataset/lines.ts";
import { readEvaluationSet } from "../src/eval/dataset/read.ts";
import type { GivenChunks } from "../src/eval/ladder/steps.ts";
import type { EvaluationSet } from "../src/eval/types.ts";
import { KonteksError } from "../src/spec/index.ts";

/** Where the evaluation data is. */
export const dataFolder = resolve(process.env.KONTEKS_DATA ?? "../shared/datasets");

/** Sets whose documents are of a format that their ids do not tell. */
const formats = { "tat-qa": "markdown" } as const;

/** Sets with questions, the largest first, so that they end together when several are run at once. */
export function setNames(chosen?: string): readonly string[] {
  const names = allSets();
  if (chosen === undefined) return names;
  const wanted = chosen.split(",");
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return wanted;
  throw new KonteksError(
    "not-found",
    `There is no set "${unknown[0]}" in ${dataFolder}. There are ${names.join(", ")}.`,
  );
}

function allSets(): readonly string[] {
  const folders = readdirSync(dataFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const sized = folders.flatMap(({ name }) => {
    const files = readdirSync(join(dataFolder, name));
    return files.includes("queries.jsonl") ? [{ name, size: sizeOf(name) }] : [];
  });
  return sized.sort((a, b) => b.size - a.size).map(({ name }) => name);
}

/** Work grows with the text and, far more, with the questions. */
function sizeOf(name: string): number {
  const length = (file: string) => readFileSync(join(dataFolder, name, file)).length;
  return length("corpus.jsonl") + 10 * length("queries.jsonl");
}

export async function loadSet(name: string): Promise<EvaluationSet> {
  const set = await readEvaluationSet(join(dataFolder, name));
  const format = name in formats ? formats[name as keyof typeof formats] : undefined;
  return format === undefined
    ? set
    : { ...set, documents: set.documents.map((document) => ({ ...document, format })) };
}

const published = z.object({
  id: z.string(),
  meta: z.object({ chunks: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])) }),
});
const context = z.object({ chunk_id: z.string(), context: z.string() });

/** The published chunking of `codebases` with an LLM's context for each chunk. */
export async function publishedChunks(): Promise<GivenChunks> {
  const folder = join(dataFolder, "codebases");
  const contexts = new Map(
    (await readJsonLines(join(folder, "contexts.jsonl"), context)).map((line) => [
      line.chunk_id,
      line.context,
    ]),
  );
  const documents = await readJsonLines(join(folder, "corpus.jsonl"), published);
  return new Map(
    documents.map(({ id, meta }) => [
      id,
      meta.chunks.map(([chunkId, , start, end]) => {
        const text = contexts.get(chunkId);
        return { start, end, ...(text === undefined ? {} : { context: text }) };
      }),
    ]),
  );
}
