import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Konteks, openKonteks } from "../src/index.ts";

const documents = {
  "de.md":
    "# Mietrecht\n\nDie Kündigungsfrist beträgt drei Monate. Ein Grundbuch ist ein öffentliches Register der Grundstücke.\n\nDas Gesetz trat am 1. Januar 1900 in Kraft. Verwalterin ist Frau Anna Schmidt.\n",
  "fr.md":
    "# Énergie\n\nLa pompe à chaleur est un appareil qui transfère la chaleur de l'air vers l'eau. Elle consomme 1 200 kWh par an. Elle a été installée en mars 2021 par Jean Dupont.\n",
  "es.md":
    "# Museo\n\nEl museo fue fundado en 1912 por Carmen Ruiz. La entrada cuesta 8 euros. El museo está en la plaza Mayor de Segovia.\n",
  "ja.md":
    "# 茶室\n\n茶室とは、茶を点てるための小さな部屋である。この茶室は一九八二年に林家が建てた。入場料は五百円です。\n",
  "ar.md": "# المتحف\n\nتأسس المتحف في عام 1912. سعر التذكرة 8 دنانير. يقع المتحف في مدينة عمان.\n",
  "th.md": "# พิพิธภัณฑ์\n\nพิพิธภัณฑ์ก่อตั้งขึ้นในปี 1912 ค่าเข้าชมราคา 80 บาท พิพิธภัณฑ์ตั้งอยู่ในเมืองเชียงใหม่\n",
  "zh.md": "# 博物馆\n\n博物馆成立于1912年，由陈先生创办。门票价格为八元。博物馆位于西安市中心。\n",
  "vi.md":
    "# Bảo tàng\n\nBảo tàng được thành lập năm 1912 bởi ông Nguyễn Văn An. Giá vé là 80.000 đồng. Bảo tàng nằm ở Đà Nẵng.\n",
  "id.md":
    "# Museum\n\nMuseum didirikan pada tahun 1912 oleh Siti Rahma. Harga tiket adalah 80.000 rupiah. Museum terletak di Bandung.\n",
  "prices.csv": "article,colour,price\nlamp,red,12\nlamp,blue,14\nchair,green,49\n",
};

let folder: string;
let kb: Konteks;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "konteks-extracts-"));
  kb = await openKonteks({ path: folder });
  await kb.ingest(Object.entries(documents).map(([id, text]) => ({ id, text })));
});
afterAll(async () => {
  await kb.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("without a model", () => {
  test.each([
    ["Was ist ein Grundbuch?", "öffentliches Register"],
    ["Wie lange ist die Kündigungsfrist?", "drei Monate"],
    ["Wer ist die Verwalterin?", "Anna Schmidt"],
    ["Qu’est-ce qu’une pompe à chaleur ?", "est un appareil"],
    ["Quand a-t-elle été installée ?", "mars 2021"],
    ["¿Cuánto cuesta la entrada?", "8 euros"],
    ["茶室とは何ですか", "小さな部屋"],
    ["入場料はいくらですか", "五百円"],
    ["متى تأسس المتحف؟", "1912"],
    ["พิพิธภัณฑ์ก่อตั้งเมื่อใด", "1912"],
    ["博物馆什么时候成立？", "1912"],
    ["门票多少钱？", "八元"],
    ["Bảo tàng được thành lập khi nào?", "1912"],
    ["Siapa yang mendirikan museum?", "Siti Rahma"],
    ["What is the price of the blue lamp?", "article: lamp; colour: blue; price: 14"],
  ])("%s is answered with %j", async (question, words) => {
    const answer = await kb.ask(question);
    expect(answer.text.split("\n")[0]).toContain(words);
    expect(answer).toMatchObject({ kind: "extract", abstained: false });
    const [first] = answer.citations;
    const text = (await kb.document(first?.documentId ?? ""))?.document.text;
    expect(text?.slice(first?.start, first?.end)).toBe(first?.quote);
  });

  test.each([
    "Wie hoch ist die Kaution?",
    "Was ist ein Erbbaurecht?",
    "Quelle est la capitale de l’Australie ?",
    "¿Cuándo cerró el museo?",
    "¿Qué es la fotosíntesis?",
    "社長は誰ですか",
    "ما هي عاصمة أستراليا؟",
    "ใครเป็นนายกรัฐมนตรี",
    "谁是总理？",
    "Thủ đô của Úc là gì?",
    "Kapan museum ditutup?",
    "What is the capital of Australia?",
    "Who is the CEO of Microsoft?",
  ])("%s is not, as nothing here says it", async (question) => {
    const answer = await kb.ask(question);
    expect(answer).toMatchObject({ kind: "none", abstained: true, citations: [] });
    expect(["nothing-retrieved", "off-the-point"]).toContain(answer.reason);
  });

  test("a row is quoted as it stands, with its header beside it", async () => {
    const [row] = (await kb.ask("What is the price of the blue lamp?")).citations;
    expect(row).toMatchObject({ quote: "lamp,blue,14", header: "article,colour,price", lines: [3, 3] });
  });

  test("the trace tells the confidence and what it is made of, and the note what is lacking", async () => {
    const answer = await kb.ask("Who is the CEO of Microsoft?", { thresholds: { confidence: 0.4 } });
    const facts = answer.trace.find(({ stage }) => stage === "extract")?.facts;
    expect(facts).toMatchObject({ threshold: 0.4, confidence: expect.any(Number) });
    const near = await kb.ask("¿Cuándo cerró el museo de Lisboa?");
    expect(near.notes.join(" ")).toMatch(
      /the nearest one reaches 0\.\d\d of the 0\.50 that are needed.*"Lisboa"/,
    );
  });
});
