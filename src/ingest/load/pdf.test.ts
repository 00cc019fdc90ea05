import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isKonteksError, type KonteksError } from "../../spec/index.ts";
import { makeCjkPdf, makePdf, type Placed } from "./make-files.fixture.ts";
import { loadPdf } from "./pdf.ts";
import { titleOf } from "./title.ts";
import type { LoadOptions } from "./types.ts";

const file = { path: "/docs/a.pdf", id: "a.pdf", size: 0 };
const load = (pages: readonly (readonly Placed[])[], options: LoadOptions = {}, info = "") =>
  loadPdf(makePdf(pages, info), file, options);

/** Lines one under the other, 12 points apart. */
const lines = (x: number, y: number, texts: readonly string[], size = 10): Placed[] =>
  texts.map((text, index) => ({ text, x, y: y - 12 * index, size }));

async function blocksOf(pages: readonly (readonly Placed[])[]) {
  const { text, blocks } = await load(pages);
  return blocks.map(({ kind, level, start, end }) => `${kind}${level ?? ""}: ${text.slice(start, end)}`);
}

async function errorOf(promise: Promise<unknown>): Promise<KonteksError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isKonteksError(error)) throw new Error(`expected a KonteksError, got ${String(error)}`);
  return error;
}

describe("text of a PDF", () => {
  it("joins the lines of a paragraph and keeps words broken at line ends as they are", async () => {
    expect(
      await blocksOf([
        [
          ...lines(72, 700, [
            "The first paragraph runs over lines and its words are re-",
            "trieved as they stand on the page, in the order of the page.",
          ]),
          ...lines(72, 660, ["A second paragraph."]),
        ],
      ]),
    ).toEqual([
      "paragraph: The first paragraph runs over lines and its words are re-\ntrieved as they stand on the page, in the order of the page.",
      "paragraph: A second paragraph.",
    ]);
  });

  it("puts words together by their places, whatever the order of drawing", async () => {
    const { text } = await load([
      [
        { text: "world", x: 120, y: 700 },
        { text: "Hello", x: 93, y: 700 },
        { text: "Next line", x: 93, y: 688 },
        { text: "tor", x: 99.4, y: 640 },
        { text: "Fac", x: 82.2, y: 640 },
      ],
    ]);
    expect(text).toBe("Hello world Next line\n\nFactor");
  });

  it("reads two columns one after the other, below what spans both", async () => {
    const words = [
      "alpha beta gamma delta epsilon",
      "zeta eta theta iota kappa lambda",
      "mu nu xi omicron pi rho sigma tau",
      "upsilon phi chi psi omega alphas",
      "the column ends with this line",
    ];
    const left = lines(
      50,
      600,
      words.map((line) => `L ${line}`),
    );
    const right = lines(
      320,
      600,
      words.map((line) => `R ${line}`),
    );
    const rows = left.flatMap((line, index) => [line, ...right.slice(index, index + 1)]);
    const { text } = await load([
      [{ text: "A title that spans both of the columns", x: 150, y: 700, size: 20 }, ...rows],
    ]);
    expect(text).toBe(
      `A title that spans both of the columns\n\n${words.map((line) => `L ${line}`).join(" ")}\n\n${words.map((line) => `R ${line}`).join(" ")}`,
    );
  });

  it("reads columns one after the other where one of them holds a table, or both stand below one", async () => {
    const words = Array.from({ length: 14 }, (_, number) => `${number} words of a line of prose here`);
    const left = lines(
      50,
      600,
      words.map((line) => `L${line}`),
    );
    const cells = (x: number, y: number, count: number) =>
      Array.from({ length: count }, (_, row) =>
        ["Gold", String(row), "7.0"].map((text, column) => ({ text, x: x + 60 * column, y: y - 12 * row })),
      ).flat();
    const right = lines(
      320,
      510,
      words.slice(7).map((line) => `R${line}`),
    );
    const beside = await load([[...left, ...cells(320, 600, 6), ...right]]);
    expect(beside.text).toContain(words.map((line) => `L${line}`).join(" "));
    expect(beside.text).toContain("Gold | 0 | 7.0\nGold | 1 | 7.0");

    const wide = [0, 1, 2, 3, 4].flatMap((row) =>
      ["Name", String(row), "12", "34", "56"].map((text, column) => ({
        text,
        x: 50 + 100 * column,
        y: 720 - 12 * row,
      })),
    );
    const caption = {
      text: "Table 1: a caption that runs over both of the columns of the page",
      x: 60,
      y: 640,
    };
    const below = await load([
      [
        ...wide,
        caption,
        ...left,
        ...lines(
          320,
          600,
          words.map((line) => `R${line}`),
        ),
      ],
    ]);
    expect(below.text).toContain("Name | 0 | 12 | 34 | 56\nName | 1 | 12 | 34 | 56");
    expect(below.text).toContain(words.map((line) => `R${line}`).join(" "));
  });

  it("keeps the entries of a list of sources apart, whose lines below the first are set in", async () => {
    const entry = (y: number, name: string) => [
      ...lines(72, y, [`${name}, and others. 2020. A long title of a paper about`]),
      ...lines(84, y - 12, ["reading documents and the order of their lines. In", "Proceedings."]),
    ];
    expect(await blocksOf([[...entry(700, "First"), ...entry(664, "Second")]])).toEqual([
      "paragraph: First, and others. 2020. A long title of a paper about reading documents and the order of their lines. In Proceedings.",
      "paragraph: Second, and others. 2020. A long title of a paper about reading documents and the order of their lines. In Proceedings.",
    ]);
  });

  it("reads Japanese and Chinese by the fonts' maps where the file has none", async () => {
    const hex = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");
    const { text } = await loadPdf(
      makeCjkPdf("Adobe-Japan1", "UniJIS-UCS2-H", hex("日本語の文書")),
      file,
      {},
    );
    expect(text).toBe("日本語の文書");
    const sjis = "93fa967b8cea"; // 日本語
    expect((await loadPdf(makeCjkPdf("Adobe-Japan1", "90ms-RKSJ-H", sjis), file, {})).text).toBe("日本語");
  });

  it("takes short lines in a font of their own for headings, and no emphasis", async () => {
    const section = (name: string, y: number) => [
      { text: name, x: 72, y, bold: true },
      ...lines(72, y - 18, [
        `The parties agree on ${name.toLowerCase()} as follows, and this`,
        "paragraph runs on.",
      ]),
    ];
    const names = ["Definitions", "Fees and payment", "Governing law"];
    const headings = await blocksOf([names.flatMap((name, index) => section(name, 700 - 60 * index))]);
    expect(headings.filter((block) => block.startsWith("heading"))).toEqual(
      names.map((name) => `heading1: ${name}`),
    );
    const emphasis = ["Ends with a point.", "So does this.", "And this."].flatMap((text, index) =>
      section(text, 700 - 60 * index),
    );
    expect((await blocksOf([emphasis])).filter((block) => block.startsWith("heading"))).toEqual([]);
  });

  it("reads three columns, and letters across the page apart from their lines", async () => {
    const words = (name: string) =>
      Array.from({ length: 8 }, (_, number) => `${name}${number} words of a line of prose`);
    const columns = ["A", "B", "C"].map((name, index) => lines(50 + 180 * index, 700, words(name)));
    const rows = words("").flatMap((_, row) => columns.flatMap((column) => column.slice(row, row + 1)));
    const { text } = await load([[...rows, { text: "DRAFT", x: 200, y: 600, size: 60, angle: 45 }]]);
    expect(text).toBe([...["A", "B", "C"].map((name) => words(name).join(" ")), "DRAFT"].join("\n\n"));
  });

  it("leaves a cell empty where a row has none", async () => {
    const rows = [
      ["Q1", "Q2", "Q3", "Total"],
      ["10", "20", "", "30"],
      ["", "5", "6", "11"],
    ];
    const placed = rows.flatMap((row, index) =>
      row.flatMap((text, column) =>
        text === "" ? [] : [{ text, x: 72 + 100 * column, y: 700 - 14 * index }],
      ),
    );
    expect((await load([placed])).text).toBe("Q1 | Q2 | Q3 | Total\n10 | 20 |  | 30\n| 5 | 6 | 11");
  });

  it("keeps a title that runs on over later pages a title, and takes no line of contents for a heading", async () => {
    const page = (number: number) => [
      { text: "The Manual", x: 72, y: 780, size: 8 },
      ...lines(72, 700, [
        `Page ${number} says something of its own, over lines`,
        "that are more than one,",
        "and one more.",
      ]),
      { text: String(number), x: 300, y: 30, size: 8 },
    ];
    const first = [
      { text: "The Manual", x: 72, y: 780, size: 24 },
      { text: "1 Introduction . . . . . . . . . 2", x: 72, y: 740, size: 14 },
      ...lines(72, 700, ["The first page has words too, and some", "lines of them,", "in a row."]),
    ];
    const blocks = await blocksOf([first, page(2), page(3), page(4)]);
    expect(blocks.filter((block) => block.startsWith("heading"))).toEqual(["heading1: The Manual"]);
    expect(blocks.filter((block) => block === "metadata: The Manual")).toHaveLength(3);
  });

  it("reads a table row by row", async () => {
    const rows = [
      ["City", "Units", "Revenue"],
      ["Bonn", "12", "4,500"],
      ["Ulm", "7", "1,250"],
      ["Jena", "31", "9,999"],
    ];
    const placed = rows.flatMap((row, index) =>
      row.map((text, column) => ({ text, x: 72 + 120 * column, y: 700 - 14 * index })),
    );
    expect(await blocksOf([placed])).toEqual([
      "table: City | Units | Revenue\nBonn | 12 | 4,500\nUlm | 7 | 1,250\nJena | 31 | 9,999",
    ]);
    const { blocks, text } = await load([placed]);
    expect(text.slice(blocks[0]?.header?.start, blocks[0]?.header?.end)).toBe("City | Units | Revenue");
  });

  it("tells headings by size and list items by their marks", async () => {
    expect(
      await blocksOf([
        [
          { text: "Annual Report", x: 72, y: 750, size: 24 },
          { text: "Results", x: 72, y: 700, size: 14 },
          ...lines(72, 680, [
            "Revenue grew by three percent over the year before, more than planned.",
            "Costs fell.",
          ]),
          ...lines(72, 640, ["\x95 first point", "\x95 second point"]),
        ],
      ]),
    ).toEqual([
      "heading1: Annual Report",
      "heading2: Results",
      "paragraph: Revenue grew by three percent over the year before, more than planned. Costs fell.",
      "list-item1: • first point",
      "list-item1: • second point",
    ]);
  });
});

describe("any page", () => {
  const placed = fc.record({
    text: fc
      .array(fc.stringMatching(/^[a-z]{3,9}$/), { minLength: 1, maxLength: 6 })
      .map((words) => words.join(" ")),
    x: fc.integer({ min: 20, max: 250 }),
    // On lines, so that words drawn over each other do not become one.
    y: fc.integer({ min: 1, max: 50 }).map((line) => line * 15),
    size: fc.constantFrom(8, 10, 10, 10, 12, 18),
  });

  it("keeps every letter, wherever it is drawn", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(placed, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 }),
        async (pages) => {
          const { text, blocks } = await load(pages);
          const letters = (all: string) => [...all.replace(/[^a-z]/g, "")].sort().join("");
          expect(letters(text)).toBe(
            letters(
              pages
                .flat()
                .map((each) => each.text)
                .join(""),
            ),
          );
          let at = 0;
          for (const { start, end } of blocks) {
            expect(text.slice(at, start).trim()).toBe("");
            at = end;
          }
          expect(at).toBe(text.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("pages", () => {
  const page = (text: string, number: number): Placed[] => [
    { text: "Yearly Review", x: 72, y: 770 },
    ...lines(72, 700, [`${text} stands here.`, "More of it follows on a second line."]),
    { text: `Page ${number} of 4`, x: 280, y: 30 },
  ];

  it("keep their numbers when one is empty, which is told", async () => {
    const { text, pages, warnings } = await load([page("One", 1), [], page("Three", 3), page("Four", 4)]);
    expect(pages?.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(text.slice(pages?.[2]?.start, pages?.[3]?.start)).toContain("Three stands here.");
    expect(warnings).toEqual(["Page 2 has no text layer: blank, or scanned pictures."]);
  });

  it("have running lines that stay in the text but are no content", async () => {
    const { text, blocks } = await load([page("One", 1), page("Two", 2), page("Three", 3)]);
    const running = blocks
      .filter(({ kind }) => kind === "metadata")
      .map(({ start, end }) => text.slice(start, end));
    expect(running).toEqual([
      "Yearly Review",
      "Page 1 of 4",
      "Yearly Review",
      "Page 2 of 4",
      "Yearly Review",
      "Page 3 of 4",
    ]);
  });
});

describe("facts", () => {
  it("come from the file's properties", async () => {
    const { title, metadata } = await load(
      [lines(72, 700, ["x"])],
      {},
      "/Title (Annual Report) /Author (Ana) /CreationDate (D:20250331120000Z)",
    );
    expect({ title, metadata }).toEqual({
      title: "Annual Report",
      metadata: { author: "Ana", date: "2025-03-31" },
    });
  });
});

describe("titles", () => {
  it.each([
    ["/Title (Document Retrieval: a Survey)", "Document Retrieval: a Survey"],
    ["/Title (Microsoft Word - final3.doc)", "Heading"],
    ["/Title (Untitled)", "Heading"],
    ["", "Heading"],
  ])("with %s are %s", async (info, title) => {
    const page = [
      { text: "Heading", x: 72, y: 700, size: 20 },
      ...lines(72, 660, ["Text that is longer than the heading."]),
    ];
    expect(titleOf(await load([page], {}, info), "a.pdf")).toBe(title);
  });
});

describe("what cannot be read", () => {
  it("is a scan, with its pages named", async () => {
    const error = await errorOf(load([[], []]));
    expect(error.code).toBe("no-text");
    expect(error.message).toContain("pages 1–2");
  });

  it("is damaged, wholly or in part", async () => {
    const whole = makePdf([lines(72, 700, ["Some text."])]);
    expect((await errorOf(loadPdf(whole.subarray(0, 40), file, {}))).code).toBe("unreadable");
    const cut = whole.subarray(0, whole.length - 20);
    expect((await loadPdf(cut, file, {})).text).toBe("Some text.");
  });

  it("unpacks beyond any use, at once or in layers", async () => {
    const stream = (layers: string, data: Uint8Array) =>
      Buffer.concat([
        Buffer.from(`%PDF-1.4\n1 0 obj\n<</Length ${data.length}/Filter${layers}>>stream\n`),
        data,
        Buffer.from("\nendstream\nendobj\n"),
      ]);
    const once = deflateSync(Buffer.alloc(300 * 1024 * 1024));
    for (const bytes of [
      stream("/FlateDecode", once),
      stream("[/FlateDecode /FlateDecode]", deflateSync(once)),
    ])
      expect((await errorOf(loadPdf(bytes, file, {}))).message).toContain("unpacks to more than 256 MiB");
  });

  it("takes too long, and the rest is named", async () => {
    const error = await errorOf(load([lines(72, 700, ["x"])], { pdf: { timeLimitMs: -1 } }));
    expect(error.message).toContain("left unread");
  });

  it("was stopped", async () => {
    expect((await errorOf(load([[]], { signal: AbortSignal.abort() }))).code).toBe("aborted");
  });
});
