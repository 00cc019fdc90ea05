/** Anthropic's Messages API ("Create a Message", "Streaming Messages", "Errors"). */
import { citableDocuments, citationsOf, wrongCitations } from "./anthropic-citations.ts";
import { asList, asNumber, asObject, asText, type Json, parsedOr, piecesOf, textOfContent } from "./json.ts";
import { tokensOf } from "./tokens.ts";
import type {
  CitingText,
  PromptBlock,
  ProviderError,
  ReadRequest,
  Reply,
  StreamEvent,
  TextProtocol,
} from "./types.ts";

export const anthropicMessages: TextProtocol = { read, write, stream };

/** "Errors": types by HTTP status. */
const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

export function anthropicError(error: ProviderError, requestId: string): Json {
  const type = error.type ?? errorTypes[error.status] ?? "api_error";
  return { type: "error", error: { type, message: error.message }, request_id: requestId };
}

/** "Prompt caching": at most four breakpoints. */
const mostBreakpoints = 4;
/** "Context windows": standard window. */
const windowTokens = 200_000;
/** "Models overview": of the models from Claude 5 and Opus 4.7 on. */
const longWindowTokens = 1_000_000;

function read(body: Json): ReadRequest | ProviderError {
  const system = blocksOf(body.system);
  const messages = asList(body.messages).map((message) => {
    const { role, content } = asObject(message);
    return { role: asText(role) ?? "", text: textOfContent(content), blocks: blocksOf(content) };
  });
  const tools = asList(body.tools).map((tool) => ({ text: JSON.stringify(tool), cache: cacheOf(tool) }));
  const blocks = [...tools, ...system, ...messages.flatMap((message) => message.blocks)];
  const wrong = whatIsWrong(body, system, messages, blocks);
  if (wrong !== undefined) return { status: 400, message: wrong };
  return {
    system: system.map(({ text }) => text),
    messages: messages.map(({ role, text }) => ({ role, text })),
    maxTokens: asNumber(body.max_tokens),
    blocks,
    tool: forcedTool(body),
    structured: hasForm(body),
    documents: citableDocuments(body),
  };
}

/** "Structured outputs": a schema in `output_config.format`, earlier `output_format`; or a tool that must be called. */
function hasForm(body: Json): boolean {
  const format = asObject(asObject(body.output_config).format ?? body.output_format);
  return format.type === "json_schema" || forcedTool(body) !== undefined;
}

/** "Define tools", on `tool_choice`: one by name, or any; of several the first is taken here. */
function forcedTool(body: Json): string | undefined {
  const choice = asObject(body.tool_choice);
  if (choice.type === "any") return asText(asObject(asList(body.tools)[0]).name);
  return choice.type === "tool" ? asText(choice.name) : undefined;
}

/** "Migration guide" of these models: forcing a tool call is an error. */
const refusesForcedTools = /claude-(?:(?:sonnet|opus)-5-5|(?:fable|mythos)-5-[12])/;

function whatIsWrong(
  body: Json,
  system: readonly PromptBlock[],
  messages: readonly { readonly role: string; readonly blocks: readonly PromptBlock[] }[],
  blocks: readonly PromptBlock[],
): string | undefined {
  const maxTokens = asNumber(body.max_tokens);
  if (maxTokens === undefined) return "max_tokens: Field required";
  if (maxTokens < 1) return "max_tokens: Input should be greater than or equal to 1";
  if (messages.length === 0) return "messages: at least one message is required";
  const odd = messages.findIndex(({ role }) => role !== "user" && role !== "assistant");
  if (odd >= 0) return `messages.${odd}.role: Input should be 'user' or 'assistant'`;
  if (system.some(({ text }) => text === "")) return "system: text content blocks must be non-empty";
  if (
    messages.some((message) => message.blocks.length === 0 || message.blocks.some(({ text }) => text === ""))
  )
    return "messages: text content blocks must be non-empty";
  const choice = asText(asObject(body.tool_choice).type);
  if ((choice === "tool" || choice === "any") && refusesForcedTools.test(asText(body.model) ?? ""))
    return `tool_choice: type '${choice}' is not supported by this model. Use 'auto' or 'none'.`;
  const uncitable = wrongCitations(body);
  if (uncitable !== undefined) return uncitable;
  const marks = blocks.filter(({ cache }) => cache !== undefined).length;
  if (marks > mostBreakpoints)
    return `A maximum of ${mostBreakpoints} blocks with cache_control may be provided. Found ${marks}.`;
  const tokens = blocks.reduce((sum, { text }) => sum + tokensOf(text), 0);
  const most = /-5|opus-4-[78]/.test((asText(body.model) ?? "").replace(/-4-5/, ""))
    ? longWindowTokens
    : windowTokens;
  return tokens > most ? `prompt is too long: ${tokens} tokens > ${most} maximum` : undefined;
}

function blocksOf(content: unknown): PromptBlock[] {
  if (typeof content === "string") return [{ text: content }];
  return asList(content).map((part) => {
    const fields = asObject(part);
    return { text: asText(fields.text) ?? JSON.stringify(fields), cache: cacheOf(part) };
  });
}

function cacheOf(part: unknown): PromptBlock["cache"] {
  const control = asObject(asObject(part).cache_control);
  if (control.type !== "ephemeral") return undefined;
  return control.ttl === "1h" ? "1h" : "5m";
}

const stopReasons = { end: "end_turn", length: "max_tokens", refusal: "refusal" } as const;

function write(reply: Reply): Json {
  return {
    ...message(reply),
    content: contentOf(reply),
    stop_reason: reply.tool !== undefined && reply.stop === "end" ? "tool_use" : stopReasons[reply.stop],
    usage: usage(reply, reply.tokens.output),
  };
}

/** "Define tools": a forced call comes as a block with the tool's input. A text that is no JSON is an input without fields. */
function contentOf(reply: Reply): readonly Json[] {
  const { text, tool, id } = reply;
  if (tool !== undefined && text !== "")
    return [{ type: "tool_use", id: `toolu_${id}`, name: tool, input: parsedOr(text, {}) }];
  const parts = reply.parts.filter((part) => part.text !== "");
  return parts.map((part) => ({ type: "text", text: part.text, ...citationsOf(part, reply) }));
}

/** "Streaming Messages": the usage in `message_delta` is cumulative. */
function stream(reply: Reply): readonly StreamEvent[] {
  const parts = reply.parts.length === 0 ? [{ text: "", cites: [] }] : reply.parts;
  return [
    event({
      type: "message_start",
      message: { ...message(reply), content: [], stop_reason: null, usage: usage(reply, 1) },
    }),
    event({ type: "ping" }),
    ...parts.flatMap((part, index) => blockEvents(part, index, reply)),
    event({
      type: "message_delta",
      delta: { stop_reason: stopReasons[reply.stop], stop_sequence: null },
      usage: usage(reply, reply.tokens.output),
    }),
    event({ type: "message_stop" }),
  ];
}

/** "Citations", on streaming: each as a delta of its own behind the text of its block. */
function blockEvents(part: CitingText, index: number, reply: Reply): readonly StreamEvent[] {
  const delta = (fields: Json) => event({ type: "content_block_delta", index, delta: fields });
  return [
    event({ type: "content_block_start", index, content_block: { type: "text", text: "" } }),
    ...piecesOf(part.text).map((text) => delta({ type: "text_delta", text })),
    ...(citationsOf(part, reply).citations ?? []).map((citation) =>
      delta({ type: "citations_delta", citation }),
    ),
    event({ type: "content_block_stop", index }),
  ];
}

function event(data: { readonly type: string } & Json): StreamEvent {
  return { event: data.type, data };
}

function message(reply: Reply): Json {
  return { id: reply.id, type: "message", role: "assistant", model: reply.model, stop_sequence: null };
}

/** "Prompt caching": `input_tokens` are those after the last breakpoint; all three together are the prompt. */
function usage({ tokens }: Reply, output: number): Json {
  return {
    input_tokens: tokens.input,
    cache_creation_input_tokens: tokens.cacheWrite,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: output,
    service_tier: "standard",
  };
}
