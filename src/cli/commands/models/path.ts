import { findModel, modelsFolder } from "../../../models/local/index.ts";
import { EXIT, printJson, type Session } from "../../session.ts";

export async function run(session: Session, [name]: readonly string[]): Promise<number> {
  const path = name === undefined ? modelsFolder(session.env) : (await findModel(name, session.env)).folder;
  if (session.json) printJson(session, { path });
  else session.io.print(path);
  return EXIT.done;
}
