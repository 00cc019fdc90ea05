import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openKonteks } from "../src/index.ts";

const CONTRACTS = join(import.meta.dirname, "..", "examples", "documents", "contracts");

let path = "";
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "konteks-offline-"));
  vi.stubEnv("ANTHROPIC_API_KEY", undefined);
  vi.stubEnv("OPENAI_API_KEY", undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(path, { recursive: true, force: true });
});

function refuseConnections() {
  return vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
    throw new Error("no network");
  });
}

test("without a key, ingest, search and ask connect to nothing", async () => {
  const connect = refuseConnections();
  await using kb = await openKonteks({ path });
  const report = await kb.ingest(CONTRACTS);
  const { hits } = await kb.search("How high is the contractual penalty?", { rerank: true });
  const answer = await kb.ask("How high is the contractual penalty?");
  expect(report.added).toBe(1);
  expect(hits[0]?.documentId).toBe("nda-lindholm-okafor.txt");
  expect(answer.text).toContain("40,000");
  expect(connect).not.toHaveBeenCalled();
});

test("whoever did connect would be seen", async () => {
  const connect = refuseConnections();
  await expect(fetch("http://127.0.0.1:40404/")).rejects.toThrow();
  expect(connect).toHaveBeenCalled();
});
