import { readFile } from "node:fs/promises";
import { answersHtml } from "../../../eval/report/answers-html.ts";
import { answersMarkdown } from "../../../eval/report/answers-markdown.ts";
import { ladderHtml } from "../../../eval/report/ladder-html.ts";
import { ladderMarkdown } from "../../../eval/report/ladder-markdown.ts";
import { type ReadResult, readResultJson } from "../../../eval/report/result-json.ts";
import { sweepHtml } from "../../../eval/report/sweep-html.ts";
import { sweepMarkdown } from "../../../eval/report/sweep-markdown.ts";
import { existingPath } from "../../paths.ts";
import { EXIT, type Session } from "../../session.ts";
import { type Renderings, reportFiles, writeReports } from "./reports.ts";

export async function run(session: Session, [typed = ""]: readonly string[]): Promise<number> {
  const files = reportFiles(session);
  const path = existingPath(typed, session.cwd);
  const text = await readFile(path, "utf8");
  const renderings = renderingsOf(readResultJson(text, path), text);
  await writeReports(session, renderings);
  if (session.json) session.io.print(text.trimEnd());
  else if (files.length === 0) session.io.print(renderings.md());
  return EXIT.done;
}

function renderingsOf(read: ReadResult, text: string): Renderings {
  const json = () => text;
  if (read.kind === "answers") {
    return { html: () => answersHtml(read.result), md: () => answersMarkdown(read.result), json };
  }
  if (read.kind === "ladder") {
    return { html: () => ladderHtml(read.result), md: () => ladderMarkdown(read.result), json };
  }
  return { html: () => sweepHtml(read.result), md: () => sweepMarkdown(read.result), json };
}
