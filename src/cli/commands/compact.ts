import { join } from "node:path";
import { compactSqliteStore } from "../../stores/sqlite/index.ts";
import { existingIndex } from "../paths.ts";
import { configOf, EXIT, indexPath, printJson, type Session } from "../session.ts";

export async function run(session: Session): Promise<number> {
  const { cwd, io, json, quiet } = session;
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, cwd), cwd, "compact");
  const done = await compactSqliteStore({ path: join(path, "index.sqlite") });
  if (json) printJson(session, { index: path, ...done });
  else if (!quiet) {
    const lists = done.rebuilt ? "Lists made anew" : "Lists joined as they are (another version made them)";
    io.print(`${lists}: ${megabytes(done.bytesBefore)} before, ${megabytes(done.bytesAfter)} now.`);
  }
  return EXIT.done;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
