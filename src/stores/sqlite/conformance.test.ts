import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { storeConformance } from "../../testing/store/index.ts";
import { openSqliteStore } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("sqlite keeps the store contract", () => {
  let number = 0;
  for (const { name, run } of storeConformance()) {
    test(name, () => run(() => openSqliteStore({ path: join(folder, `${number++}`, "index.sqlite") })));
  }
});
