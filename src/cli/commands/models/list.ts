import {
  installedModels,
  KNOWN_MODELS,
  type KnownModel,
  type LocalModel,
} from "../../../models/local/index.ts";
import { rowWidth, type View } from "../../io.ts";
import { bytes, indent, wrap } from "../../print/layout.ts";
import { wrappedColumns } from "../../print/wrapped-columns.ts";
import { EXIT, printJson, type Session } from "../../session.ts";

export async function run(session: Session): Promise<number> {
  const installed = await installedModels(session.env);
  if (session.json) printJson(session, { known: KNOWN_MODELS, installed });
  else session.io.print(render(installed, session.io.view));
  return EXIT.done;
}

/** A model a paragraph: name, state, languages and licence beside each other, what it is good for below. */
function render(installed: readonly LocalModel[], view: View): string {
  const here = new Map(installed.map((model) => [model.card.name, model]));
  const known = KNOWN_MODELS.map((model) => knownModel(model, here.has(model.name)));
  const others = installed
    .filter(({ card }) => KNOWN_MODELS.every(({ name }) => name !== card.name))
    .map(otherModel);
  const all = [...known, ...others];
  const { paint } = view;
  const heads = wrappedColumns(
    all.map(({ head }) => head),
    Number.POSITIVE_INFINITY,
    undefined,
    paint.cyan,
  );
  const models = all.flatMap(({ about }, i) => [
    heads[i] ?? "",
    ...(about === "" ? [] : [indent(wrap(about, rowWidth(view) - 2), "  ")]),
  ]);
  return [
    ...models,
    paint.dim("Use one: konteks ingest ./docs --embedding-model local:<name>"),
    paint.dim("Or a reranker: konteks search <query> --rerank local:<name>"),
  ].join("\n");
}

interface Shown {
  readonly head: readonly string[];
  readonly about: string;
}

function knownModel(model: KnownModel, isHere: boolean): Shown {
  const state = isHere ? "here" : `${bytes(model.bytes)} to pull`;
  const gain = `; gain ${model.gain === undefined ? "not measured" : `measured: ${model.gain}`}`;
  return {
    head: [
      model.name,
      state,
      `${model.languages}${model.languages === "English" ? "" : " languages"}`,
      model.licence,
    ],
    about: model.about + gain,
  };
}

function otherModel({ card, manifest }: LocalModel): Shown {
  return { head: [card.name, "here", "", manifest?.licence ?? ""], about: manifest?.source ?? "" };
}
