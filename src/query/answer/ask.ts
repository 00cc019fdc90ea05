import type { Answer, AskOptions, Citation } from "../../spec/index.ts";
import { extractiveAnswer, notFound } from "./answer.ts";
import { askModel } from "./ask-model.ts";
import { checkAskOptions } from "./check-options.ts";
import { extractAnswer } from "./extract.ts";
import { type AskPorts, EVIDENCE_CHUNKS, searchOptions } from "./ports.ts";
import { joinedQuestion } from "./rewrite.ts";
import { rowAt, rowInWords } from "./table-rows.ts";
import { belowThreshold } from "./thresholds.ts";
import { withinTime } from "./time-limit.ts";

export type { AskPorts } from "./ports.ts";

/** Answers a question from the index: with the model's words and checked citations, or with extracts. */
export async function ask(ports: AskPorts, question: string, options: AskOptions = {}): Promise<Answer> {
  options.signal?.throwIfAborted();
  checkAskOptions(options);
  return withinTime(options, async (limited) => {
    const named = await ports.model(options.model);
    return named === undefined
      ? askExtractive(ports, question, limited)
      : askModel(ports, question, limited, named);
  });
}

async function askExtractive(ports: AskPorts, question: string, options: AskOptions): Promise<Answer> {
  const standalone = joinedQuestion(question, options.history ?? []);
  const result = await ports.search(standalone, searchOptions(options), EVIDENCE_CHUNKS);
  const asked = { question, standalone, hits: result.hits, trace: result.trace };
  const below = belowThreshold(result.hits, options.thresholds);
  if (below !== undefined) return notFound(asked, "off-the-point", [below]);
  const [languages, idf] = await Promise.all([ports.languages(), ports.idf(standalone)]);
  const start = performance.now();
  const least = options.thresholds?.confidence;
  const input = { question: standalone, hits: result.hits, languages, idf };
  const extract = extractAnswer(input, least === undefined ? {} : { minConfidence: least });
  const words = await Promise.all(extract.citations.map((citation) => wordsOf(citation, ports)));
  return extractiveAnswer(asked, extract, words, performance.now() - start);
}

/** What is quoted, and of a row of a table its cells with those of the header. */
async function wordsOf(
  { documentId, start, quote }: Citation,
  ports: Pick<AskPorts, "document">,
): Promise<string> {
  const text = (await ports.document(documentId))?.document.text ?? "";
  const row = rowAt(text, start);
  return (row && quote === text.slice(row.row.start, row.row.end) && rowInWords(row)) || quote;
}
