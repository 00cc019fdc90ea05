export type { AnalyzeStored } from "./analyze-stored.ts";
export { type Compaction, type CompactOptions, compactSqliteStore } from "./compact.ts";
export { openSqliteContextStore, type SqliteContextStoreOptions } from "./context-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./store.ts";
export { type Verification, type VerifyOptions, verifySqliteStore } from "./verify.ts";
