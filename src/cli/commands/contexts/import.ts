import { readFileSync } from "node:fs";
import { type ImportedContext, type ImportReport, KonteksError } from "../../../spec/index.ts";
import { exitCodeOf } from "../../ingesting.ts";
import { existingIndex, existingPath } from "../../paths.ts";
import { count } from "../../print/layout.ts";
import { configOf, EXIT, indexPath, note, printJson, type Session, withIndex } from "../../session.ts";

const SHOWN = 5;

export async function run(session: Session, [typed = ""]: readonly string[]): Promise<number> {
  const { cwd, io, json, signal } = session;
  const config = await configOf(session);
  const file = existingPath(typed, cwd);
  const path = existingIndex(indexPath(config, cwd), cwd, "contexts import");
  return withIndex(session, { ...config.open, path, mustExist: true }, async (konteks) => {
    const report = await konteks.importContexts(contextsIn(file));
    const { imported } = report;
    const repaired = imported > 0 ? await konteks.repair({ maxCost: 0, signal }) : undefined;
    if (json) printJson(session, { index: path, ...report, ...(repaired && { repaired }) });
    else for (const line of linesOf(report)) io.print(line);
    if (repaired && exitCodeOf(repaired) !== 0)
      note(session, `${count(repaired.incomplete.length, "chunk")} still without a context: konteks repair`);
    return report.unmatched.length + report.otherwiseCut.length > 0 ? EXIT.failed : EXIT.done;
  });
}

function linesOf({ imported, known, notUsed, unmatched, otherwiseCut }: ImportReport): string[] {
  return [
    `Imported ${count(imported, "context")}, ${known} were there already.`,
    ...(notUsed > 0
      ? [`${count(notUsed, "context")} of another model, prompt or glossary: kept, not used by this index.`]
      : []),
    ...(unmatched.length > 0
      ? [`No chunk of the index fits ${count(unmatched.length, "context")}: ${some(unmatched)}`]
      : []),
    ...(otherwiseCut.length > 0
      ? [
          `Cut into another number of chunks here, so that nothing was taken for ${count(otherwiseCut.length, "document")}: ` +
            `${some(otherwiseCut.map(cutLine))}. Lines with the text of the chunk ({"documentId", "chunk", "context"}) need no number.`,
        ]
      : []),
  ];
}

function cutLine({ documentId, contexts, chunks }: ImportReport["otherwiseCut"][number]): string {
  return `${documentId} (${count(contexts, "context")}, ${count(chunks, "chunk")})`;
}

function some(names: readonly string[]): string {
  return `${names.slice(0, SHOWN).join(", ")}${names.length > SHOWN ? ", …" : ""}`;
}

function* contextsIn(file: string): Generator<ImportedContext> {
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries())
    if (line.trim() !== "") yield contextOf(line, `${file}, line ${index + 1}`);
}

/** `chunk_id` is how the published data writes it. */
function contextOf(line: string, where: string): ImportedContext {
  const value = parsed(line, where);
  const { chunk_id, ...fields } = value as Record<string, unknown>;
  const context = chunk_id === undefined ? fields : { ...fields, chunkId: chunk_id };
  const has = (...names: string[]) =>
    names.every((name) => typeof (context as Record<string, unknown>)[name] === "string");
  if (
    has("chunkId", "context") ||
    has("documentId", "chunk", "context") ||
    has("documentId", "chunkHash", "recipe", "text", "model", "documentHash", "createdAt")
  )
    return context as unknown as ImportedContext;
  throw wrongLine(where);
}

function parsed(line: string, where: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    throw wrongLine(where);
  }
  throw wrongLine(where);
}

function wrongLine(where: string): KonteksError {
  return new KonteksError(
    "unreadable",
    `${where} is no context: expected an exported one, {"chunk_id", "context"} or {"documentId", "chunk", "context"}.`,
  );
}
