import type { ContextPrompt, PromptDocument, Span } from "../../spec/index.ts";
import { fingerprint } from "../../util/hash.ts";

/** A chunk in a numbered text. */
export interface NumberedChunk extends Span {
  readonly number: number;
}

/** The tool, or form of the reply, that gives one context for each chunk number. */
export const GROUP_TOOL = {
  name: "write_contexts",
  description: "Hands over one context for each chunk that was asked for.",
  schema: {
    type: "object",
    properties: {
      contexts: {
        type: "array",
        items: {
          type: "object",
          properties: { chunk: { type: "integer" }, context: { type: "string" } },
          required: ["chunk", "context"],
          additionalProperties: false,
        },
      },
    },
    required: ["contexts"],
    additionalProperties: false,
  },
} as const;

const head = "In the document, `<chunk-N>` and `</chunk-N>` mark where chunk N begins and ends.";
const request =
  "For each of these chunks give a short succinct context that situates the chunk within the overall document, to " +
  "improve search retrieval of the chunk: which document and part it is from, and the names, dates and things it refers " +
  "to without naming them. One or two sentences, 50–100 tokens each. Give one context for each chunk number, in order.";

/** Changes with the words above. */
export const GROUP_VERSION = fingerprint([head, request]).slice(0, 8);

/** The front of a prompt over a text with numbered chunks. */
export function groupFront(prompt: ContextPrompt, document: PromptDocument): string {
  return `${prompt.front(document)}\n\n${head}`;
}

/** What follows it. `notes` say what was wrong the last time, by number. */
export function groupRequest(
  numbers: readonly number[],
  document: PromptDocument,
  notes: ReadonlyMap<number, string> = new Map(),
): string {
  const language = document.language ?? "the document's language";
  const wrong = [...notes].map(([number, note]) => `Chunk ${number}, last time: ${note}`);
  return [`Chunks ${numbers.join(", ")}.`, `${request} Write them in ${language}.`, ...wrong].join("\n");
}

/** The text with the borders of its chunks in place; chunks may overlap. Each piece is made safe by itself. */
export function numberedText(
  text: string,
  chunks: readonly NumberedChunk[],
  safe: (piece: string) => string,
): string {
  const marks = chunks
    .flatMap(({ number, start, end }) => [
      { at: start, order: 1, mark: `<chunk-${number}>` },
      { at: end, order: 0, mark: `</chunk-${number}>` },
    ])
    .sort((a, b) => a.at - b.at || a.order - b.order);
  let from = 0;
  const parts: string[] = [];
  for (const { at, mark } of marks) {
    parts.push(safe(text.slice(from, at)), mark);
    from = at;
  }
  parts.push(safe(text.slice(from)));
  return parts.join("");
}

/** The contexts of a reply by chunk number; undefined when it does not hold exactly the numbers that were asked for. */
export function groupContexts(
  object: unknown,
  numbers: readonly number[],
): ReadonlyMap<number, string> | undefined {
  const list = (object as { readonly contexts?: unknown } | undefined)?.contexts;
  if (!Array.isArray(list) || list.length !== numbers.length) return undefined;
  const found = new Map<number, string>();
  for (const entry of list as readonly unknown[]) {
    const { chunk, context } = (entry ?? {}) as { readonly chunk?: unknown; readonly context?: unknown };
    if (typeof chunk !== "number" || typeof context !== "string") return undefined;
    found.set(chunk, context);
  }
  return numbers.every((number) => found.has(number)) ? found : undefined;
}
