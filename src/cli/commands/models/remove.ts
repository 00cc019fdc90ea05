import { rm } from "node:fs/promises";
import { findModel, isPath, modelsFolder, partialFolder } from "../../../models/local/index.ts";
import { KonteksError } from "../../../spec/errors.ts";
import { EXIT, printJson, type Session } from "../../session.ts";

export async function run(session: Session, [name = ""]: readonly string[]): Promise<number> {
  if (isPath(name)) {
    const message = `"${name}" is a path. Give the name of a model in ${modelsFolder(session.env)}.`;
    throw new KonteksError("wrong-option", message, { facts: { name } });
  }
  const { folder } = await findModel(name, session.env);
  await rm(folder, { recursive: true });
  await rm(partialFolder(modelsFolder(session.env), name), { recursive: true, force: true });
  if (session.json) printJson(session, { removed: name, folder });
  else
    session.io.print(
      `${name} is removed from this machine. Indexes made with it are searched by text alone.`,
    );
  return EXIT.done;
}
