import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rememberWords } from "./remembered-words.ts";
import { loadTokenizerClass } from "./runtime.ts";

/** A text, or a query and a text that a cross-encoder reads together. */
export type ModelInput = string | readonly [query: string, text: string];

export interface Encoded {
  readonly ids: readonly number[];
  /** 1 for the tokens of the second text, else 0. */
  readonly types: readonly number[];
}

/**
 * The tokens of an input. What is too long loses its end, not its closing token: of a pair that is the text's end, unless
 * the query alone takes more than half of the room.
 */
export async function loadEncoder(
  folder: string,
  maxTokens: number,
): Promise<(input: ModelInput) => Encoded> {
  const Tokenizer = await loadTokenizerClass();
  const [tokenizer, config] = await Promise.all([
    readJson(join(folder, "tokenizer.json")),
    readJson(join(folder, "tokenizer_config.json")).catch(() => ({})),
  ]);
  // Cutting and padding are done here: a saved tokenizer often pads every text to the same length.
  const made = new Tokenizer({ ...tokenizer, truncation: null, padding: null }, config);
  rememberWords(made.model);
  return (input) => {
    if (typeof input === "string") {
      const ids = cut(made.encode(input).ids, maxTokens);
      return { ids, types: ids.map(() => 0) };
    }
    const fits = (query: string) => made.encode(query).ids.length <= maxTokens / 2;
    const pair = { text_pair: input[1], return_token_type_ids: true };
    const { ids, token_type_ids: types = [] } = made.encode(shortened(input[0], fits), pair);
    return { ids: cut(ids, maxTokens), types: cut(types, maxTokens) };
  };
}

function cut(row: readonly number[], most: number): readonly number[] {
  return row.length <= most ? row : [...row.slice(0, most - 1), row[row.length - 1] ?? 0];
}

/** The longest beginning that fits, to within a fifth, cut between words. */
function shortened(query: string, fits: (query: string) => boolean): string {
  let short = query;
  while (!fits(short) && short.length > 1) {
    const end = Math.floor(short.length * 0.8);
    const blank = short.lastIndexOf(" ", end);
    short = short.slice(0, blank > end / 2 ? blank : end);
  }
  return short;
}

async function readJson(path: string): Promise<object> {
  return JSON.parse(await readFile(path, "utf8")) as object;
}
