import { describe, expect, it } from "vitest";
import { formatOfName, isData, unsupportedName } from "./kinds.ts";
import { sniff } from "./sniff.ts";

const of = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe("sniff", () => {
  it("tells files by content", () => {
    expect(sniff(of("junk before\n%PDF-1.7\n"))).toEqual({ format: "pdf" });
    expect(sniff(of("PK\x03\x04.....[Content_Types].xml....word/document.xml"))).toEqual({ format: "docx" });
    expect(sniff(of("PK\x03\x04.....xl/workbook.xml"))).toEqual({ format: "xlsx" });
    expect(sniff(of("PK\x03\x04.....META-INF/container.xml...."))).toEqual({ format: "epub" });
    expect(sniff(of("PK\x03\x04.....anything.txt"))).toEqual({
      unsupported: "a zip archive that is not named .zip",
    });
    expect(sniff(of("\x89PNG\r\n"))).toEqual({ unsupported: "a PNG image" });
    expect(sniff(of("{\\rtf1\\ansi"))).toEqual({ format: "rtf" });
    expect(sniff(of("\xd0\xcf\x11\xe0....E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"))).toHaveProperty(
      "encrypted",
    );
  });

  it("says nothing about text", () => {
    for (const text of ["", "# Title", "PK is short for pack", "<html>", "{ \\rtf }"])
      expect(sniff(of(text))).toBeUndefined();
  });
});

describe("formats by name", () => {
  it.each([
    ["a/README.MD", "markdown"],
    ["a.htm", "html"],
    ["src/x.tsx", "code"],
    ["Dockerfile", "code"],
    ["data.csv", "csv"],
    ["notes", undefined],
    ["a.xyz", undefined],
  ])("%s is %s", (name, format) => expect(formatOfName(name)).toBe(format));

  it("knows wrapped text and data", () => {
    expect(unsupportedName("mail/x.mbox")).toContain("mailbox");
    expect(unsupportedName("x.md")).toBeUndefined();
    expect([isData("x.json"), isData("x.log"), isData("x.txt"), isData("x.rst")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
