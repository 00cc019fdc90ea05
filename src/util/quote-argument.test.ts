import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteArgument } from "./quote-argument.ts";

test.skipIf(process.platform === "win32")("a shell takes what was quoted as the same arguments", () => {
  const text = fc.string({ unit: fc.constantFrom(..."aé ß'\"$`\\!*?#~|;&<>(){}=\n-") });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (given) => {
      const typed = given.map((one) => quoteArgument(one)).join(" ");
      const out = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${typed}`], { encoding: "utf8" });
      expect(out).toBe(given.map((one) => `${one}\0`).join(""));
    }),
    { numRuns: 60 },
  );
});

test("what needs no marks has none", () => {
  expect(quoteArgument("docs/a-b.md", "linux")).toBe("docs/a-b.md");
  expect(quoteArgument("how long?", "linux")).toBe("'how long?'");
  expect(quoteArgument('say "hi"', "win32")).toBe('"say \\"hi\\""');
});
