import { type LeftOut, leftOutSentence } from "../../../eval/left-out.ts";
import { type DocumentInput, type IngestReport, KonteksError } from "../../../spec/index.ts";
import { note, type Session } from "../../session.ts";

/**
 * The files of an ingest that cannot be read, told in one note: they hold up nothing, since nobody could find anything
 * in them. Refuses those of which the index has an earlier state, which would be searched in their place.
 */
export function leftOutOf(
  session: Session,
  { failed, unsupported }: Pick<IngestReport, "failed" | "unsupported">,
  documents: readonly DocumentInput[],
): readonly LeftOut[] {
  const there = new Set(documents.map(({ id }) => id));
  const files = [...failed, ...unsupported];
  const outdated = files.find(({ id }) => there.has(id));
  if (outdated !== undefined) throw earlierState(outdated);
  if (files.length > 0)
    note(
      session,
      `${leftOutSentence(files.map(({ id }) => id))} \`konteks ingest\` tells why; name them in .konteksignore and they are not tried.`,
    );
  return files;
}

function earlierState({ id, reason }: LeftOut): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${id}" can no longer be read, and the index still has its earlier text, so the figures would be of the past. Correct the file, or name it in .konteksignore, and run again. The reason: ${reason}`,
    { facts: { id, reason } },
  );
}
