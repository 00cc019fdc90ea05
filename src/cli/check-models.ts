import type { ResolvedConfig } from "../config/load.ts";
import { isLocalName } from "../models/local/index.ts";
import { resolveEmbedder, resolveLanguageModel } from "../models/resolve.ts";
import { hasIndex } from "./paths.ts";

/**
 * A name that is unknown, or a key that is missing, is told before an index is made, which would stand there empty and be
 * taken for the one that is meant. Nothing is sent. An index that is there is read without its models' keys.
 */
export async function checkModels({ open }: ResolvedConfig, index: string): Promise<void> {
  if (hasIndex(index)) return;
  const { contextModel, embedding, apiKeys, baseUrls } = open;
  const access = { ...(apiKeys && { apiKeys }), ...(baseUrls && { baseUrls }) };
  if (contextModel !== undefined) await resolveLanguageModel(contextModel, access);
  if (typeof embedding === "string" && !NO_MODEL.has(embedding) && !isLocalName(embedding))
    await resolveEmbedder(embedding, access);
}

const NO_MODEL: ReadonlySet<string> = new Set(["lexical", "none", "given"]);
