import type { Answer, AnswerEvent, AskOptions } from "../spec/index.ts";
import { problemOf } from "./problem.ts";

/** Milliseconds between signs of life, so that nobody on the way takes a thinking model for a dead connection. */
const BEAT_MS = 15_000;

/**
 * An answer as server-sent events: `step`, `text` and `sentence` while it is made, then `answer` with everything, or `error`.
 * What goes wrong before the first of them is thrown, so that it has a status of its own. A reader that goes away stops
 * the work.
 *
 * Source: the WHATWG HTML standard, "Server-sent events".
 */
export async function answerStream(
  request: AbortSignal,
  work: (live: Pick<AskOptions, "onEvent" | "signal">) => Promise<Answer>,
  onError: ((error: unknown) => void) | undefined,
): Promise<Response> {
  const gone = new AbortController();
  const events = eventQueue(() => gone.abort());
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;
  const onEvent = ({ type, ...data }: AnswerEvent) => {
    events.send(type, data);
    hasBegun = true;
    begun.resolve();
  };
  const answered = work({ onEvent, signal: AbortSignal.any([request, gone.signal]) });
  answered
    .then((answer) => events.send("answer", answer))
    .catch((error: unknown) => {
      const { status, error: told } = problemOf(error);
      if (hasBegun && status >= 500 && !gone.signal.aborted) onError?.(error);
      events.send("error", { error: told });
    })
    .finally(events.end);
  await Promise.race([answered, begun.promise]);
  // The second header keeps nginx from holding events back.
  const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return new Response(events.body, { headers });
}

/** Events that are read as they come; none is lost before the reader is there. */
function eventQueue(onGone: () => void) {
  const encoder = new TextEncoder();
  let to: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      to = controller;
    },
    cancel() {
      to = undefined;
      onGone();
    },
  });
  const write = (lines: string) => to?.enqueue(encoder.encode(`${lines}\n\n`));
  const beat = setInterval(() => write(": waiting"), BEAT_MS);
  return {
    body,
    /** JSON has no line ends, so that an event's data is one line. */
    send: (event: string, data: unknown) => write(`event: ${event}\ndata: ${JSON.stringify(data)}`),
    end() {
      clearInterval(beat);
      to?.close();
      to = undefined;
    },
  };
}
