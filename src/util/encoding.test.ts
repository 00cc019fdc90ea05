import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "./encoding.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);
const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

function utf16(text: string, bigEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index++)
    view.setUint16(index * 2, text.charCodeAt(index), !bigEndian);
  return new Uint8Array(view.buffer);
}

function encodeWith(encoding: string, text: string): Uint8Array {
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  for (let lead = 0; lead < 256; lead++) {
    table.set(decoder.decode(bytes(lead)), [lead]);
    for (let trail = 0x40; lead > 0x80 && trail < 256; trail++) {
      const decoded = decoder.decode(bytes(lead, trail));
      if (decoded.length === 1 && !table.has(decoded)) table.set(decoded, [lead, trail]);
    }
  }
  return Uint8Array.from(
    Array.from(text).flatMap((letter) => {
      const code = table.get(letter);
      if (code === undefined) throw new Error(`${letter} is not in ${encoding}`);
      return code;
    }),
  );
}

describe("decodeText", () => {
  it("reads UTF-8 with and without a byte order mark, and keeps line ends", async () => {
    const utf8 = new TextEncoder().encode("Übung\r\nzwei\rdrei\n");
    expect(await decodeText(utf8)).toEqual({ text: "Übung\r\nzwei\rdrei\n", encoding: "utf-8" });
    expect(await decodeText(Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8]))).toEqual({
      text: "Übung\r\nzwei\rdrei\n",
      encoding: "utf-8",
    });
  });

  it.each([true, false])("reads UTF-32 with its mark, little endian: %s", async (isLittle) => {
    const points = Array.from("\uFEFFZürich 😀", (letter) => letter.codePointAt(0) ?? 0);
    const view = new DataView(new ArrayBuffer(points.length * 4));
    for (const [index, point] of points.entries()) view.setUint32(index * 4, point, isLittle);
    expect(await decodeText(new Uint8Array(view.buffer))).toMatchObject({ text: "Zürich 😀" });
  });

  it("gives back any text that was written as UTF-8 or as marked UTF-16", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (text) => {
        const plain = text.replace(/[\p{Cc}\uFEFF]/gu, " ");
        expect((await decodeText(new TextEncoder().encode(plain)))?.text).toBe(plain);
        expect((await decodeText(utf16(`\uFEFF${plain}`, false)))?.text).toBe(plain);
        expect((await decodeText(utf16(`\uFEFF${plain}`, true)))?.text).toBe(plain);
      }),
    );
  });

  it.each([
    ["Latin", "Price,Amount\r\n12,hundred\r\n"],
    ["Chinese", "第一季度收入增长。\n第二季度没有变化。\nEnde.\n"],
    ["entirely Chinese", "检索增强生成是一种方法，把文档切成块"],
    ["Japanese", "検索拡張生成は、文書を分割する方法です。\n"],
  ])("tells UTF-16 without a mark in %s text, and says that it guessed", async (_, text) => {
    for (const bigEndian of [false, true]) {
      const decoded = await decodeText(utf16(text, bigEndian));
      expect(decoded?.text).toBe(text);
      expect(decoded?.encoding).toBe(bigEndian ? "utf-16be" : "utf-16le");
      expect(decoded?.warning).toContain("guessed");
    }
  });

  it.each([
    ["windows-1252", "Die Straße führt über den Hügel; „schön“ fügt sich das Öl."],
    ["windows-874", "ที่นี่มีข้อมูลเกี่ยวกับน้ำและไฟฟ้าในกรุงเทพ"],
    ["shift_jis", "これは日本語の文章です。会社の売上は三パーセント増えました。"],
    ["gbk", "这是一段中文文字。公司的收入比上一季度增长了百分之三。"],
    ["euc-kr", "회사의 매출은 전 분기보다 삼 퍼센트 늘었습니다. 이것은 한국어 문장입니다."],
  ])("detects %s and reports it", async (encoding, text) => {
    const decoded = await decodeText(encodeWith(encoding, text));
    expect(decoded?.text).toBe(text);
    expect(decoded?.warning).toContain("guessed");
  });

  it("detects windows-1258 and composes its tone marks", async () => {
    const text =
      "Ngươ\u0300i Viê\u0323t ơ\u0309 đây co\u0301 nhiê\u0300u sa\u0301ch, đo\u0323c mo\u0323i nga\u0300y";
    const decoded = await decodeText(encodeWith("windows-1258", text));
    expect(decoded?.text).toBe(text.normalize("NFC"));
    expect(decoded?.encoding).toBe("windows-1258");
  });

  it("takes Italian and German for what they are", async () => {
    const text = "Così è però più difficile: la città è già lì, perché no?";
    expect(await decodeText(latin(text))).toMatchObject({ text, encoding: "windows-1252" });
    expect((await decodeText(latin("## können\n\nkönnen\n\näöüß\n")))?.text).toBe(
      "## können\n\nkönnen\n\näöüß\n",
    );
  });

  it("follows the declared encoding before it guesses", async () => {
    const data = encodeWith("windows-1251", "Привет");
    expect(await decodeText(data, { declared: "windows-1251" })).toEqual({
      text: "Привет",
      encoding: "windows-1251",
    });
    expect((await decodeText(data, { declared: "no-such-thing" }))?.warning).toContain("guessed");
  });

  it("keeps UTF-8 with one broken byte, and says so", async () => {
    const data = Uint8Array.from([...new TextEncoder().encode("schön über größer Fuß"), 0xff]);
    const decoded = await decodeText(data);
    expect(decoded).toMatchObject({ encoding: "utf-8", text: "schön über größer Fuß\uFFFD" });
    expect(decoded?.warning).toContain("1 broken");
  });

  it("does not take binary data for text", async () => {
    expect(
      await decodeText(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)),
    ).toBeUndefined();
    expect(
      await decodeText(bytes(...Array.from({ length: 999 }, (_, index) => (index * 7919) % 251))),
    ).toBeUndefined();
    expect(await decodeText(bytes(1, 2, 3, 4, 5, 6, 7, 8))).toBeUndefined();
  });

  it("reads an empty file as empty text", async () => {
    expect(await decodeText(bytes())).toEqual({ text: "", encoding: "utf-8" });
  });
});
