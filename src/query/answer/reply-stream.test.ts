import { expect, test } from "vitest";
import { createReplyStream } from "./reply-stream.ts";

test("a reply without an end of sentence, as of a model that repeats itself, costs its stream no more than its length", () => {
  const input = {
    question: "How much?",
    evidence: [],
    sourceFacts: () => ({ title: "", words: "" }) as never,
  };
  const texts: string[] = [];
  const stream = createReplyStream(input, (event) => void (event.type === "text" && texts.push(event.text)));
  const begun = performance.now();
  for (let piece = 0; piece < 800; piece++) stream.add("Revenue again and again ");
  stream.end();
  expect(texts.join("")).toBe("Revenue again and again ".repeat(800).trimEnd());
  // Looking for the language of the whole text with every piece took 20 s.
  expect(performance.now() - begun).toBeLessThan(4_000);
});
