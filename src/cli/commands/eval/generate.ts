import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ResolvedConfig } from "../../../config/load.ts";
import { questionLine, readQuestionLines } from "../../../eval/dataset/jsonl.ts";
import { readText } from "../../../eval/dataset/lines.ts";
import { sameQuestion } from "../../../eval/generate/copied.ts";
import { estimateGeneration, generateQuestions } from "../../../eval/generate/generate.ts";
import { planQuestions, type QuestionKind, questionKinds } from "../../../eval/generate/plan.ts";
import type { Question } from "../../../eval/types.ts";
import { refuseUnwritable, writing } from "../../../eval/writing.ts";
import { costOf, priceOf } from "../../../llm/prices.ts";
import { resolveLanguageModel } from "../../../models/resolve.ts";
import { type Konteks, KonteksError, type TokenPrices, type Usage } from "../../../spec/index.ts";
import { ingestPaths } from "../../ingesting.ts";
import { existingIndex, existingPath, writableIndex } from "../../paths.ts";
import { count } from "../../print/layout.ts";
import { configOf, EXIT, indexPath, note, printJson, type Session, withIndex } from "../../session.ts";
import { numberFlag, textFlag, wrongFlag } from "./flags.ts";
import { leftOutOf } from "./left-out.ts";
import { agree } from "./paying.ts";
import { questionsPath } from "./questions.ts";
import { UNREVIEWED } from "./review-file.ts";
import { refuseStale } from "./stale.ts";

export async function run(session: Session, [folder]: readonly string[]): Promise<number> {
  const config = await configOf(session);
  const { model } = config.open;
  if (model === undefined) {
    throw new KonteksError(
      "wrong-option",
      "Questions are written by a model. Name one with --model, for example --model anthropic:claude-haiku-4-5, or write them yourself with `konteks eval add`.",
    );
  }
  const path = existingOrNew(session, config, folder);
  refuseUnwritable(questionsPath(session));
  const options = { ...config.open, path, ...(folder === undefined && { mustExist: true, readOnly: true }) };
  return withIndex(session, options, async (konteks) => {
    if (folder === undefined) await refuseStale(konteks, config.ingest);
    else await refresh(session, config, konteks, folder);
    const resolved = await resolveLanguageModel(model, config.open);
    return generate(session, konteks, path, { ...resolved, prices: config.open.contextPrices });
  });
}

function existingOrNew(session: Session, config: ResolvedConfig, folder: string | undefined): string {
  const index = indexPath(config, folder === undefined ? session.cwd : existingPath(folder, session.cwd));
  return folder === undefined
    ? existingIndex(index, session.cwd, "eval generate")
    : writableIndex(index, "eval");
}

async function refresh(session: Session, config: ResolvedConfig, konteks: Konteks, folder: string) {
  const report = await ingestPaths(session, konteks, config, [existingPath(folder, session.cwd)]);
  leftOutOf(session, report, []);
}

type Resolved = Awaited<ReturnType<typeof resolveLanguageModel>> & {
  readonly prices: ResolvedConfig["open"]["contextPrices"];
};

async function generate(session: Session, konteks: Konteks, index: string, { id, model, prices }: Resolved) {
  const plan = await planQuestions(konteks, planOptions(session));
  const estimate = estimateGeneration(plan);
  await agree(session, priceSentence(id, plan.length, estimate, priceOf(id, prices)));
  const made = await generateQuestions({
    konteks,
    plan,
    model,
    modelId: id,
    journal: join(index, "eval", "questions.journal.jsonl"),
    signal: session.signal,
    onProgress: (done, of) => done % 10 === 0 && note(session, `${done} of ${of} questions`),
  });
  const file = questionsPath(session);
  const added = await append(file, made.questions);
  const cost = costOf(made.usage, priceOf(id, prices));
  if (session.json) printJson(session, { file, added, dropped: made.dropped, usage: made.usage, cost });
  else session.io.print(summary(file, added.length, made.dropped, made.usage, cost));
  return EXIT.done;
}

function planOptions(session: Session) {
  const [count, seed, kinds] = [numberFlag(session, "count"), numberFlag(session, "seed"), kindsOf(session)];
  return {
    ...(count !== undefined && { count }),
    ...(seed !== undefined && { seed }),
    ...(kinds !== undefined && { kinds }),
  };
}

function kindsOf(session: Session): Partial<Record<QuestionKind, number>> | undefined {
  const typed = textFlag(session, "kinds");
  if (typed === undefined) return undefined;
  const entries = typed.split(",").map((part) => {
    const [name = "", weight = "1"] = part.trim().split("=");
    const kind = questionKinds.find((each) => each === name);
    if (kind === undefined || !(Number(weight) >= 0)) {
      throw wrongFlag(
        "kinds",
        `must be a list like fact=4,number=2 of ${questionKinds.join(", ")}, not '${part}'`,
      );
    }
    return [kind, Number(weight)] as const;
  });
  return Object.fromEntries(entries);
}

function priceSentence(
  model: string,
  questions: number,
  estimate: ReturnType<typeof estimateGeneration>,
  prices: TokenPrices | undefined,
): string {
  const { calls, inputTokens, outputTokens } = estimate;
  const cost = costOf({ calls, inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 }, prices);
  const price = cost === undefined ? "at an unknown price" : `for at most about $${cost.toFixed(2)}`;
  return `${model} would be asked for ${count(questions, "question")} (${count(calls, "call")}) ${price}; passages of your documents are sent to it. Replies of an earlier run are not paid for again.`;
}

/** Adds what is not there yet, numbered on; returns what was added. */
async function append(file: string, questions: readonly Question[]): Promise<readonly Question[]> {
  const there = existsSync(file) ? await readQuestionLines(file) : [];
  const taken = new Set(there.map(({ id }) => id));
  const fresh = questions
    .filter(({ text }) => !there.some((each) => sameQuestion(each.text, text)))
    .map((question) => ({
      ...question,
      id: freeId(question.id, taken),
      tags: [...question.tags, UNREVIEWED],
    }));
  if (fresh.length === 0) return [];
  const open = there.length > 0 && !(await readText(file)).endsWith("\n") ? "\n" : "";
  await writing(file, async () => {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${open}${fresh.map(questionLine).join("\n")}\n`);
  });
  return fresh;
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`;
  taken.add(id);
  return id;
}

function summary(
  file: string,
  added: number,
  dropped: readonly { readonly text: string; readonly reason: string }[],
  usage: Usage,
  cost: number | undefined,
): string {
  const paid = cost === undefined ? "" : `, $${cost.toFixed(2)}`;
  return [
    `${count(added, "question")} added to ${file} (${count(usage.calls, "call")}${paid}).`,
    ...dropped.map(({ text, reason }) => `  dropped: ${text || "(no question)"}: ${reason}`),
    "Next: konteks eval review",
  ].join("\n");
}
