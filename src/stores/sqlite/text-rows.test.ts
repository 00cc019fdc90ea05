import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { openFile } from "./open-file.ts";
import { INDEX_FILE } from "./schema.ts";
import { insertText, pieceReader, readText } from "./text-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-texts-"));
const db = openFile(INDEX_FILE, { path: join(folder, "index.sqlite") });
/** Longer than three pieces; a pair of half characters lies across the end of the first. */
const text = `${"x".repeat(8_191)}😀${Array.from({ length: 4_000 }, (_, i) => `word${i}`).join(" ")}`;
db.writing(() => {
  insertText(db, 1, text);
  insertText(db, 2, "short");
});

afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a slice of a text is the same, read alone or with pieces kept", () => {
  const read = pieceReader(db);
  const place = fc.oneof(fc.nat(text.length), fc.integer({ min: 8_180, max: 8_200 }));
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [start, end] = a < b ? [a, b] : [b, a];
      const slice = text.slice(start, end);
      expect(db.reading(() => read(1, start, end))).toBe(slice);
      expect(db.reading(() => readText(db, 1, start, end))).toBe(slice);
      expect(db.reading(() => read(2, start % 5, 5))).toBe("short".slice(start % 5));
    }),
  );
  expect(db.reading(() => read(3, 0, 10))).toBe("");
});
