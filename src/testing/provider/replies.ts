import { defaultReply } from "./default-reply.ts";
import { roughTokens, type TokenCounter } from "./tokens.ts";
import type { Script, ScriptedReply, SimulatedCall } from "./types.ts";

/** What will be said to a call: the script's word, else the simulation's, cut to the call's limit of tokens. */
export interface DecidedReply {
  readonly text: string;
  readonly cites: readonly string[];
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
  const whole = scripted.text ?? (scripted.stop === "refusal" ? "" : defaultReply(call));
  const text = call.maxTokens === undefined ? whole : counter.first(whole, call.maxTokens);
  const stop = scripted.stop ?? (text.length < whole.trimEnd().length ? "length" : "end");
  return {
    text,
    cites: scripted.cites ?? [],
    stop,
    delayMs: scripted.delayMs,
    cut: scripted.cut ?? false,
    outputTokens: Math.max(1, counter.count(text)),
  };
}
