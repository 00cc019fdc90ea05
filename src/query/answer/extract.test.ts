import { describe, expect, test } from "vitest";
import type { Hit } from "../../spec/index.ts";
import { type ExtractOptions, extractAnswer } from "./extract.ts";

function hit(text: string, parts: Partial<Hit> = {}): Hit {
  return {
    chunkId: "a#0",
    documentId: "a",
    title: "a",
    uri: "a.md",
    headings: [],
    lines: [10, 10 + text.split("\n").length - 1],
    start: 100,
    end: 100 + text.length,
    text,
    context: { kind: "none", text: "" },
    language: "en",
    metadata: {},
    rank: 1,
    score: 1,
    scoreKind: "rrf",
    scores: {},
    ranks: {},
    ...parts,
  };
}

/** Function words are frequent in any index; the rest is rare here. */
const idf = (term: string) => (/什|么|时候/u.test(term) ? 0.2 : 2);

const ask = (question: string, hits: readonly Hit[], languages = ["en"], options: ExtractOptions = {}) =>
  extractAnswer({ question, hits, languages, idf }, options);

test("cites the sentence that answers, verbatim, with its own lines and offsets", () => {
  const text = "Staffing was reviewed.\n\nRevenue grew by 3 % over the previous quarter.\nCosts fell.";
  const [best] = ask("By how much did revenue grow over the previous quarter?", [hit(text)]).citations;
  expect(best).toMatchObject({
    quote: "Revenue grew by 3 % over the previous quarter.",
    lines: [12, 12],
    number: 1,
  });
  expect(text.slice((best?.start ?? 0) - 100, (best?.end ?? 0) - 100)).toBe(best?.quote);
});

test("a context makes one of two equal sentences the answer", () => {
  const text = "Revenue rose by 3 %.";
  const context = (company: string) => ({ kind: "structural" as const, text: `[From: ${company} report]` });
  const globex = hit(text, { chunkId: "g#0", context: context("Globex") });
  const acme = hit(text, { chunkId: "a#0", rank: 2, context: context("ACME") });
  const question = "How much did revenue of ACME rise?";
  const { citations } = ask(question, [globex, acme], ["en"], { minConfidence: 0 });
  expect(citations[0]?.chunkId).toBe("a#0");
});

test("an identifier is said by itself, hardly by its parts", () => {
  const rows = hit("SKU-4519 costs 74.00.\nSKU-4521 costs 96.50.\nSKU-4522 costs 99.00.");
  expect(ask("What does SKU-4521 cost?", [rows]).citations.map((one) => one.quote)).toEqual([
    "SKU-4521 costs 96.50.",
  ]);
});

test("a question about something else is not answered, and says how far off it was", () => {
  const extract = ask("What is the melting point of tungsten?", [
    hit("The point of the meeting was the budget."),
  ]);
  expect(extract.citations).toEqual([]);
  expect(extract.confidence).toBeLessThan(extract.threshold);
});

test("scripts without spaces are answered piece by piece", () => {
  const text = "茶馆位于河边。它于一九八二年开业，由林家经营。菜单每年更换。";
  const [best] = ask("林家的茶馆什么时候开业？", [hit(text, { language: "zh" })], ["zh"]).citations;
  expect(best?.quote).toContain("开业");
});

test("of source code, lines that stand together are quoted", () => {
  const code = "import x;\n\nfunction overtimeHours(entry) {\n  return entry.hours - 8;\n}\n";
  const [best] = ask("overtimeHours", [hit(code)]).citations;
  expect(best?.quote).toBe("function overtimeHours(entry) {\n  return entry.hours - 8;\n}");
});

test("the same sentence in two overlapping chunks is one answer", () => {
  const text = "Berlin has 3.85 million inhabitants.";
  const twice = [hit(text), hit(text, { chunkId: "a#1", rank: 2 })];
  expect(ask("How many inhabitants has Berlin?", twice).citations).toHaveLength(1);
});

test("a sentence that only shares the context is no part of the answer", () => {
  const context = { kind: "structural" as const, text: "[From: ACME report, Q2 2023]" };
  const text = "Revenue rose by 3 %. The board met 4 times. Costs came to 16.1 million.";
  expect(ask("How much did ACME revenue rise in Q2 2023?", [hit(text, { context })]).citations).toHaveLength(
    1,
  );
});

test("the words that ask for a figure are not looked for", () => {
  const text = "Either party may end it. The notice period is ninety days.";
  const [best] = ask("How long is the notice period?", [hit(text)]).citations;
  expect(best?.quote).toBe("The notice period is ninety days.");
});

test("another city's sentence is no part of the answer, though the file names both", () => {
  const part = (city: string, text: string, rank: number) =>
    hit(text, {
      chunkId: `c#${rank}`,
      documentId: "berlin-and-paris.md",
      headings: ["Two capitals", city],
      rank,
    });
  const hits = [
    part("Berlin", "Its 3.85 million inhabitants make it the most populous city.", 1),
    part("Paris", "It counts 2.1 million inhabitants in the city.", 2),
  ];
  expect(ask("How many inhabitants does Berlin have?", hits).citations.map(({ chunkId }) => chunkId)).toEqual(
    ["c#1"],
  );
});

describe("what speaks for and against a sentence", () => {
  const first = (question: string, text: string, parts: Partial<Hit> = {}) =>
    ask(question, [hit(text, parts)], [parts.language ?? "en"], { minConfidence: 0 }).citations[0]?.quote;

  test("a figure in front of what is counted, more than the company's name", () => {
    const text =
      "We have 36 full-time employees in 3 offices. In 2019 Acme Gaming bought 23,271 shares of its former employees.";
    expect(first("How many employees does Acme Gaming have?", text, { title: "Acme Gaming" })).toMatch(
      /^We have 36/,
    );
  });

  test.each([
    ["Was ist ein Raum?", "Sei X ein Raum und Y eine Menge. Ein Raum ist ein Paar aus Mengen.", "de", /Paar/],
    ["Apa itu useEffect?", "Jangan panggil useEffect dua kali. `useEffect` adalah Hook React.", "id", /Hook/],
  ])("%s is answered by a definition", (question, text, language, words) => {
    expect(first(question, text, { language })).toMatch(words);
  });

  test("a caption that repeats the question is none", () => {
    const text = "Tensile strength of SNB22.\n\n| form | tensile strength |\n|---|---|\n| bars | 890 |";
    expect(first("What is the tensile strength of SNB22 bars?", text, { headings: ["SNB22"] })).toBe(
      "| bars | 890 |",
    );
  });

  test("another city's sentence does not answer, though the title names both", () => {
    const text = "Berlin has a population of 3.85 million. In Paris the population is smaller: 2.1 million.";
    const title = "Berlin and Paris";
    expect(first("What is the population of Paris?", text, { title })).toMatch(/^In Paris/);
    expect(
      first(
        "What is the population of Paris?",
        "Berlin has a population of 3.85 million.\n\nIn this one live 2.1 million, a great population.",
        { title },
      ),
    ).toMatch(/^In this/);
  });

  test("who founded something is its founder, not the day", () => {
    const text =
      "| Founded | February 28, 1998 |\n| Founder | Netscape Corporation |\n| Owner | Example Foundation |";
    expect(first("Who founded Example?", text, { title: "Example" })).toContain("Netscape");
  });
});

describe("what is quoted", () => {
  test("a row of a table, not the table", () => {
    const text =
      "Prices of 2024.\n\n| article | price |\n|---|---|\n| SKU-4519 | 74.00 |\n| SKU-4521 | 96.50 |";
    const { citations } = ask("What does SKU-4521 cost?", [hit(text)], ["en"], { minConfidence: 0 });
    expect(citations.map(({ quote }) => quote)).toEqual(["| SKU-4521 | 96.50 |"]);
  });

  test("a line of a CSV file, found by its header", () => {
    const text = "Team,City,Cups\nBlues,STL,1\nFlyers,PHI,2\nMaple Leafs,TOR,13\n";
    const question = "How many cups have the Maple Leafs?";
    const { citations } = ask(question, [hit(text)], ["en"], { minConfidence: 0 });
    expect(citations[0]?.quote).toBe("Maple Leafs,TOR,13");
  });

  test("never a crumb without a word", () => {
    const text = "Opened in 1982. 27] The tea house has three rooms.";
    const quotes = ask("tea house rooms", [hit(text)], ["en"], {
      minConfidence: 0,
      minShare: 0,
      maxSentences: 9,
    });
    expect(quotes.citations.map(({ quote }) => quote)).not.toContain("27]");
  });
});

describe("a question or heading is no answer, what stands below it is", () => {
  const first = (question: string, text: string, parts: Partial<Hit> = {}) =>
    ask(question, [hit(text, parts)], [parts.language ?? "en"]).citations.map(({ quote }) => quote);
  const pay = "Yes. Choose “Invoice” at checkout.";

  test.each([
    ["a heading", `# Questions\n\n## Can I pay by bank transfer?\n\n${pay}\n\nElse ask us.`],
    ["a line by itself", `Can I pay by bank transfer?\n${pay}`],
    ["in bold", `**Can I pay by bank transfer?**\n\n${pay}`],
    ["in a paragraph", `Can I pay by bank transfer? ${pay}`],
    ["with a letter", `Q: Can I pay by bank transfer?\n\n${pay}`],
  ])("%s", (_, text) => {
    expect(first("Can I pay by bank transfer?", text)).toEqual([pay]);
  });

  test("in Indonesian and Japanese", () => {
    const question = "Bagaimana cara mengganti kata sandi?";
    const text = `**${question}**\n\nBuka Pengaturan, lalu tekan Atur ulang.\n\n**Berapa ongkirnya?**\n\nGratis.`;
    expect(first(question, text, { language: "id" })).toEqual(["Buka Pengaturan, lalu tekan Atur ulang."]);
    const japanese = "## 返品の送料は誰が払いますか？\n\nお客様のご負担です。";
    expect(first("返品の送料は誰が払いますか？", japanese, { language: "ja" })).toEqual([
      "お客様のご負担です。",
    ]);
  });

  test("a list belongs to what leads into it", () => {
    const list = "You need:\n\n- the receipt\n- the original box";
    const text = `## What do I need for a refund?\n\n${list}\n\nAnd patience.`;
    expect(first("What do I need for a refund?", text)).toEqual([list]);
    expect(first("What is needed for a refund?", `For a refund is needed:\n1. a form\n2. a stamp`)).toEqual([
      "For a refund is needed:\n1. a form\n2. a stamp",
    ]);
  });

  test("neither a table's header nor what leads into a table is quoted for its heading", () => {
    const table = "| article | price |\n|---|---|\n| SKU-4521 | 96.50 |";
    const question = "What is the price of the torque wrench SKU-4521?";
    expect(first(question, `## Prices of torque wrenches\n\n${table}`)).toEqual(["| SKU-4521 | 96.50 |"]);
    expect(first(question, `The price of the torque wrenches:\n\n${table}`)).toEqual([
      "| SKU-4521 | 96.50 |",
    ]);
  });

  test("a heading that says little of what is asked lends nothing", () => {
    const notes =
      "### Which torque wrench for a wheel\n\nBolts take 90 to 140 Nm. SKU-4521 covers this range.";
    const table = "| article | name | data |\n|---|---|---|\n| SKU-4521 | Torque wrench | 40 to 210 Nm |";
    const hits = [hit(notes), hit(table, { chunkId: "a#1", rank: 2 })];
    const { citations } = ask("What is the torque range of SKU-4521?", hits, ["en"], { minConfidence: 0 });
    expect(citations[0]?.quote).toBe("| SKU-4521 | Torque wrench | 40 to 210 Nm |");
  });

  test("a sentence that says as much by itself stands alone", () => {
    const text = "## Annual leave\n\nAnnual leave is 14 days. What is not taken by March is lost.";
    expect(first("How many days of annual leave are there?", text)).toEqual(["Annual leave is 14 days."]);
  });

  test("a heading with nothing below it is better than nothing", () => {
    expect(first("torque wrench", "## Torque wrench")).toEqual(["## Torque wrench"]);
  });
});

describe("confidence", () => {
  const text = "The tea house by the river opened in 1982. Green tea is brewed at 80 degrees.";
  const confidence = (question: string, languages = ["en"]) =>
    ask(question, [hit(text)], languages).confidence;

  test("is higher for what the text says than for what it does not", () => {
    const right = confidence("When did the tea house open?");
    for (const wrong of [
      "When did the tea house close?",
      "When did the Lisbon tea house open?",
      "Who owns the tea house?",
      "Why did the tea house not open?",
      "When did the river flood?",
    ])
      expect(confidence(wrong), wrong).toBeLessThan(right - 0.1);
  });

  test("names what the nearest passage lacks", () => {
    expect(ask("When did the Lisbon tea house open?", [hit(text)]).lacking).toEqual(["Lisbon"]);
  });

  test.each([
    ["Was ist ein Grundbuch?", "Ein Grundbuch ist ein Register der Grundstücke.", "de"],
    ["Qu’est-ce que le cadastre ?", "Le cadastre est un registre des terrains.", "fr"],
    ["¿Qué es el catastro?", "El catastro es un registro de terrenos.", "es"],
    ["Apa itu reptil?", "Reptil adalah kelompok hewan berdarah dingin.", "id"],
    ["Con rùa là gì?", "Con rùa là một loài bò sát.", "vi"],
    ["什么是茶馆？", "茶馆是喝茶的地方。", "zh"],
    ["茶室とは何ですか", "茶室は茶を点てる部屋です。", "ja"],
    ["ชาคืออะไร", "ชาเป็นเครื่องดื่ม", "th"],
    ["ما هو الشاي؟", "الشاي مشروب ساخن.", "ar"],
  ])(
    "%s is answered, also where the index holds no text of its language but this",
    (question, answer, language) => {
      const { citations } = ask(question, [hit(answer, { language })], ["en"]);
      expect(citations.map(({ quote }) => quote)).toEqual([answer]);
    },
  );
});

describe("doubts", () => {
  const lease = (days: number, id: string) =>
    hit(`The notice period of the lease is ${days} days.`, { chunkId: `${id}#0`, documentId: id });

  test("tell a name of the question that stands nowhere near", () => {
    const [question, hits] = ["How long is the notice period of the lease in Lisbon?", [lease(90, "a")]];
    const { doubts } = ask(question, hits, ["en"], { minConfidence: 0 });
    expect(doubts).toEqual(['"Lisbon" does not stand near the first extract.']);
    const named = [hit(hits[0]?.text ?? "", { metadata: { city: "Lisbon" } })];
    expect(ask(question, named, ["en"], { minConfidence: 0 }).doubts).toEqual([]);
  });

  test("tell that documents give different figures, and not that they agree", () => {
    const question = "How many days is the notice period of the lease?";
    expect(ask(question, [lease(90, "a"), lease(60, "b")]).doubts).toEqual([
      "The documents give different figures: compare the extracts.",
    ]);
    expect(ask(question, [lease(90, "a"), lease(90, "b")]).doubts).toEqual([]);
    const said = "What does the lease say of the notice period?";
    expect(ask(said, [lease(90, "a"), lease(60, "b")]).doubts).toHaveLength(1);
    const other = hit("The notice period of the lease has 3 parts.", { chunkId: "c#0", documentId: "c" });
    expect(ask(said, [lease(90, "a"), other]).doubts).toEqual([]);
  });

  test("a name that is lacking makes it less sure, beside the sentence or in all of the passage", () => {
    const text = `The museum was founded in 1907. It is free. It has a café. Its garden is old. Lisbon has ten others.`;
    const confidence = (question: string) => ask(question, [hit(text)]).confidence;
    const asked = confidence("When was the museum founded?");
    expect(confidence("When was the museum in Lisbon founded?")).toBeLessThan(asked);
    expect(confidence("When was the museum in Porto founded?")).toBeLessThan(
      confidence("When was the museum in Lisbon founded?"),
    );
  });
});

test("rows of a table about something else do not stand before the sentence that answers", () => {
  const text =
    "Masa pemberitahuan adalah sembilan puluh hari.\n\n| Lantai | Harga |\n| --- | --- |\n| 1 | 4.000 |\n| 2 | 5.000 |";
  const title = "Perjanjian Sewa Gedung Merpati";
  const { citations } = ask(
    "Berapa lama masa pemberitahuan di Gedung Merpati?",
    [hit(text, { title, language: "id" })],
    ["id"],
  );
  expect(citations.map(({ quote }) => quote)).toEqual(["Masa pemberitahuan adalah sembilan puluh hari."]);
});
