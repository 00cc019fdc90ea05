/** What an error of the AI SDK says, read without importing it (its classes are told by their fields). */
export interface Failure {
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** The provider's own sentence, keys removed. */
  readonly sentence: string;
  /** The provider's own name for it (`rate_limit_error`, `insufficient_quota`, …). */
  readonly type: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** No answer came, or it broke off. */
  readonly network: boolean;
  /** The SDK found no key before anything was sent. */
  readonly missingKey: boolean;
}

export function readFailure(error: unknown): Failure {
  const fields = fieldsOf(error);
  const data = fieldsOf(fieldsOf(fields.data).error);
  const status =
    typeof fields.statusCode === "number" ? fields.statusCode : statusOfStreamError(data, fields);
  return {
    status,
    sentence: withoutKeys(sentenceOf(error)),
    type: textOf(data.code) ?? textOf(data.type) ?? textOf(fields.type),
    headers: headersOf(fields.responseHeaders),
    network: status === undefined && isNetworkFailure(error),
    missingKey: fields.name === "AI_LoadAPIKeyError",
  };
}

/**
 * Failures that pass: too many requests, overload, a server's fault, a broken connection. An exhausted quota is also a
 * 429 (OpenAI, "Error codes"), but waiting does not help.
 */
export function isPassing(failure: Failure): boolean {
  if (failure.type === "insufficient_quota") return false;
  if (failure.status === undefined) return failure.network;
  return failure.status === 408 || failure.status === 409 || failure.status === 429 || failure.status >= 500;
}

/** Failures that meet every call to the model alike, so that the others had better wait too. */
export function isCrowding(failure: Failure): boolean {
  return failure.status === 429 || failure.status === 503 || failure.status === 529;
}

/** Failures that no further call with the same model and key can escape. */
export function isFatalStatus(status: number | undefined): boolean {
  return status === 401 || status === 403 || status === 404;
}

/** Removes what looks like a key: providers quote part of it in "incorrect key" sentences. */
export function withoutKeys(text: string): string {
  return text
    .replace(/\b(?:sk|pk|rk|key|api|xai|gsk|pa|AIza)[-_][\w*.-]{6,}/gi, "[key]")
    .replace(/\bAIza[\w*-]{10,}/g, "[key]")
    .replace(/\b(Bearer)\s+[\w*.~+/=-]{6,}/gi, "$1 [key]");
}

/** Errors inside a stream arrive with status 200 (Anthropic, "Errors": an overload may follow a 200 response). */
function statusOfStreamError(data: Fields, fields: Fields): number | undefined {
  const type = textOf(data.type) ?? textOf(fields.type) ?? textOf(fieldsOf(fields.error).type);
  if (type === undefined) return undefined;
  return (
    { overloaded_error: 529, rate_limit_error: 429, api_error: 500, server_error: 500 } as Record<
      string,
      number
    >
  )[type];
}

function isNetworkFailure(error: unknown): boolean {
  const fields = fieldsOf(error);
  if (fields.isRetryable === true) return true;
  if (typeof fields.code === "string" && /^(E[A-Z]+|UND_ERR_\w+)$/.test(fields.code)) return true;
  if (/fetch failed|terminated|socket hang up|network|other side closed|incomplete/i.test(sentenceOf(error)))
    return true;
  return fields.cause !== undefined && fields.cause !== error && isNetworkFailure(fields.cause);
}

function sentenceOf(error: unknown): string {
  if (typeof error === "string") return error;
  const message = textOf(fieldsOf(error).message);
  return message === undefined ? String(error) : message.trim();
}

function headersOf(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(fieldsOf(value)).map(([name, text]) => [name.toLowerCase(), String(text)]);
  return Object.fromEntries(entries);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
