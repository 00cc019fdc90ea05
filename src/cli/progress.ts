import type { OnProgress, ProgressEvent } from "../spec/index.ts";
import { truncate } from "./print/layout.ts";
import type { Session } from "./session.ts";

export interface Progress {
  readonly onProgress: OnProgress;
  /** Takes the display away. */
  stop(): void;
}

const PLAIN_EVERY_MS = 3000;

/** A spinner on a terminal, a line every few seconds elsewhere, nothing with `--json` or `--quiet`. */
export async function startProgress(session: Session): Promise<Progress> {
  if (session.json || session.quiet) return { onProgress: () => {}, stop: () => {} };
  return session.io.stderrIsTerminal ? spinner(session) : plainLines(session);
}

async function spinner({ io }: Session): Promise<Progress> {
  const { default: ora } = await import("ora");
  // discardStdin would swallow Ctrl-C as a key and signal on its own.
  const shown = ora({ text: "reading", stream: process.stderr, discardStdin: false }).start();
  const text = describer();
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

function plainLines({ io }: Session): Progress {
  const text = describer();
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

/** Remembers how far documents are, so that the line about contexts can say it too. */
function describer(): (event: ProgressEvent) => string {
  let documents = "";
  return (event) => {
    if (event.type === "start") documents = `0 of ${event.documents} documents`;
    if (event.type === "document") documents = `${event.done} of ${event.documents} documents`;
    return `${documents}${detail(event)}`;
  };
}

function detail(event: ProgressEvent): string {
  if (event.type === "document") return ` · ${event.id}`;
  if (event.type === "context") return ` · ${event.documentId}: context ${event.done} of ${event.chunks}`;
  return "";
}
