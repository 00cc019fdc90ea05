import { neutralise } from "../../llm/fence.ts";
import {
  type Chunk,
  type ContextKey,
  type ContextOptions,
  type ContextPrompt,
  type Document,
  KonteksError,
  type PromptDocument,
} from "../../spec/index.ts";
import { fingerprint, sha256 } from "../../util/hash.ts";
import { GROUP_VERSION } from "./prompt-grouped.ts";
import { PRESETS } from "./prompt-presets.ts";
import { promptFromTemplate, tagsOf } from "./prompt-template.ts";

/** All that decides what a context says, beside document and chunk. */
export interface Recipe {
  /** Part of every context's key. */
  readonly id: string;
  /** What an index with these contexts is made with. */
  readonly contextualizer: string;
  readonly prompt: ContextPrompt;
  /** Puts text where it can end no wrapper of the prompt. */
  readonly safe: (text: string) => string;
  readonly glossary: string;
  readonly domain: string;
}

/** Errors: "wrong-option" for a prompt that cannot serve. */
export function recipeOf(modelId: string, options: ContextOptions = {}): Recipe {
  const prompt = promptOf(options.prompt);
  const safe = safeFor(options.prompt);
  const glossary = glossaryLines(options.glossary ?? {}, safe);
  const domain = safe(options.domain?.trim() ?? "");
  const version = fingerprint([prompt.id, glossary, domain, GROUP_VERSION]).slice(0, 12);
  return {
    id: fingerprint(["context", modelId, version]),
    contextualizer: `llm:${modelId}:${version}`,
    prompt,
    safe,
    glossary,
    domain,
  };
}

function promptOf(prompt: string | ContextPrompt = "claude"): ContextPrompt {
  if (typeof prompt !== "string") return checked(prompt);
  return Object.hasOwn(PRESETS, prompt) ? (PRESETS[prompt] as ContextPrompt) : promptFromTemplate(prompt);
}

function checked(prompt: ContextPrompt): ContextPrompt {
  if (typeof prompt.id === "string" && prompt.id.trim() !== "") return prompt;
  throw new KonteksError("wrong-option", "A context prompt made of functions needs an id. Give it one.");
}

function safeFor(prompt: string | ContextPrompt | undefined): (text: string) => string {
  const tags = typeof prompt === "string" && !Object.hasOwn(PRESETS, prompt) ? tagsOf(prompt) : [];
  return (text) => neutralise(text, tags);
}

function glossaryLines(glossary: Readonly<Record<string, string>>, safe: (text: string) => string): string {
  const entries = Object.entries(glossary).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([term, meaning]) => safe(`${term}: ${meaning}`.replace(/\s+/g, " "))).join("\n");
}

/** The document as the prompt is given it; `text` is safe already. */
export function promptDocument(recipe: Recipe, document: Document, text: string): PromptDocument {
  return {
    title: document.title,
    text,
    language: document.language && languageName(document.language),
    glossary: recipe.glossary,
    domain: recipe.domain,
  };
}

function languageName(tag: string): string | undefined {
  try {
    return new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(tag);
  } catch {
    return undefined;
  }
}

export function documentHash(document: Pick<Document, "text">): string {
  return sha256(document.text);
}

/** Equal chunks of a document are told apart by their order, so that an edit elsewhere changes no key. */
export function keysOf(
  documentId: string,
  chunks: readonly Pick<Chunk, "text">[],
  recipe: string,
): readonly ContextKey[] {
  const seen = new Map<string, number>();
  return chunks.map(({ text }) => {
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    return { documentId, chunkHash: fingerprint([text, String(before)]), recipe };
  });
}
