import type { Reranker } from "../../spec/index.ts";
import type { ResolveOptions } from "../load-provider.ts";
import { resolveReranker } from "./resolve.ts";
import type { RerankingModel } from "./sdk.ts";

/** Rerankers by name, each made once: one of this machine holds its model in memory until it is closed. */
export interface KeptRerankers {
  /** Errors: those of `resolveReranker`; the next call tries again. */
  resolve(wanted: string | Reranker | RerankingModel): Promise<Reranker>;
  close(): Promise<void>;
}

export function keepRerankers(options: ResolveOptions): KeptRerankers {
  const kept = new Map<string, Promise<Reranker>>();
  return {
    resolve(wanted) {
      if (typeof wanted !== "string") return resolveReranker(wanted, options);
      const known = kept.get(wanted);
      if (known !== undefined) return known;
      const made = resolveReranker(wanted, options);
      kept.set(wanted, made);
      made.catch(() => kept.delete(wanted));
      return made;
    },
    async close() {
      for (const reranker of await Promise.allSettled(kept.values())) {
        if (reranker.status === "fulfilled" && isClosable(reranker.value)) await reranker.value.close();
      }
    },
  };
}

function isClosable(reranker: Reranker): reranker is Reranker & { close(): Promise<void> } {
  return "close" in reranker && typeof reranker.close === "function";
}
