import type { ContextEstimate, OnProgress, ProgressEvent } from "../spec/index.ts";
import { money } from "./print/estimate.ts";
import { duration, truncate } from "./print/layout.ts";
import type { Session } from "./session.ts";

export interface Progress {
  readonly onProgress: OnProgress;
  /** Takes the display away. */
  stop(): void;
}

const PLAIN_EVERY_MS = 3000;

/** A spinner on a terminal, a line every few seconds elsewhere, nothing with `--json` or `--quiet`. */
export async function startProgress(session: Session, estimate?: ContextEstimate): Promise<Progress> {
  if (session.quiet) return { onProgress: () => {}, stop: () => {} };
  if (session.json) return jsonLines(session);
  return session.io.stderrIsTerminal ? spinner(session, estimate) : plainLines(session, estimate);
}

/** One JSON value a line on stderr, every few seconds. */
function jsonLines({ io }: Session): Progress {
  let last = Date.now();
  return {
    onProgress: (event) => {
      if (event.type === "end" || Date.now() - last < PLAIN_EVERY_MS) return;
      last = Date.now();
      io.note(JSON.stringify({ progress: event }));
    },
    stop: () => {},
  };
}

async function spinner({ io }: Session, estimate: ContextEstimate | undefined): Promise<Progress> {
  const { default: ora } = await import("ora");
  // discardStdin would swallow Ctrl-C as a key and signal on its own.
  const shown = ora({ text: "reading", stream: process.stderr, discardStdin: false }).start();
  const text = describer(estimate);
  return {
    onProgress: (event) => {
      shown.text = truncate(text(event), io.notes.columns - 4);
    },
    stop: () => {
      shown.stop();
      // ora may leave its last line behind, and the report would be written over it.
      process.stderr.write("\r\u001b[2K");
    },
  };
}

function plainLines({ io }: Session, estimate: ContextEstimate | undefined): Progress {
  const text = describer(estimate);
  let last = Date.now();
  return {
    onProgress: (event) => {
      const line = text(event);
      if (Date.now() - last < PLAIN_EVERY_MS) return;
      last = Date.now();
      io.note(line);
    },
    stop: () => {},
  };
}

/** Remembers how far documents and contexts are, so that every line can say it. */
function describer(estimate: ContextEstimate | undefined): (event: ProgressEvent) => string {
  let documents = "";
  let spent: number | undefined;
  const contexts = new Map<string, number>();
  const begun = Date.now();
  const money = () => spendingOf(estimate, spent, sumOf(contexts), Date.now() - begun);
  return (event) => {
    if (event.type === "start") documents = `0 of ${event.documents} documents`;
    if (event.type === "document") documents = `${event.done} of ${event.documents} documents`;
    if (event.type === "context") contexts.set(event.documentId, event.done);
    if ("cost" in event) spent = event.cost;
    return `${documents}${money()}${detail(event)}`;
  };
}

function sumOf(contexts: ReadonlyMap<string, number>): number {
  return [...contexts.values()].reduce((sum, done) => sum + done, 0);
}

/** " · $0.12 of about $1.40 · 3.2 contexts a second · 2 min left". */
function spendingOf(
  estimate: ContextEstimate | undefined,
  spent: number | undefined,
  done: number,
  ms: number,
): string {
  if (spent === undefined || estimate === undefined || estimate.missing === 0) return "";
  const of = estimate.cost === undefined ? "" : ` of about ${money(estimate.cost)}`;
  const already = estimate.chunks - estimate.missing;
  const written = Math.max(0, done - already);
  const rate = written / Math.max(1, ms / 1_000);
  if (written === 0) return ` · ${money(spent)}${of}`;
  const left = duration(((estimate.missing - written) / rate) * 1_000);
  return ` · ${money(spent)}${of} · ${rate.toFixed(1)} contexts a second · ${left} left`;
}

function detail(event: ProgressEvent): string {
  if (event.type === "document") return ` · ${event.id}`;
  if (event.type === "context") return ` · ${event.documentId}: context ${event.done} of ${event.chunks}`;
  if (event.type === "batch") return ` · in batches: ${event.done} of ${event.items} requests`;
  return "";
}
