// Runs in a thread of its own: SQLite's check of a file, which is one long statement (integrity.ts).
import { parentPort, workerData } from "node:worker_threads";
import { integrity } from "./integrity.ts";
import { openFile } from "./open-file.ts";
import { INDEX_FILE } from "./schema.ts";

const db = openFile(INDEX_FILE, { path: workerData as string, readOnly: true });
let found: string[];
try {
  found = integrity(db);
} finally {
  db.close();
}
// Closed by then: whoever has the answer may be the last to close the file, and empty its log.
parentPort?.postMessage(found);
