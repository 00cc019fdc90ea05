import { describe, expect, it } from "vitest";
import { textWarnings } from "./warnings.ts";

const TEXT = "Công ty đã trình bày kết quả: l'été dernier, „Häuser“ kosteten 3 % mehr — señor, où êtes-vous?";

/** Reads the text's UTF-8 bytes as another encoding, as a careless program does. */
function misread(text: string, encoding: string): string {
  return new TextDecoder(encoding).decode(new TextEncoder().encode(text));
}

describe("textWarnings", () => {
  it.each(["windows-1252", "latin1"])("names a text that was read as %s", (encoding) => {
    expect(textWarnings(misread(TEXT, encoding), "fr")).toEqual([expect.stringMatching(/wrongly decoded/u)]);
  });

  it("names a text with lost characters", () => {
    const lost = new TextDecoder("utf-8").decode(
      Uint8Array.from([...TEXT].map((letter) => letter.charCodeAt(0) & 0xff)),
    );
    expect(textWarnings(lost, "fr")).toHaveLength(1);
  });

  it.each([TEXT, "Ärger, Ão, Ñandú, Дом, SÃO PAULO", "العربية", "漢字"])("is content with %s", (text) => {
    expect(textWarnings(text, "vi")).toEqual([]);
  });

  it("names a language without a stemmer", () => {
    expect(textWarnings("Mapato ya kampuni", "sw")).toEqual([expect.stringContaining('"sw"')]);
    expect(textWarnings("Mapato ya kampuni", undefined)).toEqual([]);
  });
});
