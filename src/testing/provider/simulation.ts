import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock } from "../../llm/clock.ts";
import { keyOf, refusalOf } from "./admission.ts";
import { answerBatch } from "./batch-routes.ts";
import { embeddingsOf } from "./embeddings.ts";
import { fail, refuse, sendError, takeFault } from "./faults.ts";
import { asObject, asText, type Json } from "./json.ts";
import type { CachePlan } from "./prompt-cache.ts";
import { decideReply } from "./replies.ts";
import { readBody, sendEvents, sendJson } from "./respond.ts";
import { providerOf, type Route, routeOf } from "./routes.ts";
import {
  begin,
  cachesAtBreakpoints,
  callOf,
  openEntry,
  replyOf,
  type Simulation,
  tokensOfReply,
} from "./state.ts";
import { isProviderError, type OpenEntry, type ReadRequest, type TextProtocol } from "./types.ts";

export async function handle(
  simulation: Simulation,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sent = await readBody(request);
  const url = request.url ?? "/";
  if (await answerBatch(simulation, request, response, sent)) return;
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
  const entry = openEntry(simulation, route, body ?? {});
  entry.apiKey = keyOf(route.provider, request.headers);
  response.once("close", () => {
    entry.endedAt = simulation.options.now();
  });
  const fault = takeFault(simulation.faults, route.path);
  const refusal = refusalOf(route, request.headers, asText(body?.model), simulation.options.apiKeys);
  if (fault) fail(response, entry, fault);
  else if (body === undefined)
    refuse(response, entry, { status: 400, message: "The body is not valid JSON." });
  else if (refusal) refuse(response, entry, refusal);
  else if (route.protocol === undefined) embed(simulation, response, entry);
  else await write(simulation, response, entry, route.protocol);
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
  const decided = await decideReply(callOf(entry, read, stream), simulation.script, simulation.counter);
  await systemClock.sleep(decided.delayMs ?? simulation.options.latencyMs);
  const tokens = tokensOfReply(simulation, read, plan, decided);
  const reply = replyOf(simulation, entry, read, decided, tokens);
  plan.begin();
  begin(simulation, entry, reply.tokens, read.blocks);
  if (decided.cut) sendEvents(response, protocol.stream(reply), true);
  else if (stream) sendEvents(response, protocol.stream(reply), false);
  else sendJson(response, 200, protocol.write(reply), { "request-id": reply.id });
}

function planCache(simulation: Simulation, entry: OpenEntry, { blocks }: ReadRequest): CachePlan {
  const { provider, model, body } = entry;
  // "Prompt caching", on what invalidates the cache: changed tools or a changed output format begin another prefix.
  const form = [body.output_format, asObject(body.output_config).format, body.text, body.response_format];
  const head = JSON.stringify([body.tools, ...form]);
  return cachesAtBreakpoints(provider, model)
    ? simulation.breakpointCache(model, head, blocks)
    : simulation.automaticCache(model, head, blocks);
}

function parse(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
