import type { Answer, AskOptions } from "../../spec/index.ts";
import { extractiveAnswer, notFound } from "./answer.ts";
import { askModel } from "./ask-model.ts";
import { createCaller } from "./caller.ts";
import { type AskPorts, EVIDENCE_CHUNKS, searchOptions } from "./ports.ts";
import { joinedQuestion } from "./rewrite.ts";
import { belowThreshold } from "./thresholds.ts";

export type { AskPorts } from "./ports.ts";

/** Answers a question from the index: with the model's words and checked citations, or with extracts. */
export async function ask(ports: AskPorts, question: string, options: AskOptions = {}): Promise<Answer> {
  options.signal?.throwIfAborted();
  const named = await ports.model(options.model);
  if (named === undefined) return askExtractive(ports, question, options);
  return askModel(ports, question, options, createCaller(named.model, named.id));
}

async function askExtractive(ports: AskPorts, question: string, options: AskOptions): Promise<Answer> {
  const standalone = joinedQuestion(question, options.history ?? []);
  const result = await ports.search(standalone, searchOptions(options), EVIDENCE_CHUNKS);
  const asked = { question, standalone, hits: result.hits, trace: result.trace };
  const below = belowThreshold(result.hits, options.thresholds);
  if (below !== undefined) return notFound(asked, "off-the-point", [below]);
  const [languages, idf] = await Promise.all([ports.languages(), ports.idf(standalone)]);
  return extractiveAnswer(asked, { languages, idf }, options.thresholds?.coverage);
}
