import type { BatchRequest } from "../../llm/ai.ts";
import type { ContextPlan, Document, StoredBatchItem } from "../../spec/index.ts";
import { expectedInputOf, highestCost, partsOfPrompt } from "./asking.ts";
import { type BatchWork, noteKey, type PreparedDocument } from "./batch-work.ts";
import { numberOf, type Part, planDocument, promptOf, type Target } from "./plan.ts";
import { GROUP_TOOL } from "./prompt-grouped.ts";
import { documentHash } from "./recipe.ts";
import { replyLimit, type Settings } from "./settings.ts";
import { lookUpAndKeep } from "./stored.ts";

/** A request with what it is about. Ids are given when it is started. */
export interface Item {
  readonly stored: StoredBatchItem;
  readonly request: BatchRequest;
  /** US dollars; 0 without a price. */
  readonly highest: number;
}

/** A context that does not pass the checks is asked for once more. */
const ASKS = 2;

/** The requests that a document's missing contexts take. */
export function itemsOf(work: BatchWork, { document, chunks }: PreparedDocument): readonly Item[] {
  const { settings, notes } = work;
  const { targets } = lookUpAndKeep(settings, document, chunks, work.run);
  const wanted = targets.flatMap((target): Target[] => {
    const before = notes.get(noteKey(target.key.documentId, target.key.chunkHash)) ?? [];
    return before.length < ASKS ? [{ ...target, note: before.at(-1) }] : [];
  });
  const isAlone = ({ key }: Target) => work.alone.has(noteKey(key.documentId, key.chunkHash));
  const planned = (some: readonly Target[], plan: ContextPlan) => {
    if (some.length === 0) return [];
    const { policy, parts } = planDocument(document, chunks, some, {
      ...settings.planning,
      plan,
      batch: true,
    });
    return parts.flatMap((part) =>
      part.calls.map((call) => itemOf(settings, document, policy === "windowed", part, call)),
    );
  };
  return [
    ...planned(
      wanted.filter((target) => !isAlone(target)),
      settings.planning.plan,
    ),
    ...planned(wanted.filter(isAlone), "single"),
  ];
}

function itemOf(
  settings: Settings,
  document: Document,
  windowed: boolean,
  part: Part,
  targets: readonly Target[],
): Item {
  const prompt = promptOf(part, targets, settings.recipe);
  const limit = replyLimit(settings, document.language, targets.length);
  return {
    highest: highestCost(settings, part, prompt, limit) / 2,
    stored: {
      id: "",
      documentId: document.id,
      documentHash: documentHash(document),
      chunkHashes: targets.map(({ key }) => key.chunkHash),
      ...(part.grouped && { numbers: targets.map(({ chunk }) => numberOf(chunk)) }),
      policy: windowed ? "windowed" : part.grouped ? "grouped" : "single",
      expectedInput: expectedInputOf(settings, part, targets, true),
    },
    request: {
      id: "",
      modelId: settings.modelId,
      model: settings.modelId.slice(settings.modelId.indexOf(":") + 1),
      ...partsOfPrompt(settings, part, prompt),
      maxOutputTokens: limit,
      // Requests of a batch take no output schema (AI SDK, "Batch"), but a tool that must be called.
      tool: part.grouped ? GROUP_TOOL : undefined,
    },
  };
}
