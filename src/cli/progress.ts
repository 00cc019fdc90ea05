import type { ContextEstimate, OnProgress, ProgressEvent } from "../spec/index.ts";
import { jsonText } from "./json-text.ts";
import { money } from "./print/estimate.ts";
import { count, duration, oneLine, truncate } from "./print/layout.ts";
import { createProgressState, type ProgressState } from "./progress-state.ts";
import type { Session } from "./session.ts";
import { visible } from "./visible.ts";

export interface Progress {
  readonly onProgress: OnProgress;
  /** Takes the display away. */
  stop(): void;
}

const EVERY_MS = 3000;

/** A spinner on a terminal, a line every few seconds elsewhere, JSON lines with `--json`, nothing with `--quiet`. */
export async function startProgress(session: Session, estimate?: ContextEstimate): Promise<Progress> {
  if (session.quiet) return { onProgress: () => {}, stop: () => {} };
  const stateAfter = createProgressState(estimate);
  // The result alone is on stdout, so that it can be read as one value; what comes before it is on stderr.
  if (session.json) return lines(session, (event) => jsonText({ progress: round(stateAfter(event)) }));
  const text = (event: ProgressEvent) => lineOf(stateAfter(event));
  return session.io.stderrIsTerminal ? spinner(session, text) : lines(session, text);
}

async function spinner({ io }: Session, text: (event: ProgressEvent) => string): Promise<Progress> {
  const { default: ora } = await import("ora");
  // discardStdin would swallow Ctrl-C as a key and signal on its own.
  const shown = ora({ text: "reading", stream: process.stderr, discardStdin: false }).start();
  return {
    onProgress: (event) => {
      shown.text = truncate(
        oneLine(visible(text(event), io.notes.paint.isColorSupported)),
        io.notes.columns - 4,
      );
    },
    stop: () => {
      shown.stop();
      // ora may leave its last line behind, and the report would be written over it.
      process.stderr.write("\r\u001b[2K");
    },
  };
}

/** The first after some seconds: what is done by then needs none. */
function lines({ io }: Session, text: (event: ProgressEvent) => string): Progress {
  let last = Date.now();
  return {
    onProgress: (event) => {
      const line = text(event);
      if (event.type === "end" || Date.now() - last < EVERY_MS) return;
      last = Date.now();
      io.note(line);
    },
    stop: () => {},
  };
}

/**
 * "3 of 40 documents · 120 of 400 contexts · $0.12 of about $1.40 · 3.2 a second · 2 min left · report.md: 3 of 12", then
 * "40 of 40 documents · 96 of 400 vectors · 5.1 a second · 60 s left".
 */
export function lineOf(state: ProgressState): string {
  const { documents, contexts, batch, vectors, secondsLeft, at } = state;
  const perSecond = state.vectorsPerSecond ?? state.contextsPerSecond;
  const parts = [
    documents.of === 0 ? "" : `${documents.done} of ${count(documents.of, "document")}`,
    batch === undefined ? "" : `${batch.done} of ${count(batch.of, "request")} in batches`,
    contexts === undefined ? "" : `${contexts.done} of ${count(contexts.of, "context")}`,
    moneyOf(state),
    vectors === undefined ? "" : `${vectors.done} of ${count(vectors.of, "vector")}`,
    perSecond === undefined ? "" : `${perSecond.toFixed(1)} a second`,
    secondsLeft ? `${duration(secondsLeft * 1_000)} left` : "",
    placeOf(at),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function moneyOf({ cost, estimatedCost }: ProgressState): string {
  if (cost === undefined) return "";
  return estimatedCost === undefined ? money(cost) : `${money(cost)} of about ${money(estimatedCost)}`;
}

function placeOf(at: ProgressState["at"]): string {
  if (at === undefined) return "";
  return at.of === undefined ? at.document : `${at.document}: ${at.done} of ${at.of}`;
}

function round(state: ProgressState): ProgressState {
  const { contextsPerSecond: contexts, vectorsPerSecond: vectors, secondsLeft: left } = state;
  return {
    ...state,
    ...(contexts !== undefined && { contextsPerSecond: Math.round(contexts * 100) / 100 }),
    ...(vectors !== undefined && { vectorsPerSecond: Math.round(vectors * 100) / 100 }),
    ...(left !== undefined && { secondsLeft: Math.round(left) }),
  };
}
