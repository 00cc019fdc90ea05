import type { GenerateReply } from "../../llm/ai.ts";

/** The context in a reply, or why there is none. */
export function contextOfReply(
  reply: GenerateReply,
  maxTokens: number,
): { readonly text: string } | { readonly error: string } {
  const text = reply.text.trim();
  if (reply.finishReason === "refused" || isRefusal(text))
    return { error: "The model refused to write a context." };
  if (reply.finishReason === "length") return { error: `The reply was cut off at ${maxTokens} tokens.` };
  if (text === "") return { error: "The model gave a blank reply." };
  return { text };
}

/** How refusals begin; a context that situates a chunk does not begin so. */
function isRefusal(text: string): boolean {
  return /^(i'?m sorry|i am sorry|sorry,|i apologi[sz]e|i can(?:no|'|’)t |i am unable|i'?m unable|as an ai\b)/i.test(
    text,
  );
}
