import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadOne } from "./load-one.fixture.ts";
import { csvRecords } from "./table-text.ts";

async function table(text: string, id = "a.csv", options = {}) {
  const document = await loadOne(id, text, options);
  const block = document.blocks.find(({ kind }) => kind === "table");
  const slice = ({ start, end }: { start: number; end: number }) => document.text.slice(start, end);
  return {
    document,
    header: block?.header && slice(block.header),
    rows: block?.parts?.map(slice) ?? [],
  };
}

describe("CSV", () => {
  it("keeps the text and gives rows with their header, also where cells hold line ends and quotation marks", async () => {
    const text = 'Name,Note\r\nAda,"two\r\nlines"\r\n\r\nBob,"say ""hi"", then go"\r\n';
    const { document, header, rows } = await table(text);
    expect(document.text).toBe(text);
    expect(header).toBe("Name,Note");
    expect(rows).toEqual(['Ada,"two\r\nlines"', 'Bob,"say ""hi"", then go"']);
    expect(document.title).toBe("a.csv");
  });

  it.each([
    ["semicolons", "Name;Sum\nA;1,5\nB;2,5\n", "Name;Sum"],
    ["tabs", "Name\tSum\nA\t1,5\nB\t2,5\n", "Name\tSum"],
    ["bars", "Name|Sum\nA|1\nB|2\n", "Name|Sum"],
    ["sep=", "sep=;\r\nName;Sum\r\nA;1\r\nB;2\r\n", "Name;Sum"],
    ["lone CR", "Name,Sum\rA,1\rB,2", "Name,Sum"],
  ])("reads %s", async (_, text, expected) => {
    const { header, rows } = await table(text);
    expect(header).toBe(expected);
    expect(rows).toHaveLength(2);
  });

  it("takes no row of values for a header, unless it is told to", async () => {
    expect((await table("1,2\n3,4\n")).header).toBeUndefined();
    expect((await table("1,2\n3,4\n", "a.csv", { csv: { header: true } })).header).toBe("1,2");
    expect((await table("Name,Sum\nA,1\n", "a.csv", { csv: { header: false } })).header).toBeUndefined();
  });

  it("reads lines above the table as its title", async () => {
    const { document, header } = await table("Cups won,,\nTeam,Place,Cups\nBlues,STL,1\n");
    expect(header).toBe("Team,Place,Cups");
    expect(document.outline.map(({ text }) => text)).toEqual(["Cups won"]);
    expect(document.title).toBe("Cups won");
  });

  it("reads what is no CSV line by line, with a warning, and says that rows are ragged", async () => {
    const { document, rows } = await table('a,b\n"c,d\ne,f\n');
    expect(rows).toEqual(['"c,d', "e,f"]);
    expect(document.warnings?.join()).toContain("do not pair up");
    expect((await table("a,b\n1,2,3\n4,5\n")).document.warnings?.join()).toContain("1 of 3 rows");
  });

  it("puts every character that is not blank into a block, whatever the file holds", async () => {
    const piece = fc.constantFrom("a", "1", ",", ";", "\t", '"', "\n", "\r\n", "\r", " ", "é", "👩‍🔧");
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 40 }), async (pieces) => {
        const text = `x${pieces.join("")}`;
        const { blocks } = await loadOne("a.csv", text);
        const covered = blocks.map(({ start, end }) => text.slice(start, end)).join("");
        expect(covered.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
        for (const { start, end, parts } of blocks) {
          expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
          for (const part of parts ?? []) expect(part.start >= start && part.end <= end).toBe(true);
        }
      }),
    );
  });

  it("gives records by the names of the columns", async () => {
    expect(await csvRecords("id,text\n7,seven\n8,eight,more\n", "a.csv")).toEqual([
      { id: "7", text: "seven" },
      { id: "8", text: "eight", "column 3": "more" },
    ]);
  });
});
