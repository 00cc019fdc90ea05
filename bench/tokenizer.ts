import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TokenPiece } from "../src/testing/provider/index.ts";

interface Ranks {
  readonly pat_str: string;
}
interface Encoder {
  encode(text: string, allowed: readonly string[], disallowed: readonly string[]): readonly number[];
}

/**
 * The tokenizer o200k, which estimates do not use, from the package `js-tiktoken`: installed here, or in the folder that
 * `KONTEKS_TOKENIZER` names. Undefined without it; the simulated provider then counts roughly.
 */
export async function loadTokenizer(): Promise<((text: string) => Iterable<TokenPiece>) | undefined> {
  const from = join(process.env.KONTEKS_TOKENIZER ?? process.cwd(), "package.json");
  const { resolve } = createRequire(from);
  try {
    const load = (name: string) => import(pathToFileURL(resolve(name)).href);
    const [{ Tiktoken }, ranks] = await Promise.all([
      load("js-tiktoken/lite"),
      load("js-tiktoken/ranks/o200k_base"),
    ]);
    const table: Ranks = ranks.default.pat_str === undefined ? ranks.default.default : ranks.default;
    return piecesWith(new Tiktoken(table) as Encoder, table.pat_str);
  } catch (error) {
    if ((error as { code?: unknown }).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Byte-pair encoding never crosses the borders of the pattern, so that pieces can be counted one by one and remembered. */
function piecesWith(encoder: Encoder, pattern: string): (text: string) => Iterable<TokenPiece> {
  const piece = new RegExp(pattern, "gu");
  const known = new Map<string, number>();
  const count = (text: string) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = encoder.encode(text, [], []).length;
    known.set(text, tokens);
    return tokens;
  };
  return function* (text) {
    for (const match of text.matchAll(piece))
      yield { end: match.index + match[0].length, tokens: count(match[0]) };
  };
}
