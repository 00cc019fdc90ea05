import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock } from "../../llm/clock.ts";
import { refusalOf } from "./admission.ts";
import { embeddingsOf } from "./embeddings.ts";
import { fail, type PendingFault, refuse, sendError, takeFault } from "./faults.ts";
import { asObject, asText, type Json } from "./json.ts";
import { type CachePlan, createAutomaticCache, createBreakpointCache } from "./prompt-cache.ts";
import { type DecidedReply, decideReply } from "./replies.ts";
import { readBody, sendEvents, sendJson } from "./respond.ts";
import { providerOf, type Route, routeOf } from "./routes.ts";
import { tokensOf } from "./tokens.ts";
import {
  isProviderError,
  type OpenEntry,
  type ReadRequest,
  type Reply,
  type ReplyTokens,
  type Script,
  type SimulatedProviderOptions,
  type TextProtocol,
} from "./types.ts";

/** All that a running simulation remembers. */
export interface Simulation {
  readonly options: Required<SimulatedProviderOptions>;
  readonly ledger: OpenEntry[];
  readonly faults: PendingFault[];
  readonly breakpointCache: ReturnType<typeof createBreakpointCache>;
  readonly automaticCache: ReturnType<typeof createAutomaticCache>;
  script: Script | undefined;
}

export function createSimulation(options: SimulatedProviderOptions): Simulation {
  const now = options.now ?? Date.now;
  return {
    options: { apiKeys: {}, latencyMs: 0, dimensions: 256, ...options, now },
    ledger: [],
    faults: [],
    breakpointCache: createBreakpointCache(now),
    automaticCache: createAutomaticCache(now),
    script: undefined,
  };
}

export async function handle(
  simulation: Simulation,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sent = await readBody(request);
  const url = request.url ?? "/";
  const route = request.method === "POST" ? routeOf(url) : undefined;
  if (route === undefined) sendError(response, providerOf(url), { status: 404, message: "Not Found" });
  else await answer(simulation, request, response, route, parse(sent));
}

async function answer(
  simulation: Simulation,
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  body: Json | undefined,
): Promise<void> {
  const entry = openEntry(simulation, route, body ?? {}, response);
  const fault = takeFault(simulation.faults, route.path);
  const refusal = refusalOf(route, request.headers, asText(body?.model), simulation.options.apiKeys);
  if (fault) fail(response, entry, fault);
  else if (body === undefined)
    refuse(response, entry, { status: 400, message: "The body is not valid JSON." });
  else if (refusal) refuse(response, entry, refusal);
  else if (route.protocol === undefined) embed(simulation, response, entry);
  else await write(simulation, response, entry, route.protocol);
}

function openEntry(simulation: Simulation, route: Route, body: Json, response: ServerResponse): OpenEntry {
  const { now } = simulation.options;
  const { provider, path } = route;
  const entry: OpenEntry = {
    provider,
    path,
    model: asText(body.model) ?? "",
    body,
    status: 0,
    startedAt: now(),
  };
  simulation.ledger.push(entry);
  response.once("close", () => {
    entry.endedAt = now();
  });
  return entry;
}

function embed(simulation: Simulation, response: ServerResponse, entry: OpenEntry): void {
  const result = embeddingsOf(entry.body, entry.model, simulation.options.dimensions);
  if (isProviderError(result)) refuse(response, entry, result);
  else {
    begin(simulation, entry, { input: result.tokens, output: 0, cacheRead: 0, cacheWrite: 0 });
    sendJson(response, 200, result.body);
  }
}

async function write(
  simulation: Simulation,
  response: ServerResponse,
  entry: OpenEntry,
  protocol: TextProtocol,
): Promise<void> {
  const read = protocol.read(entry.body);
  if (isProviderError(read)) {
    refuse(response, entry, read);
    return;
  }
  const plan = planCache(simulation, entry, read);
  const stream = entry.body.stream === true;
  const decided = await decideReply(callOf(entry, read, stream), simulation.script);
  await systemClock.sleep(decided.delayMs ?? simulation.options.latencyMs);
  const reply = replyOf(simulation, entry, decided, tokensOfReply(read, plan, decided));
  plan.begin();
  begin(simulation, entry, reply.tokens);
  if (decided.cut) sendEvents(response, protocol.stream(reply), true);
  else if (stream) sendEvents(response, protocol.stream(reply), false);
  else sendJson(response, 200, protocol.write(reply), { "request-id": reply.id });
}

function callOf(entry: OpenEntry, { system, messages, maxTokens }: ReadRequest, stream: boolean) {
  const { provider, path, model, body } = entry;
  return { provider, path, model, system: system.join("\n\n"), messages, maxTokens, stream, body };
}

function planCache(
  simulation: Simulation,
  { provider, model, body }: OpenEntry,
  { blocks }: ReadRequest,
): CachePlan {
  // "Prompt caching", on what invalidates the cache: a changed output format begins another prefix.
  const head = JSON.stringify([body.output_format, body.output_config, body.text, body.response_format]);
  return provider === "anthropic"
    ? simulation.breakpointCache(model, head, blocks)
    : simulation.automaticCache(model, head, blocks);
}

function tokensOfReply(read: ReadRequest, plan: CachePlan, decided: DecidedReply): ReplyTokens {
  const prompt = read.blocks.reduce((sum, { text }) => sum + tokensOf(text), 0);
  const input = prompt - plan.read - plan.write;
  return { input, output: decided.outputTokens, cacheRead: plan.read, cacheWrite: plan.write };
}

function replyOf(
  simulation: Simulation,
  entry: OpenEntry,
  { text, stop }: DecidedReply,
  tokens: ReplyTokens,
): Reply {
  const { now } = simulation.options;
  const id = `sim_${simulation.ledger.indexOf(entry) + 1}`;
  return { id, model: entry.model, text, stop, tokens, created: Math.floor(now() / 1_000) };
}

function begin({ options }: Simulation, entry: OpenEntry, tokens: ReplyTokens): void {
  entry.status = 200;
  entry.begunAt = options.now();
  entry.usage = {
    calls: 1,
    inputTokens: tokens.input + tokens.cacheRead + tokens.cacheWrite,
    outputTokens: tokens.output,
    cacheReadTokens: tokens.cacheRead,
    cacheWriteTokens: tokens.cacheWrite,
  };
}

function parse(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
