import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { Konteks } from "../../../spec/index.ts";
import { jsonText } from "../../json-text.ts";
import { existingIndex } from "../../paths.ts";
import { count, shortPath } from "../../print/layout.ts";
import { configOf, EXIT, indexPath, note, printJson, type Session, withIndex } from "../../session.ts";

export async function run(session: Session, [typed]: readonly string[]): Promise<number> {
  const { cwd, io, json } = session;
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, cwd), cwd, "contexts export");
  return withIndex(session, { path, mustExist: true, readOnly: true }, async (konteks) => {
    if (typed === undefined) {
      for (const context of konteks.exportContexts()) io.print(jsonText(context));
      return EXIT.done;
    }
    const file = resolve(cwd, typed);
    const exported = writeLines(konteks, file);
    if (json) printJson(session, { index: path, file, exported });
    else note(session, `Wrote ${count(exported, "context")} to ${shortPath(file, io.notes)}.`);
    return EXIT.done;
  });
}

function writeLines(konteks: Konteks, file: string): number {
  const handle = openSync(file, "w");
  let written = 0;
  try {
    for (const context of konteks.exportContexts()) {
      writeSync(handle, `${JSON.stringify(context)}\n`);
      written += 1;
    }
  } finally {
    closeSync(handle);
  }
  return written;
}
