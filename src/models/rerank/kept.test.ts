import { expect, test } from "vitest";
import { keepRerankers } from "./kept.ts";

test("a reranker is made once for its name, and a name that fails is tried again", async () => {
  const rerankers = keepRerankers({});
  const [first, second] = await Promise.all([rerankers.resolve("built-in"), rerankers.resolve("built-in")]);
  expect(second).toBe(first);
  const wrong = () => rerankers.resolve("nobody:model");
  await expect(wrong()).rejects.toMatchObject({ code: "unknown-model" });
  await expect(wrong()).rejects.toMatchObject({ code: "unknown-model" });
  await rerankers.close();
});

test("a reranker of the caller's is handed back and left open", async () => {
  const own = {
    id: "own",
    kind: "hosted" as const,
    rerank: async () => [],
    close: () => expect.unreachable(),
  };
  const rerankers = keepRerankers({});
  expect(await rerankers.resolve(own)).toBe(own);
  await rerankers.close();
});
