/** A process that is killed: ingests a folder and writes the id of each document that is said to be in the index. */
import { writeSync } from "node:fs";
import { openKonteks } from "../src/open.ts";

const [path = "", docs = ""] = process.argv.slice(2);
const konteks = await openKonteks({ path });
await konteks.ingest(docs, {
  onProgress: (event) => {
    if (event.type === "document") writeSync(1, `${event.id}\n`);
  },
});
await konteks.close();
