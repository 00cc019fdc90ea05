/** Facts that say what went wrong, for programs; the message says it for people. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

export type ErrorCode =
  | "wrong-option"
  | "not-found"
  | "empty-folder"
  | "unreadable"
  | "unsupported-format"
  | "encrypted"
  | "no-text"
  | "not-an-index"
  | "index-locked"
  | "index-damaged"
  | "index-newer"
  | "identity-mismatch"
  | "no-space"
  | "read-only"
  | "no-key"
  | "unknown-model"
  | "model-failed"
  | "embedding-failed"
  | "aborted"
  | "closed";

/**
 * Every error konteks throws on purpose. The message is one sentence on what is wrong and where, and one on what to do
 * next. Errors of libraries are kept as `cause`. What is not covered: programming mistakes (`TypeError` and the like).
 */
export class KonteksError extends Error {
  override readonly name: string = "KonteksError";
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, message: string, options: { facts?: ErrorFacts; cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.facts = options.facts ?? {};
  }
}

export function isKonteksError(error: unknown, code?: ErrorCode): error is KonteksError {
  return error instanceof KonteksError && (code === undefined || error.code === code);
}
