import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectLanguage } from "./language.ts";

const TEXTS: readonly (readonly [language: string, text: string])[] = [
  ["en", "The company expects that its revenue will grow in the second half of the year."],
  ["id", "Perusahaan memperkirakan bahwa pendapatannya akan tumbuh pada paruh kedua tahun ini."],
  [
    "ms",
    "Syarikat menjangkakan bahawa pendapatannya akan meningkat pada separuh kedua tahun ini kerana permintaan.",
  ],
  ["vi", "Công ty dự kiến rằng doanh thu của mình sẽ tăng trong nửa cuối năm."],
  ["de", "Das Unternehmen erwartet, dass der Umsatz in der zweiten Jahreshälfte wächst."],
  ["fr", "L’entreprise s’attend à ce que son chiffre d’affaires augmente dans la seconde moitié de l’année."],
  ["es", "La empresa espera que sus ingresos crezcan en la segunda mitad del año."],
  ["pt", "A empresa espera que as suas receitas cresçam na segunda metade do ano."],
  ["it", "La società prevede che i suoi ricavi cresceranno nella seconda metà dell’anno."],
  ["nl", "De onderneming verwacht dat de omzet in de tweede helft van het jaar zal groeien."],
  ["sv", "Företaget väntar sig att omsättningen kommer att växa under andra halvan av året."],
  ["pl", "Spółka oczekuje, że jej przychody wzrosną w drugiej połowie roku, a nie w pierwszej."],
  [
    "tr",
    "Şirket, yılın ikinci yarısında gelirlerinin daha çok artacağını ve bunun için bir plan olduğunu söyledi.",
  ],
  ["ru", "Компания ожидает, что её выручка вырастет во второй половине года."],
  ["uk", "Компанія очікує, що її дохід зросте у другій половині року, та не боїться."],
  ["zh", "公司预计下半年收入将会增长。"],
  ["ja", "会社は下半期の売上高が伸びると見込んでいる。"],
  ["ko", "회사는 하반기에 매출이 늘어날 것으로 예상한다."],
  ["th", "บริษัทคาดว่ารายได้จะเพิ่มขึ้นในครึ่งปีหลัง"],
  ["ar", "تتوقع الشركة أن تنمو إيراداتها في النصف الثاني من العام."],
  ["fa", "شرکت پیش‌بینی می‌کند که درآمدش در نیمه دوم سال افزایش پیدا کند."],
  ["he", "החברה צופה שהכנסותיה יגדלו במחצית השנייה של השנה."],
  ["hi", "कंपनी को उम्मीद है कि साल की दूसरी छमाही में उसकी आय बढ़ेगी।"],
  ["el", "Η εταιρεία αναμένει ότι τα έσοδά της θα αυξηθούν."],
];

describe("detectLanguage", () => {
  it.each(TEXTS)("knows %s", (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it("keeps the language of a text with terms in another script", () => {
    expect(detectLanguage("我们使用 Kubernetes 和 PostgreSQL 部署服务，并通过 Grafana 监控。")).toBe("zh");
  });

  it("reads the prose, not the code around it", () => {
    const code = "```js\nconst a = function (b) { return the(of, and); }\n```\n".repeat(8);
    expect(
      detectLanguage(`${code}Ini adalah contoh yang dapat dipakai untuk halaman dengan dua tombol.\n${code}`),
    ).toBe("id");
  });

  it("looks beyond the beginning of a long text", () => {
    expect(detectLanguage(`ACME-2025\n`.repeat(20) + (TEXTS[1]?.[1] ?? "").repeat(200))).toBe("id");
  });

  it.each(["", " \n", "1234 5678", "xx zz", "TS-999", "🎉🎉"])("is not sure about %j", (text) => {
    expect(detectLanguage(text)).toBeUndefined();
  });

  it.each([
    ["a table of letters", "1,2,3,4\na,b,c,d\na,i,e,d\nc,d,e,a"],
    ["hashes", "3ed9a1 c0ffee ad12 io93 le4d da71\ne5d0 a3in b7il 99la".repeat(6)],
    ["a price list", "SKU,Name,Qty\nA-100,Bolt M8,400\nA-102,Washer M8,1200\nB-200,Drill Bosch GSR,12\n"],
    ["settings", "host: localhost\nport: 5432\nuser: admin\ntimeout: 30\nlevel: info\npath: /var/log/app"],
    [
      "filler text",
      "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor ".repeat(3),
    ],
    ["a short list", "Milk\nEggs\nBread\nButter\nCheese\nTomatoes\nOlive oil\nPasta"],
  ])("takes %s for no language", (_, text) => {
    expect(detectLanguage(text)).toBeUndefined();
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void detectLanguage(text)));
  });
});
