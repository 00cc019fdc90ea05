import { byDocument, gainsByDocument } from "./document-scores.ts";
import { gainsOf } from "./gains.ts";
import type { QueryScoring } from "./scoring.ts";
import type { Impacts, TermList } from "./term-lists.ts";

const NO_DOCUMENTS = { documents: new Uint32Array(0) };
const NO_GAINS = { values: new Float64Array(0), best: 0 };

/** What a list adds to scores; made once for a scoring. */
export function impactsOf(list: TermList, scoring: QueryScoring): Impacts {
  if (list.impacts?.scoring === scoring) return list.impacts;
  const { chunks, frequencies } = list.postings;
  const { values, best, blocks } = gainsOf(list, scoring.chunks);
  const ofDocuments = scoring.documents ? gainsByDocument(list, scoring.documents) : NO_GAINS;
  list.impacts = {
    scoring,
    chunks,
    frequencies,
    values,
    best,
    most: blocks?.most,
    starts: blocks?.starts,
    documents: (scoring.documents ? byDocument(list) : NO_DOCUMENTS).documents,
    documentValues: ofDocuments.values,
    documentBest: ofDocuments.best,
  };
  return list.impacts;
}
