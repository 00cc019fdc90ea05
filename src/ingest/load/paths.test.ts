import { expect, it } from "vitest";
import { baseName, ending, nameOf, toId } from "./paths.ts";

it("makes the same id of a path on every system", () => {
  expect(toId("docs\\guide\\a.md", "\\")).toBe("docs/guide/a.md");
  expect(toId("docs/guide/a.md", "/")).toBe("docs/guide/a.md");
  expect(toId("odd\\name.md", "/")).toBe("odd\\name.md");
  expect(toId("./a.md", "/")).toBe("a.md");
});

it("reads the ending", () => {
  expect(ending("a/B.MD")).toBe("md");
  expect(ending("a.b/noending")).toBe("");
  expect(ending(".env")).toBe("");
  expect(ending("x.tar.gz")).toBe("gz");
  expect(ending("Chapter 1. The start")).toBe("");
});

it("names a file for people, never with nothing", () => {
  expect(baseName("C:\\docs\\a.md")).toBe("a.md");
  expect(nameOf("a/annual report_2025.pdf")).toBe("annual report 2025");
  expect(nameOf("レポート.md")).toBe("レポート");
  expect(nameOf(".env")).toBe(".env");
  expect(nameOf("_.md")).toBe("_.md");
});
