import { expect, test } from "vitest";
import { joinedQuestion } from "./rewrite.ts";

const after = (question: string, last: string) => joinedQuestion(question, [{ question: last, answer: "…" }]);
const berlin = "How many inhabitants does Berlin have?";

test.each([
  ["And when did it get its airport?", berlin, "And when did it get its airport? (Berlin)"],
  ["And Paris?", berlin, "And Paris? (How many inhabitants does have?)"],
  ["And how many?", berlin, `And how many? (${berlin})`],
  [
    "Who may shorten it?",
    "How long is the notice period?",
    "Who may shorten it? (How long is the notice period?)",
  ],
  ["Wann wurde er gebaut?", "Wie hoch ist der Turm von Pisa?", "Wann wurde er gebaut? (Turm Pisa)"],
  [
    "Dan berapa harga sewanya?",
    "Berapa lama sewa Gedung Merpati?",
    "Dan berapa harga sewanya? (Gedung Merpati)",
  ],
  ["Siapa pendirinya?", "Kapan museum di Bogor dibuka?", "Siapa pendirinya? (Bogor)"],
  ["Còn giá thuê hằng tháng?", "Thời hạn báo trước ở Huế là bao lâu?", "Còn giá thuê hằng tháng? (Huế)"],
  ["那房租每月是多少？", "通知期是多少天？", "那房租每月是多少？ (通知期是多少天？)"],
  ["它什么时候成立？", "博物馆在哪里？", "它什么时候成立？ (博物馆在哪里？)"],
])("%s after %s", (question, last, joined) => {
  expect(after(question, last)).toBe(joined);
});

test("a question that stands by itself stays as it is", () => {
  const question = "What does the catalogue say about torque wrenches?";
  expect(after(question, berlin)).toBe(question);
  expect(joinedQuestion(question, [])).toBe(question);
});
