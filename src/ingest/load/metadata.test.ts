import { describe, expect, it } from "vitest";
import { isKonteksError } from "../../spec/index.ts";
import { checkMetadata } from "./metadata.ts";

describe("checkMetadata", () => {
  it("takes every kind of value that filters can name", () => {
    const metadata = { a: "x", b: 1.5, c: false, d: null, e: ["x", "y"], f: [1, 2], g: [] };
    expect(checkMetadata(metadata, "doc")).toEqual(metadata);
    expect(checkMetadata(undefined, "doc")).toEqual({});
  });

  it.each([
    ["a date", new Date(0)],
    ["an object", { nested: 1 }],
    ["NaN", Number.NaN],
    ["undefined", undefined],
    ["a mixed list", ["x", 1]],
    ["a list of lists", [["x"]]],
    ["a function", () => 1],
  ])("refuses %s and names the key and the document", (_, value) => {
    expect(() => checkMetadata({ fine: 1, published: value }, "doc-7")).toThrow(/"doc-7".*"published"/);
  });

  it.each([[[]], ["text"], [7]])("refuses %j in the place of an object", (value) => {
    expect(() => checkMetadata(value, "doc")).toSatisfy((act: () => void) => {
      try {
        act();
      } catch (error) {
        return isKonteksError(error, "wrong-option");
      }
      return false;
    });
  });
});
