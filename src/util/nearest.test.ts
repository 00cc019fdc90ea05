import { expect, it } from "vitest";
import { didYouMean, nearest } from "./nearest.ts";

it("finds what was meant, and nothing when nothing is near", () => {
  expect(nearest("serach", ["ask", "search", "status"])).toBe("search");
  expect(nearest("Search", ["search"])).toBe("search");
  expect(nearest("embeddingModel", ["embedding", "model"])).toBe("embedding");
  expect(nearest("delete", ["ask", "search"])).toBeUndefined();
  expect(nearest("a", ["b"])).toBeUndefined();
  expect(didYouMean("xyz", [])).toBe("");
});

it("prefers the nearest of several", () => {
  expect(nearest("report-q2.md", ["report-q1.md", "report-q2.mdx", "reports-q22.md"])).toMatch(/q1|mdx/);
  expect(nearest("acme.md", ["acne2.md", "acme.mdx"])).toBe("acme.mdx");
});
