import { createInterface } from "node:readline/promises";
import {
  type ContextEstimate,
  type IngestSource,
  isKonteksError,
  type Konteks,
  type RepairOptions,
} from "../spec/index.ts";
import { contextOptions } from "./context-flags.ts";
import { headline } from "./print/estimate.ts";
import { note, type Session } from "./session.ts";

/**
 * Says what contexts will cost before they are paid for, and asks on a terminal. Undefined when no model writes any;
 * false when the user said no.
 */
export async function approve(
  session: Session,
  konteks: Konteks,
  sources: readonly IngestSource[],
  ingest: object,
): Promise<ContextEstimate | false | undefined> {
  const estimates: ContextEstimate[] = [];
  for (const source of sources) {
    const one = await estimateOf(session, konteks, source, ingest);
    if (one === undefined) return undefined;
    estimates.push(one);
  }
  return agreedOn(session, estimates.reduce(together));
}

/** The same before a repair. */
export async function approveRepair(
  session: Session,
  konteks: Konteks,
  options: RepairOptions,
): Promise<ContextEstimate | false | undefined> {
  const estimate = await unlessStructural(() => konteks.estimateRepair(options));
  return estimate && agreedOn(session, estimate);
}

async function agreedOn(session: Session, estimate: ContextEstimate): Promise<ContextEstimate | false> {
  if (estimate.missing === 0) return estimate;
  note(session, `${headline(estimate)}. Details: konteks estimate`);
  if (estimate.otherContexts > 0)
    note(session, `${estimate.otherContexts} contexts of another model or prompt are kept, but not used.`);
  return mayGoOn(session) || (await asks(session)) ? estimate : false;
}

async function estimateOf(
  session: Session,
  konteks: Konteks,
  source: IngestSource,
  ingest: object,
): Promise<ContextEstimate | undefined> {
  const { signal, flags } = session;
  const options = { ...ingest, ...contextOptions(session), force: flags.force === true, signal };
  return unlessStructural(() => konteks.estimate(source, options));
}

async function unlessStructural(
  estimate: () => Promise<ContextEstimate>,
): Promise<ContextEstimate | undefined> {
  try {
    return await estimate();
  } catch (error) {
    // No context model is in force: there is nothing to pay for.
    if (isKonteksError(error, "wrong-option") && /No model writes contexts/.test(error.message))
      return undefined;
    throw error;
  }
}

function mayGoOn({ flags, json, quiet, io, input }: Session): boolean {
  return flags.yes === true || json || quiet || !io.stderrIsTerminal || input.isTTY !== true;
}

async function asks({ input, signal }: Session): Promise<boolean> {
  const lines = createInterface({ input, output: process.stderr });
  try {
    const answer = await lines.question("Go on? [y/N] ", { signal });
    return /^(?:y|yes|ja|ya)$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

function together(a: ContextEstimate, b: ContextEstimate): ContextEstimate {
  return {
    ...a,
    documents: a.documents + b.documents,
    chunks: a.chunks + b.chunks,
    byDocument: [...a.byDocument, ...b.byDocument],
    missing: a.missing + b.missing,
    documentsSent: a.documentsSent + b.documentsSent,
    tokens: { ...a.tokens, calls: a.tokens.calls + b.tokens.calls },
    ...(a.cost !== undefined && b.cost !== undefined && { cost: a.cost + b.cost }),
  };
}
