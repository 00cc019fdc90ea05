import { DEFAULT_LOCAL_MODEL } from "./card.ts";
import { isPath } from "./folder.ts";

const PREFIX = "local:";

/** "local:multilingual-e5-small" and "local" (the default model) name a model on this machine. */
export function isLocalName(name: string): boolean {
  return name === "local" || name.startsWith(PREFIX);
}

/** The full form, as it is kept with an index. */
export function localName(name: string): string {
  return name === "local" ? `${PREFIX}${DEFAULT_LOCAL_MODEL}` : name;
}

/** What stands behind "local:": the name of a model or its folder. */
export function modelOfName(name: string): string {
  return localName(name).slice(PREFIX.length);
}

/** Whether an index's embedding may be of the model named. The folder of a model may be called otherwise than the model. */
export function isEmbeddingOf(id: string | undefined, name: string): boolean {
  const model = modelOfName(name);
  return id?.startsWith(isPath(model) ? PREFIX : `${PREFIX}${model}:`) ?? false;
}
