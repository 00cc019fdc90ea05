import { type GenerateRequest, generate } from "../llm/ai.ts";
import type { LanguageModel, Usage } from "../spec/index.ts";
import { NO_USAGE } from "../spec/index.ts";
import { fingerprint } from "../util/hash.ts";
import { addUsage } from "../util/usage.ts";
import type { Journal } from "./journal.ts";

/** A model that evaluation calls, and what its replies are asked for. */
export interface PaidModel {
  readonly model: LanguageModel;
  /** Name for messages and the journal, e.g. "anthropic:claude-haiku-4-5". */
  readonly modelId: string;
  /** What is asked for; one journal may hold replies of several purposes. */
  readonly purpose: string;
  /** Changes with the words of the prompt; replies to others are not taken up again. */
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
}

export interface PaidCalls {
  /**
   * The reply as the schema describes it; null when it was of another form. `again` tells repeated runs of one prompt
   * apart.
   */
  ask(
    system: string,
    prompt: string,
    schema: NonNullable<GenerateRequest["schema"]>,
    again?: number,
  ): Promise<unknown>;
  /** Of the calls that were made; what the journal had is not in it. */
  usage(): Usage;
}

/** Calls of a model that are paid for once: what the journal has is taken from it. */
export function paidCalls(
  { model, modelId, purpose, version, signal }: PaidModel,
  journal: Journal,
): PaidCalls {
  let usage = NO_USAGE;
  return {
    usage: () => usage,
    async ask(system, prompt, schema, again = 0) {
      const repeated = again === 0 ? [] : [String(again)];
      const key = fingerprint([purpose, modelId, version, system, prompt, ...repeated]);
      const known = journal.get(key);
      if (known !== undefined) return known.reply;
      signal?.throwIfAborted();
      const reply = await generate({
        model,
        modelId,
        system,
        prompt,
        schema,
        maxOutputTokens: 1_000,
        signal,
      });
      const entry = { key, reply: reply.object ?? null, usage: reply.usage };
      journal.put(entry);
      usage = addUsage(usage, reply.usage);
      return entry.reply;
    },
  };
}
