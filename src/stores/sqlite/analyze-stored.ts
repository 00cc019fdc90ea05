import type { FieldTerms, IndexIdentity, StoredChunk } from "../../spec/index.ts";
import { ANALYZER_ID, analyzeField } from "../../text/analyze.ts";
import { textForBm25 } from "../../text/index-text.ts";

/** The lexical fields of a stored chunk, as they were analysed when it was written. */
export type AnalyzeStored = (chunk: StoredChunk) => Readonly<Record<string, FieldTerms>>;

/** The analyzer of an index, where it is the present one: another version's words cannot be made again. */
export function analyzerOf(identity: IndexIdentity | undefined): AnalyzeStored | undefined {
  if (identity?.analyzer !== ANALYZER_ID) return undefined;
  return (stored) => {
    const { language } = stored;
    const fields = Object.entries(textForBm25(stored));
    return Object.fromEntries(fields.map(([name, text]) => [name, analyzeField(text, { language })]));
  };
}
