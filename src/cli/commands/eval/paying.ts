import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ResolvedConfig } from "../../../config/load.ts";
import { sumKnown } from "../../../eval/cost.ts";
import { isFree } from "../../../eval/price.ts";
import type { EvaluationSet } from "../../../eval/types.ts";
import { writing } from "../../../eval/writing.ts";
import { estimateTokens } from "../../../llm/estimate-tokens.ts";
import { priceOf } from "../../../llm/prices.ts";
import { type IndexOptions, KonteksError } from "../../../spec/index.ts";
import { openSqliteContextStore } from "../../../stores/sqlite/index.ts";
import { hasIndex } from "../../paths.ts";
import { count } from "../../print/layout.ts";
import { indexPath, note, type Session, withIndex } from "../../session.ts";
import { confirm } from "./ask-user.ts";
import { nameOf } from "./open.ts";

/**
 * Where evaluation makes its indexes: beside the user's index when something is paid for, so that it is kept, else in
 * a temporary folder (undefined). Contexts that the index has come along.
 */
export async function paidFolder(
  session: Session,
  config: ResolvedConfig,
  folder: string | undefined,
  pays: boolean,
): Promise<string | undefined> {
  if (!pays) return undefined;
  const index = indexPath(config, resolve(session.cwd, folder ?? "."));
  const kept = join(index, "eval");
  await writing(kept, () => mkdir(kept, { recursive: true }));
  if (hasIndex(index)) await copyContexts(join(index, CONTEXTS), join(kept, CONTEXTS));
  return kept;
}

/** Gives contexts that were paid for in an evaluation to the index, so that ingest does not pay for them again. */
export async function keepContexts(kept: string | undefined): Promise<void> {
  if (kept === undefined || !hasIndex(join(kept, ".."))) return;
  await copyContexts(join(kept, CONTEXTS), join(kept, "..", CONTEXTS));
}

const CONTEXTS = "contexts.sqlite";

async function copyContexts(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  const source = await openSqliteContextStore({ path: from, readOnly: true });
  const target = await openSqliteContextStore({ path: to });
  try {
    target.putAll([...source.contexts()].filter((context) => target.get(context) === undefined));
  } finally {
    source.close();
    target.close();
  }
}

/** Tells what contexts would cost before any is asked for; goes on when nothing is missing or the user agrees. */
export async function priceContexts(
  session: Session,
  open: Session["open"],
  set: EvaluationSet,
  folder: string,
  index: IndexOptions,
): Promise<void> {
  const options = { ...index, context: "llm" as const, path: folder, rebuild: true };
  const estimate = await withIndex({ ...session, open }, options, (konteks) =>
    konteks.estimate(set.sources?.[0] ?? set.documents, set.reading),
  );
  if (estimate.missing === 0) return;
  const price =
    estimate.cost === undefined ? "at an unknown price" : `for about $${estimate.cost.toFixed(2)}`;
  await agree(
    session,
    `${estimate.model} would write ${count(estimate.missing, "context")} (${count(estimate.tokens.calls, "call")}, text goes to ${estimate.host}) ${price}.`,
  );
}

/** Says what the vectors of so many indexes cost at most, where a model makes them; `embeddings`: one for each index. */
export function tellEmbeddings(
  session: Session,
  { open }: ResolvedConfig,
  { documents }: EvaluationSet,
  embeddings: readonly unknown[],
): void {
  const hosted = embeddings.map(nameOf).filter((name) => name !== undefined && !isFree(name));
  if (hosted.length === 0) return;
  const tokens = documents.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const costs = hosted.map((name) => priceOf(name ?? "", open.contextPrices)?.input);
  const cost = sumKnown(costs.map((price) => price && (EMBEDDED_SHARE * tokens * price) / 1e6));
  const price = cost === undefined ? "at an unknown price" : `for about $${cost.toFixed(2)}`;
  note(
    session,
    `${[...new Set(hosted)].join(", ")} embeds the documents for ${hosted.length} ${hosted.length === 1 ? "index" : "indexes"} ${price}; vectors that are there are not paid for again.`,
  );
}

/** Overlap and contexts are embedded as well. */
const EMBEDDED_SHARE = 1.3;

/** Says what is to be paid, and asks for consent: `--yes`, or "y" on the terminal. */
export async function isAgreed(session: Session, what: string, question = "Go on?"): Promise<boolean> {
  note(session, what);
  return session.flags.yes === true || (await confirm(session, question));
}

/** The same, and goes on only with consent. */
export async function agree(session: Session, what: string): Promise<void> {
  if (await isAgreed(session, what)) return;
  throw new KonteksError("wrong-option", `Nothing was paid. ${what} Add --yes to go on.`, {
    facts: { what },
  });
}
