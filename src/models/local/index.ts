export {
  cardOf,
  DEFAULT_LOCAL_MODEL,
  KNOWN_MODELS,
  type KnownModel,
  knownModel,
  type ModelCard,
} from "./card.ts";
export {
  createLocalEmbedder,
  isEmbeddingOf,
  isLocalName,
  type LocalEmbedder,
  type LocalEmbedderOptions,
  localName,
} from "./embedder.ts";
export { findModel, installedModels, isPath, type LocalModel, modelsFolder } from "./folder.ts";
export { partialFolder } from "./install.ts";
