import { expect, test } from "vitest";
import { documentFromInput } from "./index.ts";

test.each([
  ["a", "# Cats\n\nCats sleep most of the day.", "Cats"],
  ["a.md", "# Cats\n\nCats sleep most of the day.", "Cats"],
  ["notes/cats", "Cats sleep most of the day, and nobody knows why.\nMore.", "cats"],
])("%s is called by its own words where it has a short first line", async (id, text, title) => {
  expect((await documentFromInput({ id, text })).title).toBe(title);
});

test.each([
  ["<title>Annual report</title><h1>Contents</h1><p>x</p><h2>Results</h2>", "Annual report"],
  ["<title>report_2021.htm</title><h2>Results</h2><p>x</p>", "Results"],
  ["<h1>Mục lục</h1><p>x</p>", "page"],
  [
    '<title>f.htm</title><h2>UNITED STATES</h2><p><ix:nonNumeric name="dei:DocumentType">10-K</ix:nonNumeric><ix:nonNumeric name="dei:EntityRegistrantName">Acme, Inc.</ix:nonNumeric><ix:nonNumeric name="dei:DocumentPeriodEndDate">December 31, 2021</ix:nonNumeric></p>',
    "Acme, Inc.: 10-K December 31, 2021",
  ],
])("a page is not called by what heads many: %s", async (text, title) => {
  expect((await documentFromInput({ id: "docs/page.html", text })).title).toBe(title);
});
