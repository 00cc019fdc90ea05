import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { seededRandom } from "../src/eval/random.ts";
import { dataFolder } from "./sets.ts";

/** A document of the speed benchmark, cut into chunks already. */
export interface SpeedDocument {
  readonly id: string;
  readonly title: string;
  readonly language: string;
  /** One of 100, evenly: the field that filters ask for. */
  readonly group: number;
  readonly chunks: readonly string[];
}

interface Source {
  readonly title: string;
  readonly language: string;
  readonly text: string;
}

/** About 130 tokens of English. */
const CHUNK_CHARACTERS = 560;
const CHUNKS_EACH = 20;
const LANGUAGES: Readonly<Record<string, string>> = {
  "idk-mrc-id": "id",
  "react-docs-id": "id",
  "xquad-th": "th",
  "xquad-vi": "vi",
  "xquad-zh": "zh",
};

/**
 * Documents of real text, until there are so many chunks: the evaluation sets, documentation and licences found on the
 * machine, and, once those are used up, their sentences in random order. The same machine gives the same documents.
 */
export function* speedDocuments(chunks: number): Generator<SpeedDocument> {
  let made = 0;
  let number = 0;
  for (const { title, language, pieces } of pieceRuns()) {
    const left = pieces.slice(0, chunks - made);
    if (left.length === 0) return;
    yield { id: `doc-${number}`, title, language, group: number % 100, chunks: left };
    made += left.length;
    number++;
  }
}

function* pieceRuns(): Generator<{ title: string; language: string; pieces: readonly string[] }> {
  const pool: string[] = [];
  for (const source of sources()) {
    const sentences = source.text.split(/(?<=[.!?。]\s)|\n{2,}/u).filter((part) => part.trim().length > 3);
    for (const sentence of sentences) pool.push(sentence);
    const pieces = pack(sentences);
    for (let i = 0; i < pieces.length; i += CHUNKS_EACH) {
      yield { ...source, pieces: pieces.slice(i, i + CHUNKS_EACH) };
    }
  }
  const random = seededRandom(7);
  for (let n = 0; ; n++) {
    const sentences = Array.from({ length: 120 }, () => pool[Math.floor(random() * pool.length)] ?? "");
    yield { title: `Collection ${n}`, language: "en", pieces: pack(sentences).slice(0, CHUNKS_EACH) };
  }
}

function pack(sentences: readonly string[]): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const sentence of sentences) {
    piece += sentence;
    while (piece.length >= CHUNK_CHARACTERS) {
      pieces.push(piece.slice(0, CHUNK_CHARACTERS + 200).toWellFormed());
      piece = piece.slice(CHUNK_CHARACTERS + 200);
    }
  }
  if (piece.trim() !== "") pieces.push(piece.toWellFormed());
  return pieces;
}

function* sources(): Generator<Source> {
  for (const set of readdirSync(dataFolder).sort()) {
    const file = join(dataFolder, set, "corpus.jsonl");
    if (!statSync(file, { throwIfNoEntry: false })) continue;
    for (const line of readFileSync(file, "utf8").trim().split("\n")) {
      const { title, text } = JSON.parse(line) as { title: string; text: string };
      yield { title, text, language: LANGUAGES[set] ?? "en" };
    }
  }
  const modules = resolve("node_modules");
  yield* filesBelow("/usr/share/common-licenses", /./u);
  yield* filesBelow("/usr/share/doc", /(?:copyright|README|\.txt|\.md|\.html)$/u);
  yield* filesBelow(modules, /\.md$/iu);
  yield* filesBelow(modules, /\.d\.ts$/u);
}

function* filesBelow(folder: string, names: RegExp): Generator<Source> {
  if (!statSync(folder, { throwIfNoEntry: false })) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, names);
    else if (entry.isFile() && names.test(entry.name)) {
      yield { title: path.split("/").slice(-2).join("/"), language: "en", text: readFileSync(path, "utf8") };
    }
  }
}

/** Questions of the evaluation sets, from all of them in turn. */
export function speedQueries(count: number): readonly string[] {
  const sets = readdirSync(dataFolder).flatMap((set) => {
    const file = join(dataFolder, set, "queries.jsonl");
    if (!statSync(file, { throwIfNoEntry: false })) return [];
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return [lines.map((line) => (JSON.parse(line) as { text: string }).text)];
  });
  const random = seededRandom(11);
  return Array.from({ length: count }, (_, i) => {
    const set = sets[i % sets.length] ?? [];
    return set[Math.floor(random() * set.length)] ?? "";
  });
}
