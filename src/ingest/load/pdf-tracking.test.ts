import { expect, it } from "vitest";
import { closeTracked } from "./pdf-tracking.ts";

const closed = (...texts: readonly string[]) =>
  closeTracked(texts.map((str) => ({ str }))).map(({ str }) => str);

it("closes words whose letters are set apart", () => {
  expect(closed("A N N U A L", " ", "R E P O R T", " ", "o f", " ", "2")).toEqual([
    ..."ANNUAL_ _REPORT_ _of_ _2".split("_"),
  ]);
  expect(closed("C O N T E N T S")).toEqual(["CONTENTS"]);
});

it("leaves letters alone that are a list, a sum or a short sequence", () => {
  const texts = ["A B C D E F", "1 2 3 4 5", "x y z", "I a m here", "a b c", "U S A"];
  for (const text of texts) expect(closed(text)).toEqual([text]);
});
