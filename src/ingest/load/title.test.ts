import { expect, test } from "vitest";
import { documentFromInput } from "./index.ts";

test.each([
  ["a", "# Cats\n\nCats sleep most of the day.", "Cats"],
  ["a.md", "# Cats\n\nCats sleep most of the day.", "Cats"],
  ["notes/cats", "Cats sleep most of the day, and nobody knows why.\nMore.", "cats"],
])("%s is called by its own words where it has a short first line", async (id, text, title) => {
  expect((await documentFromInput({ id, text })).title).toBe(title);
});
