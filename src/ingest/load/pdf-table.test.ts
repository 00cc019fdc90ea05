import { expect, it } from "vitest";
import { makePdf } from "./make-files.fixture.ts";
import { loadPdf } from "./pdf.ts";

const file = { path: "/docs/a.pdf", id: "a.pdf", size: 0 };

it("parts names of columns that stand close to each other, and no others", async () => {
  const row = (y: number, ...cells: readonly [string, number][]) =>
    cells.map(([text, x]) => ({ text, x, y }));
  const { text } = await loadPdf(
    makePdf([
      [
        ...row(700, ["Product", 72], ["Units", 180], ["Price", 212], ["Total", 300]),
        ...row(686, ["Item one", 72], ["7", 190], ["1.50", 222], ["10.50", 300]),
        ...row(672, ["Item two", 72], ["8", 190], ["2.50", 222], ["20.00", 300]),
      ],
    ]),
    file,
    {},
  );
  expect(text).toBe(
    "Product | Units | Price | Total\nItem one | 7 | 1.50 | 10.50\nItem two | 8 | 2.50 | 20.00",
  );
});
