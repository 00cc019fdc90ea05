import { mkdir, writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { refuseUnwritable, writing } from "../../../eval/writing.ts";
import { note, type Session } from "../../session.ts";
import { listFlag, wrongFlag } from "./flags.ts";

/** A result in each of the formats of `--report`, by the ending of the file. */
export interface Renderings {
  readonly html: () => Promise<string>;
  /** With columns: for a terminal of that width. */
  readonly md: (columns?: number) => string;
  readonly json: () => string;
}

const ENDINGS = [".html", ".md", ".json"] as const;
type Ending = (typeof ENDINGS)[number];

/** The files to write, checked before anything is measured. */
export function reportFiles(session: Session): readonly { path: string; ending: Ending }[] {
  return listFlag(session, "report").map((typed) => {
    const ending = ENDINGS.find((each) => each === extname(typed).toLowerCase());
    if (ending === undefined) throw wrongFlag("report", `must end in ${ENDINGS.join(", ")}, not '${typed}'`);
    const path = resolve(session.cwd, typed);
    refuseUnwritable(path);
    return { path, ending };
  });
}

/** Shows a result on the terminal, or as JSON, and writes the reports that were asked for. */
export async function tellResult(session: Session, renderings: Renderings): Promise<void> {
  session.io.print(session.json ? renderings.json() : renderings.md(session.io.view.columns));
  await writeReports(session, renderings);
}

export async function writeReports(session: Session, { html, md, json }: Renderings): Promise<void> {
  for (const { path, ending } of reportFiles(session)) {
    const text = await { ".html": html, ".md": () => md(), ".json": json }[ending]();
    await writing(path, async () => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text.endsWith("\n") ? text : `${text}\n`);
    });
    note(session, `Wrote ${path}`);
  }
}
