import { citingReply, defaultReply } from "./default-reply.ts";
import { roughTokens, type TokenCounter } from "./tokens.ts";
import type { CitingText, Script, ScriptedReply, SimulatedCall } from "./types.ts";

/** What will be said to a call: the script's word, else the simulation's, cut to the call's limit of tokens. */
export interface DecidedReply {
  readonly text: string;
  readonly parts: readonly CitingText[];
  readonly stop: "end" | "length" | "refusal";
  readonly delayMs: number | undefined;
  readonly cut: boolean;
  readonly outputTokens: number;
}

export async function decideReply(
  call: SimulatedCall,
  script: Script | undefined,
  counter: TokenCounter = roughTokens,
): Promise<DecidedReply> {
  const said = typeof script === "function" ? await script(call) : script;
  const scripted: ScriptedReply = typeof said === "string" ? { text: said } : (said ?? {});
  const parts = partsOf(scripted, call);
  const whole = parts.map(({ text }) => text).join("");
  const text = call.maxTokens === undefined ? whole : counter.first(whole, call.maxTokens);
  const stop = scripted.stop ?? (text.length < whole.trimEnd().length ? "length" : "end");
  return {
    text,
    // Of a text that was cut nobody knows what its last words cite.
    parts: text === whole ? parts : [{ text, cites: [] }],
    stop,
    delayMs: scripted.delayMs,
    cut: scripted.cut ?? false,
    outputTokens: Math.max(1, counter.count(text)),
  };
}

function partsOf(
  { parts, text, cites = [], stop }: ScriptedReply,
  call: SimulatedCall,
): readonly CitingText[] {
  if (parts !== undefined) return parts;
  if (text !== undefined || stop === "refusal") return [{ text: text ?? "", cites }];
  return citingReply(call) ?? [{ text: defaultReply(call), cites }];
}
