import { isKonteksError, KonteksError } from "../spec/index.ts";
import { type Failure, isFatalStatus, isPassing, readFailure } from "./failure.ts";

/**
 * The error konteks throws for whatever a model call threw. The only place where errors of providers are judged.
 * `model` is the name that messages give, e.g. "anthropic:claude-haiku-4-5"; `tries` how often it was called.
 */
export function toModelError(error: unknown, model: string, signal?: AbortSignal, tries = 1): KonteksError {
  if (signal?.aborted) return abortedError(signal);
  if (isKonteksError(error)) return error;
  const failure = readFailure(error);
  const facts = { model, status: failure.status, type: failure.type };
  return new KonteksError(codeOf(failure), messageOf(failure, model, tries), { facts, cause: error });
}

/** The same for an answer that broke off while it was written: half of it came with a status that says nothing of that. */
export function toBrokenOffError(error: unknown, model: string, signal?: AbortSignal): KonteksError {
  const failure = readFailure(error);
  if (signal?.aborted || isKonteksError(error) || (failure.status !== undefined && failure.status >= 400))
    return toModelError(error, model, signal);
  const message = `${model} broke off in the middle of its answer, so there is none. Check the network, then run it again.`;
  return new KonteksError("model-failed", message, { facts: { model, type: failure.type }, cause: error });
}

export function abortedError(signal: AbortSignal): KonteksError {
  return new KonteksError("aborted", "Stopped before it was done. Run the same again to go on.", {
    cause: signal.reason,
  });
}

/** Whether every further call with this model and key would fail in the same way. */
export function isFatalForModel(error: unknown): boolean {
  if (!isKonteksError(error)) return false;
  if (error.code === "no-key" || error.code === "unknown-model") return true;
  return (
    error.code === "model-failed" &&
    (isFatalStatus(statusOf(error)) || isUnpaid({ type: error.facts.type, message: error.message }))
  );
}

/** OpenAI, "Error codes": insufficient_quota; Anthropic says it with a 400 ("Your credit balance is too low …"). */
function isUnpaid({ type, message }: { readonly type: unknown; readonly message: string }): boolean {
  return type === "insufficient_quota" || /credit balance is too low/i.test(message);
}

/** Whether the request was longer than the model reads. */
export function isTooLong(error: unknown): boolean {
  if (!isKonteksError(error, "model-failed")) return false;
  const status = statusOf(error);
  return (
    status === 413 || (status === 400 && /too long|too large|context (length|window)/i.test(error.message))
  );
}

/** Whether the provider could not be reached, or could not serve, after all tries. */
export function isOutage(error: unknown): boolean {
  if (!isKonteksError(error, "model-failed")) return false;
  const status = statusOf(error);
  return status === undefined || status >= 500 || status === 429;
}

/** HTTP status of a failed model call, where an answer came. */
export function statusOf(error: unknown): number | undefined {
  return isKonteksError(error) && typeof error.facts.status === "number" ? error.facts.status : undefined;
}

function codeOf(failure: Failure): "no-key" | "unknown-model" | "model-failed" {
  if (failure.missingKey) return "no-key";
  return isUnknownModel(failure) ? "unknown-model" : "model-failed";
}

function isUnknownModel(failure: Failure): boolean {
  if (failure.type === "model_not_found") return true;
  return failure.status === 404 && /model/i.test(failure.sentence);
}

function messageOf(failure: Failure, model: string, tries: number): string {
  const code = failure.status === undefined ? "" : ` (status ${failure.status})`;
  // A call that met a crowd before it was refused failed in two ways.
  const status = tries > 1 && isPassing(failure) ? `${code} at all ${tries} tries` : code;
  const said = failure.sentence.replace(/[.\s]+$/, "");
  if (failure.missingKey) return `${model} cannot be called: ${said}.`;
  if (isUnknownModel(failure))
    return `${model} is not known to its provider${status}: ${said}. Check the name.`;
  return `${model} failed${status}: ${said}. ${nextStep(failure)}`;
}

function nextStep(failure: Failure): string {
  if (isUnpaid({ type: failure.type, message: failure.sentence }))
    return "Check the plan and billing of the key's account.";
  if (failure.status === 401 || failure.status === 403) return "Check the API key and what it may use.";
  if (failure.status === 404) return "Check the base URL and the name of the model.";
  if (failure.status !== undefined && failure.status < 400)
    return "The answer is not in the provider's protocol; check the base URL.";
  if (failure.status === 413) return "Send less at once: a shorter document, or smaller chunks.";
  if (failure.status !== undefined && failure.status < 500 && failure.status !== 429)
    return "The provider refused the request; correct what it names.";
  if (failure.status === undefined) return "Check the network and the base URL, then run it again.";
  return "Run it again later; what is done is kept.";
}
