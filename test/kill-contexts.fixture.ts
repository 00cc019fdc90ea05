/** A process that is killed: ingests a folder with contexts by a simulated model, and ends with 0 when none is missing. */
import { openKonteks } from "../src/open.ts";
import type { IngestOptions, OpenOptions } from "../src/spec/index.ts";

const [open, docs, ingest] = JSON.parse(process.argv[2] ?? "[]") as [OpenOptions, string, IngestOptions];
const konteks = await openKonteks(open);
const { incomplete, failed } = await konteks.ingest(docs, ingest);
await konteks.close();
for (const { id, reason } of failed) console.error(id, reason);
for (const { chunkId, reason } of incomplete) console.error(chunkId, reason);
process.exitCode = failed.length + incomplete.length > 0 ? 3 : 0;
