/** OpenAI's Batch API ("Create batch", "The batch object", "The request output object"). */
import type { SimulatedBatch, SimulatedItem } from "./batches.ts";
import { asObject, asText, type Json, parsedOr } from "./json.ts";
import type { Simulation } from "./state.ts";
import type { ProviderError } from "./types.ts";

const mostRequests = 50_000;
const mostBytes = 200_000_000;
const windowSeconds = 24 * 60 * 60;

/** The file's part of a multipart form; nothing else in it is looked at. */
export function fileOfForm(form: string): string {
  const boundary = form.slice(0, form.indexOf("\r\n"));
  const part = form.split(boundary).find((one) => /name="file"/.test(one.slice(0, 400)));
  return part === undefined ? "" : part.slice(part.indexOf("\r\n\r\n") + 4).replace(/\r\n$/, "");
}

export function readOpenaiBatch(
  body: Json,
  file: string | undefined,
): { readonly items: SimulatedItem[]; readonly refused?: string } | ProviderError {
  if (file === undefined)
    return { status: 400, message: `Invalid file: ${asText(body.input_file_id) ?? "none"}` };
  if (body.completion_window !== "24h")
    return { status: 400, message: "Invalid 'completion_window': only '24h' is supported." };
  if (file.length > mostBytes) return { status: 400, message: "The input file is larger than 200 MB." };
  const lines = file.split("\n").filter((line) => line.trim() !== "");
  const items = lines.map((line): SimulatedItem => {
    const { custom_id, body: request } = asObject(parsedOr(line, {}));
    return { customId: asText(custom_id) ?? "", body: asObject(request) };
  });
  return { items, ...whatIsWrong(items) };
}

/** The file is looked through after the batch was taken ("validating"); what is wrong makes it fail as a whole. */
function whatIsWrong(items: readonly SimulatedItem[]): { readonly refused?: string } {
  if (items.length === 0) return { refused: "The input file holds no request." };
  if (items.length > mostRequests) return { refused: `More than ${mostRequests} requests.` };
  if (new Set(items.map(({ customId }) => customId)).size < items.length)
    return { refused: "Duplicate custom_id." };
  if (new Set(items.map(({ body }) => body.model)).size > 1)
    return { refused: "Requests are for more than one model." };
  return {};
}

export function openaiBatchBody(batch: SimulatedBatch, { options: { batchMs } }: Simulation): Json {
  const ended = batch.items.filter(({ outcome }) => outcome !== undefined);
  const succeeded = ended.filter(({ outcome }) => outcome === "succeeded").length;
  const created = Math.floor(batch.createdAt / 1_000);
  return {
    id: batch.id,
    object: "batch",
    endpoint: "/v1/responses",
    status: statusOf(batch),
    errors:
      batch.refused === undefined
        ? null
        : { object: "list", data: [{ code: "invalid", message: batch.refused }] },
    input_file_id: "file_simulated",
    completion_window: "24h",
    output_file_id: batch.done && succeeded > 0 ? `file-output-${batch.id}` : null,
    error_file_id: batch.done && succeeded < batch.items.length ? `file-errors-${batch.id}` : null,
    created_at: created,
    expires_at: created + windowSeconds,
    completed_at: batch.done ? created + Math.ceil(batchMs / 1_000) : null,
    request_counts: {
      total: batch.done ? batch.items.length : 0,
      completed: succeeded,
      failed: ended.length - succeeded,
    },
    metadata: null,
  };
}

/** Requests are not counted while the file is looked through, so that `total` is 0 until the end here. */
function statusOf(batch: SimulatedBatch): string {
  if (batch.refused !== undefined) return "failed";
  if (!batch.done) return batch.cancelled ? "cancelling" : "validating";
  if (batch.cancelled) return "cancelled";
  return batch.items.some(({ outcome }) => outcome === "expired") ? "expired" : "completed";
}

export function openaiResults(batch: SimulatedBatch, errors: boolean): string {
  return batch.items
    .toReversed()
    .filter(({ outcome }) => (outcome === "succeeded") !== errors)
    .map((item, index) => `${JSON.stringify(lineOf(item, index))}\n`)
    .join("");
}

function lineOf({ customId, outcome, result }: SimulatedItem, index: number): Json {
  const line = { id: `batch_req_${index}`, custom_id: customId };
  if (outcome === "succeeded")
    return { ...line, response: { status_code: 200, request_id: `req_${index}`, body: result }, error: null };
  if (outcome === "failed") {
    const error = { message: String(result), type: "invalid_request_error", param: null, code: null };
    return {
      ...line,
      response: { status_code: 400, request_id: `req_${index}`, body: { error } },
      error: null,
    };
  }
  return { ...line, response: null, error: { code: `batch_${outcome}`, message: String(result) } };
}
