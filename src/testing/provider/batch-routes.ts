import type { IncomingMessage, ServerResponse } from "node:http";
import { refusalOf } from "./admission.ts";
import { anthropicMessages } from "./anthropic.ts";
import { anthropicBatchBody, anthropicResults, readAnthropicBatch } from "./anthropic-batches.ts";
import { endIfDue } from "./batch-run.ts";
import { pageOf, type SimulatedBatch } from "./batches.ts";
import { fail, refuse, sendError, takeFault } from "./faults.ts";
import { asObject, asText, type Json, parsedOr } from "./json.ts";
import { fileOfForm, openaiBatchBody, openaiResults, readOpenaiBatch } from "./openai-batches.ts";
import { openaiResponses } from "./openai-responses.ts";
import { sendJson } from "./respond.ts";
import { prefixes } from "./routes.ts";
import { openEntry, type Simulation } from "./state.ts";
import { isProviderError } from "./types.ts";

type Api = "anthropic" | "openai";

interface Asked {
  readonly simulation: Simulation;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sent: string;
  readonly api: Api;
  readonly url: URL;
  /** Below the base URL. */
  readonly path: string;
}

/** What single requests of a batch go to. */
const targets = {
  anthropic: { path: "/v1/messages", protocol: anthropicMessages },
  openai: { path: "/v1/responses", protocol: openaiResponses },
} as const;

/** True when the request was for batches or their files. */
export async function answerBatch(
  simulation: Simulation,
  request: IncomingMessage,
  response: ServerResponse,
  sent: string,
): Promise<boolean> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const api = (["anthropic", "openai"] as const).find((name) =>
    url.pathname.startsWith(`${prefixes[name]}/v1/`),
  );
  const path = api && url.pathname.slice(`${prefixes[api]}/v1`.length);
  if (api === undefined || path === undefined || !/^\/(?:messages\/batches|batches|files)(?:\/|$)/.test(path))
    return false;
  const asked: Asked = { simulation, request, response, sent, api, url, path };
  const fault = takeFault(simulation.faults, `/v1${path}`);
  const route = { provider: api, path: `/v1${path}`, protocol: targets[api].protocol };
  const known = api === "anthropic" ? "claude-" : "gpt-";
  const refusal = refusalOf(route, request.headers, known, simulation.options.apiKeys);
  if (fault) fail(response, openEntry(simulation, route, {}), fault);
  else if (refusal) sendError(response, api, refusal);
  else if (api === "anthropic") await anthropic(asked);
  else await openai(asked);
  return true;
}

/** "Create / Retrieve / List / Cancel a Message Batch", "Retrieve Message Batch results". */
async function anthropic(asked: Asked): Promise<void> {
  const { request, path, response, simulation } = asked;
  const [id, what] = path.replace(/^\/messages\/batches\/?/, "").split("/");
  if (request.method === "POST" && !id) return createAnthropic(asked);
  if (request.method === "GET" && !id) return list(asked, "after_id");
  const batch = await found(asked, id);
  if (batch === undefined) return;
  if (what === "cancel") batch.cancelled = true;
  if (what === "results") {
    if (!batch.done)
      return sendError(response, "anthropic", { status: 400, message: "Batch has not ended." });
    response.writeHead(200, { "content-type": "application/x-jsonl" });
    response.end(anthropicResults(batch));
    return;
  }
  sendJson(response, 200, anthropicBatchBody(batch, simulation, baseOf(asked)));
}

function createAnthropic(asked: Asked): void {
  const { simulation, response, sent } = asked;
  const body = asObject(parsedOr(sent, {}));
  const entry = openEntry(simulation, { provider: "anthropic", path: "/v1/messages/batches" }, body);
  response.once("close", () => {
    entry.endedAt = simulation.options.now();
  });
  const items = readAnthropicBatch(body, sent.length);
  if (isProviderError(items)) {
    refuse(response, entry, items);
    return;
  }
  const batch = add(simulation, "anthropic", simulation.batches.nextId("msgbatch"), items);
  entry.status = 200;
  sendJson(response, 200, anthropicBatchBody(batch, simulation, baseOf(asked)));
}

/** "Upload file", "Create / Retrieve / List / Cancel batch", "Retrieve file content". */
async function openai(asked: Asked): Promise<void> {
  const { simulation, request, response, path } = asked;
  if (path.startsWith("/files")) return openaiFile(asked);
  const [id, what] = path.replace(/^\/batches\/?/, "").split("/");
  if (request.method === "POST" && !id) return createOpenai(asked);
  if (request.method === "GET" && !id) return list(asked, "after");
  const batch = await found(asked, id);
  if (batch === undefined) return;
  if (what === "cancel") batch.cancelled = true;
  sendJson(response, 200, openaiBatchBody(batch, simulation));
}

async function openaiFile({ simulation, request, response, path, sent }: Asked): Promise<void> {
  const { batches } = simulation;
  if (request.method === "POST") {
    const id = batches.nextId("file");
    batches.files.set(id, fileOfForm(sent));
    const created = Math.floor(simulation.options.now() / 1_000);
    const bytes = sent.length;
    sendJson(response, 200, {
      id,
      object: "file",
      bytes,
      created_at: created,
      filename: "batch.jsonl",
      purpose: "batch",
    });
    return;
  }
  const id = path.split("/")[2] ?? "";
  const batch = batches.batches.find((one) => id.endsWith(one.id));
  const text = batch ? openaiResults(batch, id.startsWith("file-errors")) : batches.files.get(id);
  if (text === undefined)
    return sendError(response, "openai", {
      status: 404,
      type: "not_found",
      message: `No such File object: ${id}`,
    });
  response.writeHead(200, { "content-type": "application/octet-stream" });
  response.end(text);
}

function createOpenai({ simulation, response, sent }: Asked): void {
  const body = asObject(parsedOr(sent, {}));
  const entry = openEntry(simulation, { provider: "openai", path: "/v1/batches" }, body);
  response.once("close", () => {
    entry.endedAt = simulation.options.now();
  });
  const file = simulation.batches.files.get(asText(body.input_file_id) ?? "");
  const items = readOpenaiBatch(body, file);
  if (isProviderError(items)) {
    refuse(response, entry, items);
    return;
  }
  const batch = add(simulation, "openai", simulation.batches.nextId("batch"), items.items, items.refused);
  entry.status = 200;
  sendJson(response, 200, openaiBatchBody(batch, simulation));
}

function add(
  simulation: Simulation,
  api: Api,
  id: string,
  items: SimulatedBatch["items"],
  refused?: string,
): SimulatedBatch {
  const createdAt = simulation.options.now();
  const endsAt = createdAt + simulation.options.batchMs;
  const batch = { id, api, createdAt, endsAt, items, refused, cancelled: false, done: false };
  simulation.batches.batches.push(batch);
  return batch;
}

async function found(asked: Asked, id: string | undefined): Promise<SimulatedBatch | undefined> {
  const { simulation, response, api } = asked;
  const batch = simulation.batches.batches.find((one) => one.id === id && one.api === api);
  if (batch === undefined) {
    sendError(response, api, { status: 404, type: "not_found_error", message: `No batch "${id}".` });
    return undefined;
  }
  if (batch.refused === undefined)
    await endIfDue(simulation, batch, targets[api].path, targets[api].protocol);
  return batch;
}

function list(asked: Asked, after: string): void {
  const { simulation, response, api, url } = asked;
  const own = simulation.batches.batches.filter((batch) => batch.api === api);
  const { page, more } = pageOf(own, url.searchParams, after);
  const data = page.map(
    (batch): Json =>
      api === "anthropic"
        ? anthropicBatchBody(batch, simulation, baseOf(asked))
        : openaiBatchBody(batch, simulation),
  );
  const ends = { first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null };
  sendJson(response, 200, { object: "list", data, has_more: more, ...ends });
}

function baseOf({ request, api }: Asked): string {
  return `http://${request.headers.host}${prefixes[api]}/v1`;
}
