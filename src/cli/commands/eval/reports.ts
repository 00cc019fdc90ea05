import { mkdir, writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { note, type Session } from "../../session.ts";
import { listFlag, wrongFlag } from "./flags.ts";

/** A result in each of the formats of `--report`, by the ending of the file. */
export interface Renderings {
  readonly html: () => Promise<string>;
  readonly md: () => string;
  readonly json: () => string;
}

const ENDINGS = [".html", ".md", ".json"] as const;
type Ending = (typeof ENDINGS)[number];

/** The files to write, checked before anything is measured. */
export function reportFiles(session: Session): readonly { path: string; ending: Ending }[] {
  return listFlag(session, "report").map((typed) => {
    const ending = ENDINGS.find((each) => each === extname(typed).toLowerCase());
    if (ending !== undefined) return { path: resolve(session.cwd, typed), ending };
    throw wrongFlag("report", `must end in ${ENDINGS.join(", ")}, not '${typed}'`);
  });
}

export async function writeReports(session: Session, renderings: Renderings): Promise<void> {
  for (const { path, ending } of reportFiles(session)) {
    const text = await { ".html": renderings.html, ".md": renderings.md, ".json": renderings.json }[ending]();
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text.endsWith("\n") ? text : `${text}\n`);
    note(session, `Wrote ${path}`);
  }
}
