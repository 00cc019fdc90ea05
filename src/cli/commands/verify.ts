import { join } from "node:path";
import { verifySqliteStore } from "../../stores/sqlite/index.ts";
import { existingIndex } from "../paths.ts";
import { count } from "../print/layout.ts";
import { configOf, EXIT, indexPath, printJson, type Session } from "../session.ts";

export async function run(session: Session): Promise<number> {
  const { cwd, io, json, quiet } = session;
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, cwd), cwd, "verify");
  const found = await verifySqliteStore({ path: join(path, "index.sqlite") });
  const { problems, documents, chunks, vectors, pending, wordsCompared } = found;
  if (json) printJson(session, { index: path, ...found });
  else {
    for (const problem of problems) io.print(problem);
    if (problems.length > 0) io.note('konteks: make the lists anew with "konteks compact", or index again.');
    else if (!quiet) {
      const checked = [count(documents, "document"), count(chunks, "chunk"), count(vectors, "vector")];
      const words = wordsCompared ? "" : " The words were not compared: another version analysed them.";
      const waiting =
        pending === 0 ? "" : ` Vectors of ${count(pending, "chunk")} are still to come (konteks repair).`;
      io.print(`The index is whole: ${checked.join(", ")}.${waiting}${words}`);
    }
  }
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}
