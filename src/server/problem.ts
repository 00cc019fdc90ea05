import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type ErrorCode, type ErrorFacts, isKonteksError } from "../spec/index.ts";

/** What went wrong, as it goes over the wire. */
export interface Problem {
  readonly status: ContentfulStatusCode;
  readonly error: { readonly code: string; readonly message: string; readonly facts?: ErrorFacts };
}

export function problem(status: ContentfulStatusCode, code: string, message: string): Problem {
  return { status, error: { code, message } };
}

/** Codes that are not the fault of the index or its settings (500). */
const STATUS: Readonly<Partial<Record<ErrorCode, ContentfulStatusCode>>> = {
  "wrong-option": 400,
  "not-found": 404,
  "model-failed": 502,
  "embedding-failed": 502,
  "index-locked": 503,
  closed: 503,
  aborted: 503,
};

const CODES: Readonly<Record<number, string>> = { 413: "too-large", 415: "wrong-type" };

/** Facts go along where the request is at fault; others may name what is only this side's to know. */
export function problemOf(error: unknown): Problem {
  if (isKonteksError(error)) {
    const { code, message, facts } = error;
    const status = STATUS[code] ?? 500;
    const has = status < 500 && Object.keys(facts).length > 0;
    return { status, error: { code, message, ...(has && { facts }) } };
  }
  if (error instanceof HTTPException)
    return problem(error.status, CODES[error.status] ?? "wrong-request", error.message);
  // A request that is nested thousands of levels deep is the only thing here that has no end.
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return problem(400, "wrong-option", "The request is nested too deeply. Send a simpler filter.");
  return problem(500, "unexpected", "Something went wrong on the server; its log says what.");
}
