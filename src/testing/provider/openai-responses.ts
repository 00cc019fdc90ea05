/** OpenAI's Responses API ("Create a model response", "Streaming events"). */
import { asList, asNumber, asObject, asText, type Json, parsedOr, piecesOf, textOfContent } from "./json.ts";
import { blocksOfContent, splitMessages } from "./openai-messages.ts";
import type { ProviderError, ReadRequest, Reply, StreamEvent, TextProtocol } from "./types.ts";

export const openaiResponses: TextProtocol = { read, write, stream };

/** "Create a model response": lower bound of `max_output_tokens`. */
const leastOutput = 16;

function read(body: Json): ReadRequest | ProviderError {
  const input = typeof body.input === "string" ? [{ role: "user", content: body.input }] : asList(body.input);
  const messages = input.map((item) => {
    const { role, content } = asObject(item);
    return { role: asText(role) ?? "user", text: textOfContent(content), blocks: blocksOfContent(content) };
  });
  const maxTokens = asNumber(body.max_output_tokens);
  if (messages.length === 0) return { status: 400, message: "Missing required parameter: 'input'." };
  if (maxTokens !== undefined && maxTokens < leastOutput)
    return {
      status: 400,
      type: "integer_below_min_value",
      message: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${leastOutput}, but got ${maxTokens} instead.`,
    };
  const instructions = asText(body.instructions);
  return splitMessages(
    [...(instructions ? [{ role: "system", text: instructions }] : []), ...messages],
    maxTokens,
    formOf(body),
  );
}

/** "Structured outputs" and "Function calling", forced by name. */
function formOf(body: Json) {
  const tool = asText(asObject(body.tool_choice).name);
  const schema = asObject(asObject(body.text).format).type === "json_schema";
  return { tool, structured: schema || tool !== undefined };
}

function write(reply: Reply): Json {
  return {
    ...head(reply),
    ...ending(reply),
    output: [reply.tool === undefined ? item(reply) : called(reply)],
  };
}

function stream(reply: Reply): readonly StreamEvent[] {
  const place = { item_id: itemId(reply), output_index: 0, content_index: 0 };
  const open = { ...head(reply), status: "in_progress", output: [] };
  const last = reply.stop === "end" ? "response.completed" : "response.incomplete";
  const data = [
    { type: "response.created", response: open },
    { type: "response.in_progress", response: open },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item(reply), status: "in_progress", content: [] },
    },
    ...piecesOf(reply.text).map((delta) => ({
      type: "response.output_text.delta",
      ...place,
      delta,
      logprobs: [],
    })),
    { type: "response.output_text.done", ...place, text: reply.text, logprobs: [] },
    { type: "response.output_item.done", output_index: 0, item: item(reply) },
    { type: last, response: write(reply) },
  ];
  return data.map((fields, index) => ({ event: fields.type, data: { ...fields, sequence_number: index } }));
}

function head(reply: Reply): Json {
  return { id: reply.id, object: "response", created_at: reply.created, model: reply.model, error: null };
}

const incompleteReasons = { end: undefined, length: "max_output_tokens", refusal: "content_filter" } as const;

function ending(reply: Reply): Json {
  const reason = incompleteReasons[reply.stop];
  return {
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    usage: usage(reply),
  };
}

function item(reply: Reply): Json {
  const content = [{ type: "output_text", text: reply.text, annotations: [], logprobs: [] }];
  return { id: itemId(reply), type: "message", role: "assistant", status: "completed", content };
}

function called({ id, tool, text }: Reply): Json {
  const input = parsedOr(text, undefined) === undefined ? "{}" : text;
  return {
    id: `fc_${id}`,
    type: "function_call",
    call_id: `call_${id}`,
    name: tool,
    arguments: input,
    status: "completed",
  };
}

function itemId(reply: Reply): string {
  return `msg_${reply.id}`;
}

function usage({ tokens }: Reply): Json {
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: tokens.cacheRead, cache_write_tokens: tokens.cacheWrite },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + tokens.output,
  };
}
