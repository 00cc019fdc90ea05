export {
  cardOf,
  DEFAULT_LOCAL_MODEL,
  type EmbeddingCard,
  KNOWN_MODELS,
  type KnownModel,
  knownModel,
  type ModelCard,
} from "./card.ts";
export { createLocalEmbedder, type LocalEmbedder, type LocalEmbedderOptions } from "./embedder.ts";
export { findModel, installedModels, isPath, type LocalModel, modelsFolder } from "./folder.ts";
export { partialFolder } from "./install.ts";
export { isEmbeddingOf, isLocalName, localName } from "./names.ts";
export { createLocalReranker, type LocalReranker } from "./reranker.ts";
