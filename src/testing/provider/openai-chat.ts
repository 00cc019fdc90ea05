/** OpenAI's Chat Completions API ("Create chat completion", "The chat completion chunk object"). */
import { asList, asNumber, asObject, asText, type Json, piecesOf, textOfContent } from "./json.ts";
import { blocksOfContent, isSystemRole, splitMessages } from "./openai-messages.ts";
import type { ProviderError, ReadRequest, Reply, StreamEvent, TextProtocol } from "./types.ts";

export const openaiChat: TextProtocol = { read, write, stream };

function read(body: Json): ReadRequest | ProviderError {
  const all = asList(body.messages).map((message) => {
    const { role, content } = asObject(message);
    return { role: asText(role) ?? "", text: textOfContent(content), blocks: blocksOfContent(content) };
  });
  if (all.length === 0) return { status: 400, message: "Missing required parameter: 'messages'." };
  const odd = all.find(({ role }) => !isSystemRole(role) && role !== "user" && role !== "assistant");
  if (odd)
    return { status: 400, message: `Invalid value: '${odd.role}'. Supported values are: 'system', 'user'.` };
  const structured = asObject(body.response_format).type === "json_schema";
  return splitMessages(all, asNumber(body.max_completion_tokens) ?? asNumber(body.max_tokens), {
    structured,
  });
}

const finishReasons = { end: "stop", length: "length", refusal: "content_filter" } as const;

function write(reply: Reply): Json {
  const content = { role: "assistant", content: reply.text, refusal: null };
  return {
    ...head(reply, "chat.completion"),
    choices: [{ index: 0, message: content, logprobs: null, finish_reason: finishReasons[reply.stop] }],
    usage: usage(reply),
  };
}

/** The usage comes in a last chunk of its own, with `stream_options.include_usage`. */
function stream(reply: Reply): readonly StreamEvent[] {
  const chunk = (delta: Json, finish: string | null) => ({
    data: { ...head(reply, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }] },
  });
  return [
    chunk({ role: "assistant", content: "" }, null),
    ...piecesOf(reply.text).map((content) => chunk({ content }, null)),
    chunk({}, finishReasons[reply.stop]),
    { data: { ...head(reply, "chat.completion.chunk"), choices: [], usage: usage(reply) } },
    { data: "[DONE]" },
  ];
}

function head(reply: Reply, object: string): Json {
  return { id: reply.id, object, created: reply.created, model: reply.model };
}

function usage({ tokens }: Reply): Json {
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.output,
    total_tokens: prompt + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cacheRead, cache_write_tokens: tokens.cacheWrite },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
