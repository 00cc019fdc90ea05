import fc from "fast-check";
import { expect, test } from "vitest";
import { rememberWords } from "./remembered-words.ts";
import { loadTokenizerClass } from "./runtime.ts";

const PIECES = ["▁", "▁a", "▁ab", "a", "b", "ab", "ba", "bab", "c", "▁cab", "abc"];
const Tokenizer = await loadTokenizerClass();

function tokenizer(pieces: readonly string[]): InstanceType<typeof Tokenizer> {
  const vocab = [["<unk>", 0], ...pieces.map((piece, i) => [piece, -1 - ((i * 7) % 5)])];
  return new Tokenizer(
    {
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
      post_processor: null,
      decoder: null,
      model: { type: "Unigram", unk_id: 0, vocab, byte_fallback: false },
    },
    {},
  );
}

const texts = fc
  .array(fc.oneof(fc.stringMatching(/^[abcx]{1,6}$/), fc.constant(""), fc.constant("ab".repeat(30))))
  .map((words) => words.join(" "));

test("remembered words give the tokens that the model gives", () => {
  const plain = tokenizer(PIECES);
  const remembering = tokenizer(PIECES);
  rememberWords(remembering.model);
  fc.assert(
    fc.property(texts, (text) => {
      expect(remembering.encode(text).ids).toEqual(plain.encode(text).ids);
    }),
  );
});

test("a word is taken apart once, a long one each time", () => {
  const one = tokenizer(PIECES);
  const model = one.model as { tokenize(text: string): string[] };
  const seen: string[] = [];
  const tokenize = model.tokenize.bind(model);
  model.tokenize = (text) => {
    seen.push(text);
    return tokenize(text);
  };
  rememberWords(model);
  const long = "ab".repeat(30);
  one.encode(`ab c ab ${long}`);
  one.encode(`c ab ${long}`);
  expect(seen).toEqual(["▁ab", "▁c", `▁${long}`, `▁${long}`]);
});

test("where pieces go from one word into the next, nothing is cut at words", () => {
  const pieces = [...PIECES, "a▁b"];
  const plain = tokenizer(pieces);
  const remembering = tokenizer(pieces);
  rememberWords(remembering.model);
  expect(remembering.encode("a b a b").ids).toEqual(plain.encode("a b a b").ids);
  expect(plain.encode("a b").ids).toContain(pieces.length);
});
