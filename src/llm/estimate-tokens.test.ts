import { expect, test } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

/** Counts of o200k. */
const counted: readonly (readonly [string, number, string])[] = [
  [
    "English",
    66,
    "The harbour office closes at four on Fridays. Ships that arrive later wait outside until Monday, unless the master has asked for a pilot in writing at least two days before. Fees are due on arrival and are not paid back when a ship leaves early; the harbour master may grant an exception in cases of storm, illness or damage.",
  ],
  [
    "Indonesian",
    93,
    "Kantor pelabuhan tutup pukul empat sore setiap hari Jumat. Kapal yang datang terlambat menunggu di luar sampai hari Senin, kecuali nakhoda telah meminta pandu secara tertulis paling lambat dua hari sebelumnya. Biaya harus dibayar saat kedatangan dan tidak dikembalikan bila kapal berangkat lebih awal; syahbandar dapat memberi pengecualian saat badai, sakit atau kerusakan.",
  ],
  [
    "Chinese",
    79,
    "港口办公室每星期五下午四点关门。晚到的船只要在港外等到星期一,除非船长至少提前两天以书面形式申请引航员。费用在到达时支付,船只提前离开时不予退还;遇到风暴、疾病或损坏时,港务长可以破例。",
  ],
  [
    "code",
    115,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is source code
    "export function feeOf(ship: Ship, days: number): number {\n  const base = RATES[ship.kind] ?? 0;\n  if (days <= 0) throw new RangeError(`days must be positive, not ${days}`);\n  const discount = days > 30 ? 0.85 : 1;\n  return Math.round(base * days * discount * 100) / 100;\n}\n\nconst RATES: Record<string, number> = { ferry: 120.5, tug: 80, yacht: 45.25 };\n",
  ],
];

test.each(counted)("tokens of %s are estimated within 12 % of %i", (_, tokens, text) => {
  expect(Math.abs(estimateTokens(text) / tokens - 1)).toBeLessThan(0.12);
});

test("nothing is nothing, and a long text is its beginning many times over", () => {
  expect(estimateTokens("")).toBe(0);
  const [, , text = ""] = counted[0] ?? [];
  const many = estimateTokens(`${text} `.repeat(1_500));
  expect(many / (estimateTokens(`${text} `) * 1_500)).toBeCloseTo(1, 1);
});
