import { describe, expect, it } from "vitest";
import { otherLanguage } from "./other-language.ts";

const english = "How high is the penalty that a party has to pay when it breaches the duties of secrecy?";
const german = "Wie hoch ist die Vertragsstrafe, die eine Partei bei einer Verletzung der Pflichten zahlt?";

describe("otherLanguage", () => {
  it("names the language that a text is in instead", () => {
    expect(otherLanguage(english, "en")).toBeUndefined();
    expect(otherLanguage(german, "en")).toBe("de");
    expect(otherLanguage("合同违约金是多少？", "en")).toBe("zh");
  });

  it("is unsure of few words and of languages that are alike", () => {
    expect(otherLanguage("Wie hoch ist die Strafe?", "en")).toBeUndefined();
    const indonesian =
      "Berapa besar denda yang harus dibayar oleh pihak yang melanggar kewajiban kerahasiaan itu?";
    expect(otherLanguage(indonesian, "ms")).toBeUndefined();
    expect(otherLanguage(indonesian, "en")).toBe("id");
  });
});
