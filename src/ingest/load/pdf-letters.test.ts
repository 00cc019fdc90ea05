import { describe, expect, it } from "vitest";
import { joinLines } from "./pdf-blocks.ts";
import { composeAccents, composeLetters, readableText } from "./pdf-letters.ts";

describe("readableText", () => {
  it.each([
    ["e\uFB03cient \uFB02ow \uFB05one", "efficient flow stone"],
    ["on-going e\u21B5orts", "on-going efforts"],
    ["di\u000Ecult", "difficult"],
    ["press \u21B5 to go on", "press \u21B5 to go on"],
    ["a\u00A0b\u2003c", "a b c"],
    ["\uFE8D\uFEDF\uFECC\uFEAE\uFE91\uFEF4\uFE94", "العربية"],
    ["اإلنتاجية", "الإنتاجية"],
    ["إلى ألف آلة", "إلى ألف آلة"],
    ["x² ½ ™", "x² ½ ™"],
  ])("reads %j as %j", (drawn, typed) => expect(readableText(drawn)).toBe(typed));
});

it("composes accents that stand before their letters, and no others", () => {
  expect(composeAccents("Barlas O\u02D8guz, P\u02DAal, na\u00A8\u0131ve")).toBe("Barlas Oğuz, Pål, naïve");
  expect(composeAccents("x \u00B4 y, a\u02DCz")).toBe("x \u00B4 y, a\u02DCz");
});

it("joins lines as the script asks", () => {
  expect(joinLines(["one two", "three"])).toBe("one two three");
  expect(joinLines(["well-", "known"])).toBe("well-\nknown");
  expect(joinLines(["1990 -", "2000"])).toBe("1990 - 2000");
  expect(joinLines(["公司的收入增长", "百分之三。", "第二"])).toBe("公司的收入增长百分之三。第二");
  expect(joinLines(["매출은", "늘었다"])).toBe("매출은 늘었다");
});

it("tells a nameless ligature by the letter after it", () => {
  expect(composeLetters("di\uE000culties o\uE000ine a\uE000uent")).toBe("difficulties offline affluent");
  expect(composeLetters("x \uE000 y")).toBe("x \uE000 y");
});
