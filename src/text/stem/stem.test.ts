import { describe, expect, it } from "vitest";
import { stemEnglish } from "./english.ts";
import { lacksStemmer, stemmerOf } from "./stem.ts";

describe("stemEnglish", () => {
  // From the description of the algorithm.
  it.each([
    ["consignment", "consign"],
    ["consistency", "consist"],
    ["consolatory", "consolatori"],
    ["knightly", "knight"],
    ["kneeled", "kneel"],
    ["generously", "generous"],
    ["relational", "relat"],
    ["hopping", "hop"],
    ["hoping", "hope"],
    ["cries", "cri"],
    ["ties", "tie"],
    ["skies", "sky"],
    ["news", "news"],
    ["by", "by"],
    ["say", "say"],
    ["communism", "communism"],
    ["adding", "add"],
    ["proceeded", "proceed"],
  ])("stems %s", (word, stem) => {
    expect(stemEnglish(word)).toBe(stem);
  });

  it("meets the forms of a word", () => {
    const forms = "connect connects connected connecting connection connections connective";
    expect(new Set(forms.split(" ").map(stemEnglish))).toEqual(new Set(["connect"]));
  });
});

describe("stemmerOf", () => {
  it.each([
    ["en", "grow grew grown growing"],
    ["en", "buy bought buying"],
    ["en", "child children"],
    ["en", "analysis analyses"],
    ["id", "pelajar belajar pembelajaran mengajar"],
    ["id", "tulis menulis penulis penulisan tulisan ditulis"],
    ["id", "makan makanan memakan dimakan"],
    ["id", "kirim mengirim mengirimkan dikirim pengiriman terkirim"],
    ["id", "milik memiliki dimiliki pemilik kepemilikan"],
    ["id", "masalah bermasalah permasalahan masalahnya"],
    ["id", "laku berlaku pelaku melakukan diperlakukan"],
    ["id", "mulai memulai dimulai"],
    ["id", "sesuai sesuaikan menyesuaikan penyesuaian disesuaikan"],
    ["id", "klik mengklik diklik"],
    ["id", "cek mengecek dicek pengecekan"],
    ["ms", "perkhidmatan berkhidmat"],
    ["fr", "continuer continuera continuait"],
    ["es", "niño niños niña"],
    ["de", "kind kinder kindern"],
    ["ru", "книга книги книгу"],
    ["ar", "مدرسة المدرسة والمدرسة بالمدرسة للمدرسة"],
    ["ar", "وزير الوزير والوزير"],
    ["ar", "شركة شركات والشركات لشركة"],
    ["ar", "مستشفى مستشفي المستشفى"],
    ["he", "חברה החברה לחברה חברת חברות והחברות"],
    ["ko", "회사 회사는 회사가 회사를 회사의 회사에서 회사까지는 회사입니다"],
    ["ko", "고양이 고양이가 고양이는"],
    ["ko", "고속도로 고속도로를 고속도로에서"],
    ["he", "מפעל המפעל והמפעל במפעל"],
    ["he", "מלך המלך מלכים"],
  ])("meets the forms of a word in %s: %s", (language, forms) => {
    const stem = stemmerOf(language);
    expect(new Set(forms.split(" ").map((form) => stem?.(form))).size).toBe(1);
  });

  it.each([
    ["id", "masalah masa"],
    ["id", "maluku malu"],
    ["id", "sekarang karang"],
    ["id", "pelan pel"],
    ["id", "permata mata"],
    ["he", "בנק בית"],
    ["ko", "회의 회사"],
    ["ar", "والدة ولد"],
  ])("keeps words apart in %s: %s", (language, words) => {
    const stem = stemmerOf(language);
    expect(new Set(words.split(" ").map((word) => stem?.(word))).size).toBe(2);
  });

  it("has none for languages that need or have none", () => {
    expect(["vi", "zh", "ja", "th"].map(stemmerOf)).toEqual([undefined, undefined, undefined, undefined]);
    expect(["vi", "zh", "id", "sw", "fa"].map(lacksStemmer)).toEqual([false, false, false, true, true]);
  });
});
