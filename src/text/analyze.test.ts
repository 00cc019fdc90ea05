import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnalyzedQuery, analyzeField, analyzeQuery } from "./analyze.ts";
import { DEFAULT_BM25, idf, normalisedFrequency, saturate } from "./bm25.ts";

/** Scores texts against a query by the formula of bm25.ts, in one field. */
function rank(query: string, texts: readonly string[], language?: string): readonly number[] {
  const fields = texts.map((text) => analyzeField(text, { language }));
  const average = fields.reduce((sum, field) => sum + field.length, 0) / fields.length;
  const { terms } = analyzeQuery(query, { languages: language === undefined ? [] : [language] });
  return fields.map((field) =>
    terms.reduce((sum, { term, weight }) => {
      const frequency = fields.filter((other) => other.terms.has(term)).length;
      const tfn = normalisedFrequency(
        field.terms.get(term) ?? 0,
        field.length,
        average,
        DEFAULT_BM25.fields.body,
      );
      return sum + weight * idf(texts.length, frequency) * saturate(tfn, DEFAULT_BM25.k1);
    }, 0),
  );
}

/** Checks that the texts score in this order, all above 0 but the last, which must not be found. */
function expectOrder(query: string, found: readonly string[], notFound: string, language?: string): void {
  const scores = rank(query, [...found, notFound], language);
  expect(scores.at(-1)).toBe(0);
  for (let i = 0; i < found.length; i++)
    expect(scores[i]).toBeGreaterThan(i + 1 < found.length ? (scores[i + 1] ?? 0) : 0);
}

describe("normal forms", () => {
  it.each([
    ["NFD with two marks", "bệnh", "bệnh".normalize("NFD")],
    ["NFC", "bệnh".normalize("NFD"), "bệnh"],
    ["full width", "revenue 2025", "Ｒｅｖｅｎｕｅ　２０２５"],
    ["ligatures", "office file", "oﬃce ﬁle"],
    ["case folding", "STRASSE ΟΔΟΣ", "straße οδος"],
    ["soft hyphen", "quarter", "quar\u00adter"],
    ["digits of other scripts", "2025", "٢٠٢٥"],
  ])("finds %s", (_, query, text) => {
    expect(missingWords(query, text)).toEqual([]);
  });

  it.each([
    ["a hyphen", "the re-\ntrieval of"],
    ["a hyphen, in columns", "the re-  \r\n   trieval of"],
    ["a soft hyphen", "the re\u00ad\ntrieval of"],
  ])("joins a word that %s breaks at a line end", (_, text) => {
    expect(missingWords("retrieval re trieval re-trieval", text)).toEqual([]);
    expect(analyzeField(text).length).toBe(4);
  });

  it("joins such a word of a query as well", () => {
    expectOrder("re-\ntrieval", ["retrieval methods"], "methods");
  });

  it.each(["pages 3-\n5", "the re -\ntrieval", "re- trieval", "Mr. A-\nBaker", "re-\n\ntrieval"])(
    "joins nothing in %j",
    (text) => {
      const joined = [...analyzeField(text).terms.keys()].filter((term) => /retrieval|35|abaker/u.test(term));
      expect(joined).toEqual([]);
    },
  );

  it("gives canonically equal texts equal terms", () => {
    const words = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 8 });
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join(" ");
        expect(entries(text.normalize("NFD"))).toEqual(entries(text.normalize("NFC")));
      }),
    );
  });

  it("gives Thai and Japanese the same terms whatever the order of their marks and the width of their letters", () => {
    const of = (first: string, signs: string) =>
      fc.array(fc.constantFrom(...signs), { maxLength: 8 }).map((parts) => first + parts.join(""));
    const texts = fc.oneof(
      of("ก", "กนำ\u0e31\u0e38\u0e39\u0e3a\u0e48\u0e49\u0e4d\u0e32"),
      of("ハ", "ハ\u309a\u3099ﾊﾟ日ー"),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const form of ["NFC", "NFD", "NFKC", "NFKD"]) {
          expect(entries(text.normalize(form), "th")).toEqual(entries(text, "th"));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("letters and marks", () => {
  it("keeps a word with marks whole", () => {
    expect(analyzeField("Jose\u0301 Jos\u00e8", { language: "es" }).length).toBe(2);
  });

  it("ranks an exact match above one without marks", () => {
    expectOrder("đường", ["con đường dài", "con dương dài"], "con voi", "vi");
    expectOrder("duong", ["con duong dai", "con đường dài"], "con voi", "vi");
  });

  it("finds Vietnamese typed without marks", () => {
    expectOrder("co so du lieu", ["cơ sở dữ liệu"], "bệnh viện", "vi");
    expectOrder("cơ sở dữ liệu", ["cơ sở dữ liệu", "co so du lieu"], "bệnh viện", "vi");
  });

  it("prefers syllables that make a word, also without marks", () => {
    expectOrder("hoc vien", ["học viện quân y", "viện chữa và học"], "bệnh tật", "vi");
  });
});

describe("scripts without spaces", () => {
  it.each([
    ["Chinese", "中华人民共和国国务院办公厅"],
    ["Japanese", "東京特許許可局でデータベースを更新する"],
  ])("finds any two characters of a %s line", (_, line) => {
    for (let i = 0; i + 2 <= line.length; i++)
      expect(rank(line.slice(i, i + 2), [line])[0]).toBeGreaterThan(0);
  });

  it("finds a single Han character inside a word", () => {
    expect(rank("务", ["中华人民共和国国务院"])[0]).toBeGreaterThan(0);
  });

  it("finds Thai that the dictionary cuts differently", () => {
    expectOrder("ฐานข้อมูล", ["ระบบฐานข้อมูลเชิงสัมพันธ์"], "แมวกินปลา", "th");
  });

  it("meets Korean words whatever particle hangs on them", () => {
    expectOrder("데이터베이스", ["데이터베이스", "데이터베이스에서"], "고양이", "ko");
  });

  it("meets Hebrew and Arabic words behind their prefixes", () => {
    expectOrder("חברה", ["החברה גדלה"], "חתול", "he");
    expectOrder("شركة", ["الشركة نمت"], "قطة", "ar");
  });

  it("analyses mixed text piece by piece", () => {
    expect(missingWords("SKU-4521 型号", "产品型号SKU-4521的价格")).toEqual([]);
    expect(missingWords("dashboards", "laporan dashboard bulanan", "id", ["id"])).toEqual([]);
    expectOrder("dashboards", ["销售dashboards", "销售dashboard"], "销售报告", "zh");
    expectOrder("server", ["الخادم server", "خوادم servers"], "الخادم", "ar");
    expectOrder("update", ["ใช้ update ใหม่", "ใช้ updated ใหม่"], "ใหม่", "th");
  });
});

describe("stemming", () => {
  it("meets inflected forms, the exact one first", () => {
    expectOrder("connection", ["the connection", "the connected"], "the banana", "en");
    expectOrder("pelajar", ["pelajar", "pembelajaran"], "pisang", "id");
    expectOrder("belajar", ["belajar", "pelajar"], "pisang", "id");
    expectOrder("menulis", ["menulis", "tulisan"], "pisang", "id");
    expectOrder("Häuser", ["die Häuser", "das Haus"], "die Katze", "de");
  });

  it("takes no stem of a word that belongs to another language", () => {
    const terms = analyzeQuery("đô thị", { languages: ["vi", "en"] }).terms.map(({ term }) => term);
    expect(terms.filter((term) => term.startsWith("~"))).toEqual([]);
  });

  it("serves the languages of the index in one query", () => {
    const terms = analyzeQuery("running pembelajaran", { languages: ["id", "en"] }).terms.map(
      ({ term }) => term,
    );
    expect(terms).toEqual(expect.arrayContaining(["~run", "~ajar", "running", "pembelajaran"]));
  });
});

describe("language tags", () => {
  it("may carry a region or script", () => {
    expect(entries("pembelajaran", "id-ID")).toEqual(entries("pembelajaran", "id"));
    expect(analyzeQuery("pembelajaran", { languages: ["id-ID"] })).toEqual(
      analyzeQuery("pembelajaran", { languages: ["id"] }),
    );
  });
});

describe("identifiers and codes", () => {
  it.each(
    "getUserById atomic_write_json HCA060T TS-999 SKU-4521 node:fs/promises c++ c# .NET v2.19.6 3,85 3.85 $1.2M a.b@example.org src/text/scan.ts __init__ GPUs UTF-8".split(
      " ",
    ),
  )("finds %s as written, also at the end of a sentence", (code) => {
    expectOrder(code, [`We use ${code}.`], "Nothing of the kind is here");
  });

  it("ranks the exact identifier first", () => {
    expectOrder(
      "getUserById",
      ["call getUserById now", "call get_user_by_id now", "call get user now"],
      "nothing",
    );
    expectOrder("c++", ["learn c++ fast", "learn c fast"], "nothing");
    expectOrder("3.85", ["ratio 3.85 here", "ratio 3,85 here"], "ratio 85 here".replace("ratio", "x"));
    expectOrder(".NET", ["the .NET runtime", "the net runtime"], "nothing");
  });

  it("finds identifiers by their parts", () => {
    expectOrder("user", ["getUserById"], "nothing");
    expectOrder("overtime", ["class OvertimeService"], "nothing");
    expectOrder("promises", ["node:fs/promises"], "nothing");
    expectOrder("2.19.6", ["release v2.19.6"], "nothing");
  });

  it("meets joined and parted spellings", () => {
    expectOrder("email", ["send an e-mail"], "nothing");
    expectOrder("e-mail", ["send an email"], "nothing");
    expectOrder("1234567", ["total 1,234,567"], "nothing");
  });

  it("drops the full stop of a sentence", () => {
    expect(analyzeField("See the document.").terms.has("document")).toBe(true);
  });

  it("names what looks like a code", () => {
    const { identifiers } = analyzeQuery("why does getUserById fail with TS-999 in well-known cases?");
    expect(identifiers).toEqual(["getUserById", "TS-999"]);
  });
});

describe("stop words", () => {
  it("count little beside other words", () => {
    expectOrder("what is the margin", ["margin of error", "what is the answer"], "bananas ripen", "en");
  });

  it.each(["to be or not to be", "the who", "don"])("are searched as they stand when alone: %s", (query) => {
    expect(missingWords(query, query)).toEqual([]);
    expect(Math.max(...analyzeQuery(query).terms.map(({ weight }) => weight))).toBeGreaterThanOrEqual(0.8);
  });

  it("of one language are content in a query of another", () => {
    const weightOf = (query: string) =>
      analyzeQuery(query, { languages: ["en", "de"] }).terms.find(({ term }) => term === "die")?.weight ?? 0;
    expect(weightOf("how do cells die")).toBeGreaterThan(2 * weightOf("wie alt ist die Stadt"));
  });
});

describe("user text", () => {
  it.each([
    "what's the budget, roughly?",
    "@nasa",
    "a OR",
    "x:y",
    "NOT",
    "c++ (is",
    "field:(a AND b)*",
    "l'homme",
  ])("is never syntax: %s", (query) => {
    expect(missingWords(query, query)).toEqual([]);
  });

  it.each(["", "  ", '"', "?!", "…", "🎉"])("without words has no terms: %j", (query) => {
    expect(analyzeQuery(query)).toEqual({ terms: [], words: [], phrases: [], identifiers: [] });
  });

  it("has phrases in double quotation marks only", () => {
    const { phrases, terms } = analyzeQuery(
      'the "Net interest margin" of “Bank Jaya” and \'not this\' "open',
    );
    expect(phrases).toEqual([
      ["net", "interest", "margin"],
      ["bank", "jaya"],
    ]);
    expect(terms.map(({ term }) => term)).toEqual(
      expect.arrayContaining(["net", "interest", "margin", "jaya"]),
    );
  });
});

describe("analyzeQuery", () => {
  it("gives sorted terms, each once, with weights above 0", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.subarray(["en", "id", "vi", "zh", "ar", "th"]),
        (text, languages) => {
          const { terms } = analyzeQuery(text, { languages });
          const names = terms.map(({ term }) => term);
          expect(names).toEqual([...new Set(names)].sort());
          expect(terms.every(({ weight }) => weight > 0 && Number.isFinite(weight))).toBe(true);
        },
      ),
    );
  });

  it("says where its words stand", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const { text: word, start, end } of analyzeQuery(text).words)
          expect(text.slice(start, end)).toBe(word);
      }),
    );
  });

  it("finds each of its words in the same text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom("en", "id", "vi", "th", undefined),
        (text, language) => {
          expect(missingWords(text, text, language, language === undefined ? [] : [language])).toEqual([]);
        },
      ),
    );
  });
});

describe("analyzeField", () => {
  it("counts words, not variants", () => {
    expect(analyzeField("The running dogs", { language: "en" }).length).toBe(3);
    expect(analyzeField("", {})).toEqual({ length: 0, terms: new Map() });
  });

  it("bounds the length of a term", () => {
    const { terms } = analyzeField("x".repeat(50_000), { language: "en" });
    expect(Math.max(...[...terms.keys()].map((term) => term.length))).toBeLessThan(70);
  });
});

function entries(text: string, language = "en"): readonly (readonly [string, number])[] {
  return [...analyzeField(text, { language }).terms].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Words of the query of which the text holds no term. */
function missingWords(query: string, text: string, language?: string, languages: readonly string[] = []) {
  const { terms } = analyzeField(text, { language });
  const words: AnalyzedQuery["words"] = analyzeQuery(query, { languages }).words;
  return words.filter((word) => word.terms.length > 0 && !word.terms.some((term) => terms.has(term)));
}
