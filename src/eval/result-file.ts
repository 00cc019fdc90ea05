import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { KonteksError } from "../spec/index.ts";
import { readLines } from "./dataset/lines.ts";
import type { QuestionRow, RunResult } from "./rows.ts";
import { writing } from "./writing.ts";

const version = 1;

const usageShape = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});

const headShape = z.object({
  konteks: z.literal("evaluation"),
  version: z.number(),
  set: z.string(),
  setting: z.string(),
  index: z.object({
    documents: z.number(),
    chunks: z.number(),
    tokens: z.number(),
    ms: z.number(),
    usage: z.object({ contexts: usageShape, embeddings: usageShape }),
    incomplete: z.number(),
    simulated: z.number(),
  }),
});

const hitShape = z.object({
  chunkId: z.string(),
  documentId: z.string(),
  start: z.number(),
  end: z.number(),
  score: z.number(),
  tokens: z.number(),
  goldTokens: z.number(),
  finds: z.array(z.number()),
  covers: z.record(z.string(), z.number()),
});

const rowShape = z.object({
  id: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  ms: z.number(),
  values: z.record(z.string(), z.number()),
  places: z.array(z.number().nullable()),
  hits: z.array(hitShape),
});

/** Writes a run as JSON lines: a head, then a line for each question. The file is complete or not there. */
export async function writeResult(path: string, result: RunResult): Promise<void> {
  const { rows, ...head } = result;
  const lines = [{ konteks: "evaluation", version, ...head }, ...rows].map((line) => JSON.stringify(line));
  await writing(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, `${lines.join("\n")}\n`);
    await rename(`${path}.part`, path);
  });
}

/** Reads what `writeResult` wrote; refuses other files and newer versions by name. */
export async function readResult(path: string): Promise<RunResult> {
  const [head, ...rows] = await readLines(path);
  const { version: found, konteks: _, ...facts } = parse(head?.text ?? "", headShape, head?.at ?? path);
  if (found > version) {
    throw new KonteksError(
      "index-newer",
      `${path} was written by a newer konteks. Update konteks to read it.`,
    );
  }
  return { ...facts, rows: rows.map((row): QuestionRow => parse(row.text, rowShape, row.at)) };
}

function parse<T>(text: string, shape: z.ZodType<T>, at: string): T {
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw new KonteksError(
      "wrong-option",
      `${at}: not a line of an evaluation result. Give a file that \`konteks eval\` wrote.`,
      { cause, facts: { at } },
    );
  }
}
