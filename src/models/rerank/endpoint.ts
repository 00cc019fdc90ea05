import { KonteksError, type Reranker, type RerankScore } from "../../spec/index.ts";

export interface RerankEndpoint {
  /** With or without `/rerank` at its end: `http://localhost:8000/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly maxTokens?: number | undefined;
}

/**
 * A server with a `/rerank` endpoint: vLLM, Jina and others take `documents`, Text Embeddings Inference takes `texts`; the
 * second is tried when the first is refused as not well-formed.
 */
export function rerankerFromEndpoint(endpoint: RerankEndpoint): Reranker {
  const { model, maxTokens } = endpoint;
  const url = urlOf(endpoint);
  return {
    id: `${url.host}:${model}`,
    kind: "hosted",
    ...(maxTokens !== undefined && { maxTokens }),
    async rerank({ query, candidates }, { signal } = {}) {
      const texts = candidates.map(({ text }) => text);
      const post = (body: object) => call(url, endpoint, body, signal);
      const first = await post({ model, query, documents: texts, top_n: texts.length });
      const answer =
        first.status === 422 || first.status === 400 ? await post({ query, texts, truncate: true }) : first;
      return read(answer.ok ? answer : first, url);
    },
  };
}

function urlOf({ baseUrl }: RerankEndpoint): URL {
  const trimmed = baseUrl.replace(/\/+$/, "");
  try {
    return new URL(/\/rerank$/.test(trimmed) ? trimmed : `${trimmed}/rerank`);
  } catch (cause) {
    throw new KonteksError("wrong-option", `"${baseUrl}" is no URL of a reranking server.`, { cause });
  }
}

async function call(
  url: URL,
  { apiKey }: RerankEndpoint,
  body: object,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw failed(url, "cannot be reached. Is the server running?", cause);
  }
}

async function read(response: Response, url: URL): Promise<readonly RerankScore[]> {
  const text = await response.text();
  if (!response.ok) throw failed(url, `answered ${response.status}: ${text.slice(0, 200)}`);
  const scores = scoresIn(jsonOf(text));
  if (scores === undefined) throw failed(url, `answered something else than scores: ${text.slice(0, 200)}`);
  return scores;
}

/** `{ results: [{ index, relevance_score }] }` or `[{ index, score }]`. */
function scoresIn(body: unknown): readonly RerankScore[] | undefined {
  const list = Array.isArray(body) ? body : (body as { results?: unknown } | null | undefined)?.results;
  if (!Array.isArray(list)) return undefined;
  const scores = list.map((item: Partial<Record<string, unknown>> | null) => ({
    index: item?.index,
    score: item?.relevance_score ?? item?.score,
  }));
  return scores.every(isScore) ? scores : undefined;
}

function isScore(item: { readonly index: unknown; readonly score: unknown }): item is RerankScore {
  return typeof item.index === "number" && typeof item.score === "number";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(url: URL, what: string, cause?: unknown): KonteksError {
  return new KonteksError("model-failed", `${url.href} ${what}`, { facts: { url: url.href }, cause });
}
