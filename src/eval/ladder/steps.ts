import type {
  ChunkInput,
  ChunkOptions,
  DocumentInput,
  IndexOptions,
  SearchOptions,
} from "../../spec/index.ts";
import type { EvaluationSet } from "../types.ts";

/** What the ladder's steps are made from. */
export interface LadderInput {
  readonly set: EvaluationSet;
  /** The vector side of every step. Default "lexical". */
  readonly embedding?: IndexOptions["embedding"];
  /** Writes the contexts of the LLM step; what the workbench's context store has is not paid for again. */
  readonly contextModel?: IndexOptions["contextModel"];
  /** How contexts are asked for, and what else all indexes have in common. */
  readonly index?: Omit<IndexOptions, "embedding" | "contextModel" | "context" | "chunk">;
  /** What all searches have in common. */
  readonly search?: Omit<SearchOptions, "mode" | "k">;
  /** Unit and size of every step's chunks, and the overlap from the second step on. Default 800 characters, overlap 160. */
  readonly chunk?: ChunkOptions;
  /**
   * Chunks that are given, by document, with their LLM contexts where there are any (a published chunking, or the chunks
   * of the user's own index). The steps that cut differently are then left out.
   */
  readonly given?: GivenChunks;
}

export type GivenChunks = ReadonlyMap<string, readonly ChunkInput[]>;

/** How a step is indexed and searched. */
export interface StepPlan {
  readonly documents: readonly DocumentInput[] | undefined;
  readonly index: IndexOptions;
  readonly search: SearchOptions;
}

export interface LadderStep {
  readonly name: string;
  /** What is new in this step, for a person. */
  readonly adds: string;
  /** Tried beside the ladder: the step after it builds on, and is compared with, the one before it. Default false. */
  readonly aside?: boolean;
  /** The plan, given the plan of the last step that could be run; or why this step cannot be. */
  readonly plan: (
    input: LadderInput,
    before: StepPlan | undefined,
  ) => StepPlan | { readonly skipped: string };
}

const givenReason = "the chunks are given, so nothing is cut";

const structuralStep: LadderStep = {
  name: "structural context",
  adds: "title, headings and the like before each chunk; no model",
  plan: (input, before) => change(input, before, { context: "structural" }),
};

const llmContextStep: LadderStep = {
  name: "LLM context",
  adds: "a model's sentences before each chunk",
  plan: (input, before) => llmPlan(input, before),
};

/** Enough that the right document is mostly among them, few enough that others are shut out. */
const DOCUMENTS_FIRST = 5;

const documentsFirstStep: LadderStep = {
  name: "documents first",
  adds: `chunks of the best ${DOCUMENTS_FIRST} documents only; the document score is its softer form`,
  aside: true,
  plan: (input, before) => ({
    ...change(input, before, {}),
    search: { ...before?.search, withinDocuments: DOCUMENTS_FIRST },
  }),
};

const SECTIONS_FIRST = 10;

const sectionsFirstStep: LadderStep = {
  name: "sections first",
  adds: `chunks of the best ${SECTIONS_FIRST} sections only`,
  aside: true,
  plan: (input, before) => ({
    ...change(input, before, {}),
    search: { ...before?.search, withinSections: SECTIONS_FIRST },
  }),
};

const documentStep: LadderStep = {
  name: "document score",
  adds: "the BM25 score of the whole document, as far as the query names one",
  plan: (input, before) => {
    const { bm25: _, ...search } = before?.search ?? {};
    return { ...change(input, before, {}), search: { ...search, ...input.search, rerank: false } };
  },
};

const rerankStep: LadderStep = {
  name: "rerank",
  adds: "a reranker over the first candidates",
  plan: (input, before) => {
    // Who searches without a reranker measures the built-in one here.
    const rerank = input.search?.rerank || true;
    return { ...change(input, before, {}), search: { ...before?.search, rerank } };
  },
};

/** Searches of the steps before the document score: chunks are scored by themselves, and nothing is reranked. */
function chunksAlone({ search }: LadderInput): SearchOptions {
  return { ...search, rerank: false, bm25: { ...search?.bm25, documentWeight: 0 } };
}

/** From fixed chunks and embeddings to contexts, hybrid search and reranking; each step changes one thing. */
export const defaultSteps: readonly LadderStep[] = [
  {
    name: "basic",
    adds: "fixed chunks, embeddings only",
    plan: (input) => ({
      documents: chunksWith(input, false),
      index: { ...indexBase(input), chunk: fixed(input), context: "none" },
      search: { ...input.search, rerank: false, mode: "vector" },
    }),
  },
  {
    name: "overlap",
    adds: "chunks overlap",
    plan: (input, before) =>
      input.given
        ? { skipped: givenReason }
        : change(input, before, { chunk: { ...chunkOf(input), structure: false } }),
  },
  {
    name: "structure",
    adds: "chunks are cut at headings, paragraphs and sentences",
    plan: (input, before) =>
      input.given
        ? { skipped: givenReason }
        : change(input, before, { chunk: { ...chunkOf(input), structure: true } }),
  },
  structuralStep,
  llmContextStep,
  {
    name: "hybrid",
    adds: "BM25 beside the embeddings",
    plan: (input, before) => ({
      ...change(input, before, {}),
      search: { ...chunksAlone(input), mode: "hybrid" },
    }),
  },
  documentsFirstStep,
  sectionsFirstStep,
  documentStep,
  rerankStep,
];

/** The same contexts with BM25 alone: what the embeddings of `defaultSteps` are worth shows beside it. */
export const keywordSteps: readonly LadderStep[] = [
  {
    name: "BM25",
    adds: "words only",
    plan: (input) => ({
      documents: chunksWith(input, false),
      index: {
        ...input.index,
        embedding: "none",
        chunk: { ...chunkOf(input), structure: true },
        context: "none",
      },
      search: { ...chunksAlone(input), mode: "text" },
    }),
  },
  structuralStep,
  llmContextStep,
  documentsFirstStep,
  documentStep,
  rerankStep,
];

function llmPlan(input: LadderInput, before: StepPlan | undefined): StepPlan | { skipped: string } {
  const chunks = [...(input.given?.values() ?? [])].flat();
  const missing = chunks.filter((chunk) => chunk.context === undefined).length;
  if (chunks.length > 0 && missing === 0) {
    return { ...change(input, before, { context: "structural" }), documents: chunksWith(input, true) };
  }
  const { contextModel } = input;
  if (contextModel !== undefined) return change(input, before, { context: "llm", contextModel });
  if (missing < chunks.length)
    return { skipped: `${missing} of ${chunks.length} given chunks have no context` };
  return { skipped: "no contexts written by a model are there, and no model is named to write them" };
}

function indexBase({ embedding, index }: LadderInput): IndexOptions {
  return { ...index, embedding: embedding ?? "lexical" };
}

const usualChunk: ChunkOptions = { unit: "characters", size: 800, overlap: 160 };

function chunkOf({ chunk = usualChunk }: LadderInput): ChunkOptions {
  return chunk;
}

function fixed(input: LadderInput): ChunkOptions {
  return { ...chunkOf(input), overlap: 0, structure: false };
}

function change(input: LadderInput, before: StepPlan | undefined, index: IndexOptions): StepPlan {
  const base = before ?? { documents: chunksWith(input, false), index: indexBase(input), search: {} };
  return { ...base, index: { ...base.index, ...index } };
}

/** The documents with the given chunks, with or without their contexts; undefined: as the set has them. */
function chunksWith({ set, given }: LadderInput, contexts: boolean): readonly DocumentInput[] | undefined {
  if (given === undefined) return undefined;
  return set.documents.map((document) => {
    const chunks = given.get(document.id);
    if (chunks === undefined) return document;
    return { ...document, chunks: contexts ? chunks : chunks.map(({ context: _, ...chunk }) => chunk) };
  });
}
