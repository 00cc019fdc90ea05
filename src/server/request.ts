import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { type Filter, KonteksError } from "../spec/index.ts";
import { didYouMean } from "../util/nearest.ts";

const MAX_QUESTION = 10_000;
const MAX_PHRASINGS = 20;

/** What values may be is checked by the engine, with the reason; here it is their kind. */
const number = z.number().exactOptional();
const flag = z.boolean().exactOptional();
const text = z.string().max(MAX_QUESTION);

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const filter: z.ZodType<Filter> = z.lazy(() =>
  z.union([
    z.strictObject({ field: text, op: z.literal("eq"), value: scalar.nullable() }),
    z.strictObject({ field: text, op: z.literal("in"), values: z.array(scalar) }),
    z.strictObject({
      field: text,
      op: z.enum(["lt", "lte", "gt", "gte"]),
      value: z.union([z.number(), z.string()]),
    }),
    z.strictObject({ field: text, op: z.literal("prefix"), value: z.string() }),
    z.strictObject({ and: z.array(filter) }),
    z.strictObject({ or: z.array(filter) }),
    z.strictObject({ not: filter }),
  ]),
);

/** Other models than the server's own cannot be named: they would spend its owner's money. */
const rerank = z.union(
  [
    z.boolean(),
    z.literal("built-in"),
    z.strictObject({
      model: z.literal("built-in").exactOptional(),
      depth: number,
      preset: z.enum(["20-3", "20-5", "150-20"]).exactOptional(),
      timeoutMs: number,
    }),
  ],
  { error: 'expected true, false, "built-in", or an object with depth, preset or timeoutMs' },
);

const SEARCH_FIELDS = {
  k: number,
  mode: z.enum(["text", "vector", "hybrid"]).exactOptional(),
  candidates: number,
  weights: z.strictObject({ text: number, vector: number, neighbours: number }).exactOptional(),
  rrfK: number,
  fusion: z.enum(["scores", "rrf"]).exactOptional(),
  bm25: z
    .strictObject({
      k1: number,
      documentWeight: number,
      fields: z.record(z.string(), z.strictObject({ weight: number, b: number })).exactOptional(),
    })
    .exactOptional(),
  where: z.union([text, filter], { error: "expected a filter, as text or as an object" }).exactOptional(),
  vector: z.array(z.number()).exactOptional(),
  phrasings: z.array(text).max(MAX_PHRASINGS).exactOptional(),
  mustMatch: z.enum(["none", "phrases", "identifiers"]).exactOptional(),
  withinDocuments: number,
  withinSections: number,
  rerank: rerank.exactOptional(),
  min: z.strictObject({ bm25: number, cosine: number, rerank: number }).exactOptional(),
  perDocument: number,
  fold: number,
  mmr: number,
  expand: z
    .strictObject({ neighbours: number, section: flag, document: flag, tokens: number })
    .exactOptional(),
  explain: flag,
  timeoutMs: number,
};

/** Body of `POST /search`. */
export const SEARCH = z.strictObject({ query: text, ...SEARCH_FIELDS });

/** Body of `POST /ask`. */
export const ASK = z.strictObject({
  question: text,
  ...SEARCH_FIELDS,
  history: z.array(z.strictObject({ question: text, answer: z.string() })).exactOptional(),
  whole: z.enum(["auto", "always", "never"]).exactOptional(),
  wholeLimit: number,
  evidenceTokens: number,
  correct: z
    .union([z.boolean(), z.strictObject({ maxCalls: number, maxCost: number, maxMs: number })])
    .exactOptional(),
  strict: flag,
  thresholds: z
    .strictObject({
      confidence: number,
      bm25: number,
      cosine: number,
      rrf: number,
      weighted: number,
      rerank: number,
    })
    .exactOptional(),
  timeLimitMs: number,
});

export type SearchRequest = z.infer<typeof SEARCH>;
export type AskRequest = z.infer<typeof ASK>;

/** The body, checked. @throws KonteksError `wrong-option`, which names the place; HTTPException 413 and 415. */
export async function readRequest<S extends typeof SEARCH | typeof ASK>(
  request: Request,
  schema: S,
  maxBytes: number,
): Promise<z.infer<S>> {
  const type = request.headers.get("content-type") ?? "";
  // Pages of other sites can send any other type without asking first.
  if (!/^application\/json\b/i.test(type)) {
    const message = `The body is "${type}". Send JSON with "Content-Type: application/json".`;
    throw new HTTPException(415, { message });
  }
  const result = schema.safeParse(jsonOf(await bodyOf(request, maxBytes)));
  if (result.success) return result.data as z.infer<S>;
  const [issue] = result.error.issues;
  throw wrong(issue ? describe(issue, Object.keys(schema.shape)) : "The request does not fit.");
}

/** Read no further than it may be long, whatever its header says. */
async function bodyOf({ headers, body }: Request, maxBytes: number): Promise<string> {
  const tooLarge = () =>
    new HTTPException(413, { message: `The request is larger than ${maxBytes} bytes. Send less.` });
  if (Number(headers.get("content-length")) > maxBytes) throw tooLarge();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw wrong(
      `The body is not JSON: ${reason}. Send an object, with "query" for a search and "question" for an answer.`,
    );
  }
}

function describe(issue: z.core.$ZodIssue, known: readonly string[]): string {
  const place = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const name = [...issue.path.map(String), key].join(".");
    return `There is no setting "${name}".${place === "" ? didYouMean(key, known) : ""}`;
  }
  const where = place === "" ? "The request" : `"${place}"`;
  return `${where} does not fit: ${issue.message.replace(/^Invalid input: /, "")}. See docs/server.md.`;
}

function wrong(message: string): KonteksError {
  return new KonteksError("wrong-option", message);
}
