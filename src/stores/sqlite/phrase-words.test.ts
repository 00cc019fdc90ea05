import fc from "fast-check";
import { expect, test } from "vitest";
import { exactTerms } from "../../text/exact-terms.ts";
import { holdsPhrase, mayHold } from "./phrase-words.ts";

const piece = fc.constantFrom(
  ..."a B c1 D2e foo Bar fooBar serverComponent server_component server-component don't what's isn't".split(
    " ",
  ),
  ..."GPUs HTTPServer v2.1 2.5kg 1,000 aB1Cde the of x::y std::vector https://a.b/c @me #tag é naïve ß 日本 --".split(
    " ",
  ),
);
const gap = fc.constantFrom(" ", "  ", "\n", "\t", ", ", ". ", "-", "-\n", "_", "", " -- ", "'", "\u00a0");
const text = fc
  .array(fc.tuple(piece, gap), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.flat().join(""));

test("a phrase that stands in a text is never turned away", () => {
  fc.assert(
    fc.property(text, fc.nat(30), fc.integer({ min: 1, max: 4 }), (given, from, length) => {
      const terms = exactTerms(given);
      if (terms.length === 0) return;
      const phrase = terms.slice(from % terms.length, (from % terms.length) + length);
      expect(mayHold(phrase, given)).toBe(true);
      expect(holdsPhrase(phrase, given)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test("what lies between two words of a text is not passed over", () => {
  expect(mayHold(["server", "component"], "A server that sends the component")).toBe(false);
  expect(mayHold(["server", "component"], "The component of a server")).toBe(false);
  expect(mayHold(["server", "component"], "server, then a ServerComponent")).toBe(true);
  expect(holdsPhrase(["server", "component"], "servers componentwise")).toBe(false);
});
