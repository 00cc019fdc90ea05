import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { questionLine, readQuestionLines } from "../../../eval/dataset/jsonl.ts";
import { LOG_TAGS, type Proposal, proposeQuestions } from "../../../eval/from-log.ts";
import { writing } from "../../../eval/writing.ts";
import type { Konteks } from "../../../spec/index.ts";
import { existingIndex } from "../../paths.ts";
import { columns, count, truncate } from "../../print/layout.ts";
import { configOf, EXIT, indexPath, note, printJson, type Session, withIndex } from "../../session.ts";
import { numberFlag } from "./flags.ts";
import { loggedQueries } from "./logged.ts";
import { questionsPath } from "./questions.ts";

export async function run(session: Session): Promise<number> {
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, session.cwd), session.cwd, "eval from-log");
  const searches = loggedQueries(session, config, path);
  const file = questionsPath(session);
  const there = existsSync(file) ? await readQuestionLines(file) : [];
  const most = numberFlag(session, "count");
  const proposals = await withIndex(session, { path, mustExist: true, readOnly: true }, (konteks) =>
    proposeQuestions(searches, {
      ...(most !== undefined && { count: most }),
      empty: session.flags.empty === true,
      there,
      passageOf: passages(konteks),
    }),
  );
  await append(file, proposals);
  tell(session, file, proposals, searches.length);
  return EXIT.done;
}

/** A document's chunks are read once. */
function passages(konteks: Konteks) {
  const known = new Map<string, ReturnType<Konteks["chunks"]>>();
  return async (chunkId: string) => {
    const documentId = chunkId.slice(0, chunkId.lastIndexOf("#"));
    const chunks = known.get(documentId) ?? konteks.chunks(documentId);
    known.set(documentId, chunks);
    const chunk = (await chunks).find((stored) => stored.chunk.id === chunkId)?.chunk;
    return chunk && { documentId, start: chunk.start, end: chunk.end };
  };
}

async function append(file: string, proposals: readonly Proposal[]): Promise<void> {
  if (proposals.length === 0) return;
  // A file written by hand may not end its last line.
  const before = existsSync(file) ? await readFile(file, "utf8") : "";
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  const added = proposals.map(({ question }) => `${questionLine(question)}\n`).join("");
  await writing(file, () => appendFile(file, gap + added));
}

function tell(session: Session, file: string, proposals: readonly Proposal[], logged: number): void {
  if (session.json) {
    printJson(session, { file, logged, proposed: proposals });
    return;
  }
  const rows = proposals.map(({ question, times }) => [
    question.id,
    `${times}×`,
    question.tags.includes(LOG_TAGS.empty) ? "no result" : "",
    truncate(question.text, session.io.view.columns - 30),
  ]);
  if (rows.length > 0) session.io.print(columns(rows).join("\n"));
  const next =
    proposals.length === 0
      ? "Nothing new to propose."
      : `${count(proposals.length, "question")} added to ${file}. Each is a guess: the first hit as the passage, no hit as no answer. Judge them with \`konteks eval review\`.`;
  note(session, next);
}
