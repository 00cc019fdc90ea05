import { DEFAULT_LOCAL_MODEL, installedModels, knownModel } from "../models/local/index.ts";
import { bytes } from "./print/layout.ts";
import { note, type Session } from "./session.ts";

/**
 * Says in one line what an embedding model of this machine would bring, to who has none: `embedding` is that of the index,
 * undefined before there is one.
 */
export async function hintAtLocalModel(session: Session, embedding: string | undefined): Promise<void> {
  if (session.json || (embedding !== undefined && !embedding.startsWith("lexical"))) return;
  const known = knownModel(DEFAULT_LOCAL_MODEL);
  const installed = await installedModels(session.env).catch(() => []);
  if (known === undefined || installed.some(({ card }) => card.task !== "rerank")) return;
  const size = bytes(known.bytes);
  note(
    session,
    session.io.notes.paint.dim(
      `Finds what is said in other words, on this machine: konteks models pull ${known.name} (${size}, once).`,
    ),
  );
}
