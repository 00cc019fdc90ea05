import { expect, test } from "vitest";
import { brokenLinks } from "./markdown-links.ts";

const there = (path: string) => path === "LICENSE";

test("links to pages, files, headings and the web are whole", () => {
  const pages = {
    "README.md":
      "[a](docs/a.md) [b](docs/a.md#what-it-costs-1-) [c](LICENSE) [d](https://example.org/x#y) [e](#top)\n\n# Top",
    "docs/a.md": "## What it `costs` (1) \\*\n\n[up](../README.md)",
  };
  expect(brokenLinks(pages, there)).toEqual([]);
});

test("what leads nowhere is named, in tables too; what is in code is no link", () => {
  const pages = {
    "docs/a.md": "| [x](b.md) |\n| --- |\n| [y](#none) |\n\n`[z](c.md)`\n\n```\n[z](c.md)\n```\n",
  };
  expect(brokenLinks(pages, there)).toEqual([
    "docs/a.md links to b.md, which is not there.",
    "docs/a.md links to #none, but docs/a.md has no such heading.",
  ]);
});
