import {
  type AskOptions,
  type DeleteOptions,
  type EstimateOptions,
  type IngestOptions,
  KonteksError,
  type OpenOptions,
  type RepairOptions,
  type SearchOptions,
  type WhyOptions,
} from "../spec/index.ts";
import { checkOptions } from "./arguments.ts";
import { didYouMean } from "./nearest.ts";

/** The names of some options, all of them; those of an object in them where it is plain. */
type Names<Options> = { readonly [Name in keyof Options]-?: true | Readonly<Record<string, true>> };

const reading = { password: true, html: true, maxFileBytes: true, records: true } as const;
const INGEST = {
  ...reading,
  gitignore: true,
  metadata: true,
  force: true,
  batch: true,
  maxCost: true,
  signal: true,
  onProgress: true,
} satisfies Names<IngestOptions>;

const SEARCH = {
  k: true,
  mode: true,
  candidates: true,
  weights: { text: true, vector: true, neighbours: true },
  rrfK: true,
  fusion: true,
  bm25: { k1: true, fields: true, documentWeight: true },
  filter: true,
  vector: true,
  phrasings: true,
  mustMatch: true,
  withinDocuments: true,
  withinSections: true,
  rerank: true,
  min: { bm25: true, cosine: true, rerank: true },
  perDocument: true,
  fold: true,
  mmr: true,
  expand: { neighbours: true, section: true, document: true, tokens: true },
  explain: true,
  timeoutMs: true,
  signal: true,
} satisfies Names<SearchOptions>;

const ASK = {
  ...SEARCH,
  model: true,
  whole: true,
  wholeLimit: true,
  evidenceTokens: true,
  correct: true,
  strict: true,
  providerCitations: true,
  thresholds: true,
  timeLimitMs: true,
  history: true,
  onEvent: true,
  onWait: true,
} satisfies Names<AskOptions>;

const OPEN = {
  chunk: true,
  context: true,
  contextModel: true,
  contextConcurrency: true,
  contextPrompt: true,
  contextGlossary: true,
  contextDomain: true,
  contextPlan: true,
  contextGroupSize: true,
  contextWindow: true,
  contextPrices: true,
  contextBatchProvider: true,
  contextTiming: true,
  embedding: true,
  bm25: SEARCH.bm25,
  path: true,
  mustExist: true,
  readOnly: true,
  queryLog: true,
  rebuild: true,
  model: true,
  apiKeys: true,
  baseUrls: true,
  localThreads: true,
  localMemory: true,
  localCache: true,
  onModelLoad: true,
} satisfies Names<OpenOptions>;

const NAMES = {
  openKonteks: OPEN,
  ingest: INGEST,
  estimate: { ...INGEST, concurrency: true } satisfies Names<EstimateOptions>,
  repair: {
    batch: true,
    maxCost: true,
    signal: true,
    onProgress: true,
    stale: true,
  } satisfies Names<RepairOptions>,
  delete: { keepContexts: true } satisfies Names<DeleteOptions>,
  search: SEARCH,
  why: { ...SEARCH, expect: true } satisfies Names<WhyOptions>,
  ask: ASK,
} as const;

/** For programs without types: a misspelt option would be taken for one that was left out. */
export function checkOptionsOf(call: keyof typeof NAMES, options: unknown): void {
  checkOptions("options", options);
  if (options !== undefined) checkNames(call, options as object, NAMES[call], "");
}

function checkNames(
  call: string,
  options: object,
  names: Names<Record<string, unknown>>,
  place: string,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const known = Object.hasOwn(names, name) ? names[name] : undefined;
    if (known === undefined)
      throw unknownOption(call, `${place}${name}`, didYouMean(name, Object.keys(names)));
    if (known !== true && typeof value === "object" && value !== null)
      checkNames(call, value, known, `${place}${name}.`);
  }
}

function unknownOption(call: string, option: string, meant: string): KonteksError {
  return new KonteksError(
    "wrong-option",
    `${call} has no option "${option}".${meant === "" ? " Leave it out; the types name those that there are." : meant}`,
    { facts: { call, option } },
  );
}
