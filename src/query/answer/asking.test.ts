import { expect, test } from "vitest";
import { readAsking } from "./asking.ts";

test.each([
  ["Wer hat das Dokument unterschrieben?", "de", "person", ["Wer"]],
  ["Wie was de koning?", "nl", "person", ["Wie"]],
  ["Wie lange ist die Frist?", "de", "amount", ["Wie lange"]],
  ["How long ago was it?", "en", "time", ["How long ago"]],
  ["Qui a écrit le rapport ?", "fr", "person", ["Qui"]],
  ["¿Cuándo se fundó la empresa?", "es", "time", ["Cuándo"]],
  ["Siapa pendirinya pada tahun 1852?", "id", "person", ["Siapa"]],
  ["ai là người sáng lập công ty?", "vi", "person", ["ai là"]],
  ["Tien dat coc la bao nhieu?", "vi", "amount", ["bao nhieu"]],
  ["Tru so cua cong ty o dau?", "vi", "place", ["o dau"]],
  ["退款需要多长时间？", "zh", "amount", ["需要多长时间"]],
  ["ACME的收入增长了多少？", "zh", "amount", ["多少"]],
  ["会社はいつ設立されましたか", "ja", "time", ["いつ"]],
  ["입장료는 얼마입니까?", "ko", "amount", ["얼마"]],
  ["Кто написал отчёт?", "ru", "person", ["Кто"]],
  ["संग्रहालय कब खुला?", "hi", "time", ["कब"]],
  ["ใครเป็นผู้ก่อตั้ง", "th", "person", ["ใคร"]],
  ["متى تأسست الشركة؟", "ar", "time", ["متى"]],
])("%s", (question, language, kind, words) => {
  const asking = readAsking(question);
  expect(asking).toMatchObject({ language, kind });
  expect(asking.spans.map(({ start, end }) => question.slice(start, end))).toEqual(words);
});

test("what asks for nothing has no language and no kind", () => {
  expect(readAsking("notice period")).toEqual({ language: undefined, kind: undefined, spans: [] });
});

test("an acronym is no word that asks", () => {
  expect(readAsking("What is AI?")).toMatchObject({ language: "en", kind: "thing" });
});
