import { type ErrorCode, isKonteksError, type Store } from "../spec/index.ts";
import type { Outcome } from "./report.ts";

type Refused = Extract<Outcome, { reason: string }>;

/** A file that could not be read, as it was when that was tried. */
interface Refusal extends Refused {
  readonly source: string;
  /** What it was read from and with; equal ones end equally. */
  readonly key: string;
}

/** Files of an index that could not be read: they are told again in every run, but tried again only when they change. */
export interface Refusals {
  /** How reading ended the last time, if the same would be read in the same way. */
  of(id: string, key: string | undefined): Refused | undefined;
  add(id: string, key: string | undefined, outcome: Outcome): void;
  /** Keeps those of this run, and those of other sources. */
  save(): Promise<void>;
}

const SETTING = "refusals";

/** Errors that say something of the file; others (a full disk, a server that is down) may be gone the next time. */
export function isRefusal(error: unknown): boolean {
  return isKonteksError(error) && OF_FILES.has(error.code);
}

const OF_FILES: ReadonlySet<ErrorCode> = new Set([
  "unsupported-format",
  "no-text",
  "encrypted",
  "unreadable",
]);

export async function openRefusals(store: Store, source: string): Promise<Refusals> {
  const saved = (await store.readSetting(SETTING)) ?? "{}";
  const before: Readonly<Record<string, Refusal>> = JSON.parse(saved);
  const now = new Map<string, Refusal>();
  return {
    of(id, key) {
      const refusal = before[id];
      if (key === undefined || refusal?.key !== key) return undefined;
      now.set(id, refusal);
      const { status, reason } = refusal;
      return { status, reason, unchanged: true };
    },
    add(id, key, outcome) {
      if (key === undefined || !("reason" in outcome)) return;
      now.set(id, { source, key, status: outcome.status, reason: outcome.reason });
    },
    async save() {
      const others = Object.entries(before).filter(([, refusal]) => refusal.source !== source);
      const text = JSON.stringify(Object.fromEntries([...others, ...now]));
      // An index without a document has nothing to keep them in yet.
      if (text !== saved && (await store.readIdentity()) !== undefined)
        await store.writeSetting(SETTING, text);
    },
  };
}
