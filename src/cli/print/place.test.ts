import { expect, it } from "vitest";
import { placeLine, placeOf } from "./place.ts";
import { hit, view } from "./results.fixture.ts";

const at = (uri: string, pages: readonly [number, number], headings: readonly string[]) => ({
  ...hit,
  uri,
  pages,
  headings,
});

it.each([
  ["/home/u/docs/a.pdf", [3, 3], ["Results"], "a.pdf, page 3"],
  ["/home/u/docs/a.xlsx", [3, 3], ["Budget 2025"], "a.xlsx, sheet Budget 2025"],
  ["/home/u/docs/a.ods", [3, 3], [], "a.ods, sheet 3"],
  ["/home/u/docs/a.xlsx", [2, 3], ["Budget"], "a.xlsx, sheets 2–3"],
  ["/home/u/docs/a.pptx", [4, 5], ["Plan"], "a.pptx, slides 4–5"],
] as const)("%s, %j", (uri, pages, headings, place) => {
  expect(placeOf(at(uri, pages, headings), view)).toBe(place);
});

it("a sheet is not named again among the headings", () => {
  expect(placeLine(at("/home/u/docs/a.xlsx", [3, 3], ["Budget", "Q2"]), view, 80)).toBe(
    "a.xlsx, sheet Budget  Q2",
  );
  expect(placeLine(at("/home/u/docs/a.pdf", [3, 3], ["Budget"]), view, 80)).toBe("a.pdf, page 3  Budget");
});
