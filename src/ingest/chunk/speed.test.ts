import { expect, test } from "vitest";
import { chunk } from "./chunk.ts";

function seconds(text: string, format: "text" | "code"): number {
  const started = performance.now();
  chunk(text, { format });
  return (performance.now() - started) / 1000;
}

const LINE = "The plan for year N is to grow, and nobody knows how much. It was said twice.\n";
const long = (lines: number): string =>
  Array.from(
    { length: lines },
    (_, index) => LINE.replace("N", String((index * 7919) % 100_003)) + (index % 5 ? "" : "\n"),
  ).join("");

test("the time grows with the length: four times the text takes less than ten times as long", () => {
  seconds(long(5000), "text");
  const short = seconds(long(10_000), "text");
  expect(seconds(long(40_000), "text")).toBeLessThan(short * 10 + 0.5);
});

test("long texts without blank lines, without spaces, or all alike are cut in seconds", () => {
  expect(seconds("x".repeat(1_000_000), "text")).toBeLessThan(10);
  expect(seconds(LINE.repeat(20_000), "text")).toBeLessThan(10);
  expect(seconds("}\n".repeat(200_000), "code")).toBeLessThan(10);
});
