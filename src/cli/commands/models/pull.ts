import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type PullProgress, pullModel } from "../../../models/local/pull.ts";
import { bytes } from "../../print/layout.ts";
import { EXIT, note, printJson, type Session } from "../../session.ts";

export async function run(session: Session, [source = ""]: readonly string[]): Promise<number> {
  const { env, signal, cwd } = session;
  const here = resolve(cwd, source);
  const model = await pullModel(existsSync(here) ? here : source, {
    env,
    signal,
    onProgress: progress(session),
  });
  const { folder, card } = model;
  if (session.json) printJson(session, { name: card.name, folder, files: model.manifest?.files });
  else session.io.print(`${card.name} is in ${folder}. Try it: konteks models test ${card.name}`);
  return EXIT.done;
}

/** A line for each tenth of the download. */
function progress(session: Session): (progress: PullProgress) => void {
  let told = -1;
  return ({ bytes: done, total }) => {
    const tenth = total === 0 ? 10 : Math.floor((10 * done) / total);
    if (tenth <= told) return;
    told = tenth;
    note(session, `${tenth * 10} % of ${bytes(total)}`);
  };
}
