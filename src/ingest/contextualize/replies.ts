import type { GenerateReply } from "../../llm/ai.ts";
import type { Document } from "../../spec/index.ts";
import { type Fault, faultOf, isRefusal } from "./check.ts";
import { numberOf, type Part, type Target } from "./plan.ts";
import { groupContexts } from "./prompt-grouped.ts";

/** What a reply says of each chunk: a context that passed the checks, or what is wrong. */
export type Judged =
  | { readonly target: Target; readonly text: string }
  | { readonly target: Target; readonly fault: Fault };

/** Undefined when a reply about several chunks does not hold exactly one context for each. */
export function judge(
  reply: GenerateReply,
  part: Pick<Part, "grouped">,
  targets: readonly Target[],
  document: Document | undefined,
  maxTokens: number,
): readonly Judged[] | undefined {
  const texts = textsOf(reply, part, targets);
  if (texts === undefined) return undefined;
  return targets.map((target, index) => {
    const text = (texts[index] ?? "").trim();
    const fault =
      endFault(reply, part, maxTokens) ?? faultOf({ text, chunk: target.chunk.text, document, maxTokens });
    return fault ? { target, fault } : { target, text };
  });
}

function textsOf(
  reply: GenerateReply,
  { grouped }: Pick<Part, "grouped">,
  targets: readonly Target[],
): readonly string[] | undefined {
  if (!grouped) return [reply.text];
  if (reply.finishReason === "refused" || isRefusal(reply.text)) return targets.map(() => reply.text);
  const numbers = targets.map(({ chunk }) => numberOf(chunk));
  const contexts = groupContexts(reply.object ?? parsed(reply.text), numbers);
  return contexts && numbers.map((number) => contexts.get(number) ?? "");
}

/** Servers that know no output form still may have written it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*```(?:json)?|```\s*$/g, () => ""));
  } catch {
    return undefined;
  }
}

function endFault(
  reply: GenerateReply,
  { grouped }: Pick<Part, "grouped">,
  maxTokens: number,
): Fault | undefined {
  if (reply.finishReason === "refused")
    return { kind: "refusal", reason: "The model refused to write a context." };
  if (reply.finishReason === "length" && !grouped)
    return { kind: "cut-off", reason: `The reply was cut off at ${maxTokens} tokens.` };
  return undefined;
}
