import { readText } from "../../../eval/dataset/lines.ts";
import { readResultJson } from "../../../eval/report/result-json.ts";
import { existingPath } from "../../paths.ts";
import { EXIT, type Session } from "../../session.ts";
import { renderingsOf } from "./renderings.ts";
import { reportFiles, tellResult, writeReports } from "./reports.ts";

export async function run(session: Session, [typed = ""]: readonly string[]): Promise<number> {
  const files = reportFiles(session);
  const path = existingPath(typed, session.cwd);
  const renderings = renderingsOf(readResultJson(await readText(path), path));
  if (session.json || files.length === 0) await tellResult(session, renderings);
  else await writeReports(session, renderings);
  return EXIT.done;
}
