import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ResolvedConfig } from "../../../config/load.ts";
import { type LoggedQuery, readQueryLog } from "../../../query/log.ts";
import { KonteksError } from "../../../spec/index.ts";
import type { Session } from "../../session.ts";
import { textFlag } from "./flags.ts";

/** The log that is named, that is set, or that of the index; refuses one that is not there or empty. */
export function loggedQueries(
  session: Session,
  { open }: ResolvedConfig,
  index: string,
): readonly LoggedQuery[] {
  const typed = textFlag(session, "log");
  const set = typeof open.queryLog === "string" ? open.queryLog : join(index, "queries.jsonl");
  const path = typed === undefined ? set : resolve(session.cwd, typed);
  const queries = existsSync(path) ? readQueryLog(path) : [];
  if (queries.length > 0) return queries;
  throw new KonteksError(
    "not-found",
    `There are no logged searches in "${path}". Keep them with --query-log (or queryLog: true in the configuration), search for a while, and come back.`,
    { facts: { path } },
  );
}
