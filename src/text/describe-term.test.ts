import { expect, test } from "vitest";
import { analyzeField, analyzeQuery } from "./analyze.ts";
import { describeTerm } from "./describe-term.ts";

test.each([
  ["days", "en", { text: "day", kind: "stem" }],
  ["pembayaran", "id", { text: "bayar", kind: "stem" }],
  ["đặt", "vi", { text: "dat", kind: "without marks" }],
  ["e-mail", "en", { text: "email", kind: "joined" }],
])("%s: its other form without the sign of the index", (word, language, form) => {
  const terms = [...analyzeField(word, { language }).terms.keys()].map(describeTerm);
  expect(terms).toContainEqual({ text: word, kind: "as written" });
  expect(terms).toContainEqual(form);
});

test("no term of a query is shown with its sign", () => {
  const { terms } = analyzeQuery("Phải báo trước bao nhiêu ngày? e-mail, 提前通知, ภาษาไทย", {
    languages: ["vi", "zh", "th"],
  });
  for (const { term } of terms) expect(describeTerm(term).text).toMatch(/^[\p{L}\p{N}\p{M}]/u);
});
