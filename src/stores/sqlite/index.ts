export { openSqliteContextStore, type SqliteContextStoreOptions } from "./context-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./store.ts";
