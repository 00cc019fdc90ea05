import { resolve } from "node:path";
import type { DocumentSummary } from "../spec/index.ts";

/** The id of a document that was typed as one, or as the path of its file; what is neither stays as it is. */
export function documentIdOf(
  typed: string,
  documents: readonly Partial<Pick<DocumentSummary, "id" | "uri">>[],
  cwd: string,
): string {
  const path = resolve(cwd, typed);
  const found = documents.find(({ id }) => id === typed) ?? documents.find(({ uri }) => uri === path);
  return found?.id ?? typed;
}
