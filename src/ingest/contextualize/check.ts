import type { ContextFault, Document } from "../../spec/index.ts";
import { countTokens } from "../../text/count-tokens.ts";
import { otherLanguage } from "../../text/other-language.ts";
import { unknownNames, unknownNumbers } from "./check-names.ts";

/** A fault and the sentence that tells the model. */
export interface Fault {
  readonly kind: ContextFault;
  readonly reason: string;
}

export interface CheckInput {
  readonly text: string;
  readonly chunk: string;
  /** Left out where the document is not at hand: what needs it is then not checked. */
  readonly document?:
    | Pick<Document, "text" | "title" | "language" | "format" | "metadata" | "id">
    | undefined;
  /** Limit of the reply in tokens. */
  readonly maxTokens: number;
}

/** The first thing that is wrong with a context, or undefined. */
export function faultOf(input: CheckInput): Fault | undefined {
  const { text, chunk, document, maxTokens } = input;
  if (text.trim() === "") return { kind: "blank", reason: "The reply was blank." };
  if (isRefusal(text)) return { kind: "refusal", reason: "The model refused to write a context." };
  if (hasLeadIn(text))
    return { kind: "lead-in", reason: "It begins with a lead-in; only the context is wanted." };
  // Estimates err upwards by up to a half in scripts that tokenizers were not made for.
  if (countTokens(text) > maxTokens * 1.5)
    return { kind: "too-long", reason: "It is too long; one or two sentences are wanted." };
  if (isCopy(text, chunk))
    return { kind: "copy", reason: "It repeats the chunk; say where the chunk stands instead." };
  return document && documentFault(text, document);
}

function documentFault(text: string, document: NonNullable<CheckInput["document"]>): Fault | undefined {
  const language = wrongLanguage(text, document);
  if (language !== undefined)
    return { kind: "language", reason: `It is in "${language}", the document in "${document.language}".` };
  const numbers = unknownNumbers(text, document);
  if (numbers.length > 0)
    return { kind: "unknown-number", reason: `The document does not say ${list(numbers)}.` };
  const names = unknownNames(text, document);
  if (names.length > 0) return { kind: "unknown-name", reason: `The document does not name ${list(names)}.` };
  return undefined;
}

/** How refusals begin; a context that situates a chunk does not begin so. */
export function isRefusal(text: string): boolean {
  return /^\W*(i'?m sorry|i am sorry|sorry,|i apologi[sz]e|i can(?:no|'|’)t |i am unable|i'?m unable|i won'?t |as an ai\b|maaf,|saya tidak (?:bisa|dapat)|抱歉|对不起|我(?:无法|不能)|xin lỗi|tôi không thể|ขออภัย|申し訳)/i.test(
    text.trim(),
  );
}

function hasLeadIn(text: string): boolean {
  return /^\W*(here(?:'s|’s| is| are)\b|sure\b|certainly\b|of course\b|okay\b|(?:the |short |succinct )*context\s*:|konteks(?:nya)?\s*:|berikut (?:adalah|ini)\b|ini (?:adalah )?konteks|以下是|上下文\s*[::]|(?:đây là )?ngữ cảnh\s*:|บริบท\s*:)/i.test(
    text,
  );
}

const gram = { long: 14, short: 5 } as const;
/** Shorter ones share their words with the chunk by chance. */
const leastLength = { long: 60, short: 15 } as const;

/** Whether nearly all of it stands in the chunk, word for word. By pieces of letters, for any script. */
function isCopy(text: string, chunk: string): boolean {
  const [context, source] = [plain(text), plain(chunk)];
  const kind = /[\p{Script=Han}\p{Script=Thai}\p{Script=Hiragana}]/u.test(context) ? "short" : "long";
  if (context.length < leastLength[kind]) return false;
  const size = gram[kind];
  let found = 0;
  const steps = Math.floor((context.length - size) / 3) + 1;
  for (let step = 0; step < steps; step++)
    if (source.includes(context.slice(step * 3, step * 3 + size))) found += 1;
  return found / steps >= 0.85;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/** The language it is in, when that is surely not the document's. */
function wrongLanguage(
  text: string,
  { language, format }: NonNullable<CheckInput["document"]>,
): string | undefined {
  // The words of source code say little of the language its contexts should have.
  return language === undefined || format === "code" ? undefined : otherLanguage(text, language);
}

function list(words: readonly string[]): string {
  return words
    .slice(0, 3)
    .map((word) => `"${word}"`)
    .join(", ");
}
