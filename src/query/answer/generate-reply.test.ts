import { describe, expect, test } from "vitest";
import { splitReply } from "./generate-reply.ts";

describe("splitReply", () => {
  test("takes the tail off and reads a quote a line, with or without marks around it", () => {
    const reply =
      'It grew [1].\n\n<quotes>\n[1] "grew by 3 %"\n- [2]: two\nlines\n\n[1] more\n</quotes>\nBye.';
    expect(splitReply(reply)).toEqual({
      answer: "It grew [1].",
      quotes: [
        { number: 1, words: "grew by 3 %" },
        { number: 2, words: "two\nlines" },
        { number: 1, words: "more" },
      ],
    });
  });

  test("a tail without an end, in a code fence, or none at all", () => {
    expect(splitReply("A [1].\n<QUOTES>\n[1] cut of").quotes).toEqual([{ number: 1, words: "cut of" }]);
    expect(splitReply("A [1].\n```\n<quotes>\n[1] x\n</quotes>\n```").answer).toBe("A [1].");
    expect(splitReply(" A [1]. ")).toEqual({ answer: "A [1].", quotes: [] });
  });

  test.each([
    '[{"number": 1, "words": "grew by 3 %"}, {"number": 2, "words": "fell"}]',
    String.raw`"[{\"source\": \"1\", \"quote\": \"grew by 3 %\"}, {\"source\": 2, \"quote\": \"fell\"}]"`,
    '[[1, "grew by 3 %"], ["[2]", "fell"]]',
  ])("a list in JSON, or in a string of JSON: %s", (list) => {
    expect(splitReply(`A [1].\n<quotes>\n${list}\n</quotes>`).quotes).toEqual([
      { number: 1, words: "grew by 3 %" },
      { number: 2, words: "fell" },
    ]);
  });
});
