import {
  installedModels,
  KNOWN_MODELS,
  type KnownModel,
  type LocalModel,
} from "../../../models/local/index.ts";
import type { View } from "../../io.ts";
import { bytes, columns } from "../../print/layout.ts";
import { EXIT, printJson, type Session } from "../../session.ts";

export async function run(session: Session): Promise<number> {
  const installed = await installedModels(session.env);
  if (session.json) printJson(session, { known: KNOWN_MODELS, installed });
  else session.io.print(render(installed, session.io.view));
  return EXIT.done;
}

function render(installed: readonly LocalModel[], view: View): string {
  const here = new Map(installed.map((model) => [model.card.name, model]));
  const known = KNOWN_MODELS.map((model) => knownRow(model, here.get(model.name), view));
  const others = installed.filter(({ card }) => KNOWN_MODELS.every(({ name }) => name !== card.name));
  return [
    ...columns([...known, ...others.map((model) => otherRow(model, view))]),
    view.paint.dim("Use one: konteks ingest ./docs --embedding-model local:<name>"),
    view.paint.dim("Or a reranker: konteks search <query> --rerank local:<name>"),
  ].join("\n");
}

function knownRow(model: KnownModel, here: LocalModel | undefined, { paint }: View): string[] {
  const state = here === undefined ? paint.dim(`${bytes(model.bytes)} to pull`) : paint.green("here");
  return [paint.cyan(model.name), state, model.languages, model.licence, model.gain ?? "", model.about];
}

function otherRow({ card, manifest }: LocalModel, { paint }: View): string[] {
  return [
    paint.cyan(card.name),
    paint.green("here"),
    "",
    manifest?.licence ?? "",
    "",
    manifest?.source ?? "",
  ];
}
