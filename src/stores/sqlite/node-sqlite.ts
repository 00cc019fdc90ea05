import { KonteksError } from "../../spec/index.ts";

export type Sqlite = typeof import("node:sqlite");
export type Database = InstanceType<Sqlite["DatabaseSync"]>;

let loaded: Sqlite | undefined;

/**
 * Node's own SQLite, loaded on first use so that importing konteks stays light. Node 22 announces the module as
 * experimental on standard error; that one line is kept from the user, every other warning passes.
 */
export function nodeSqlite(): Sqlite {
  loaded ??= withoutSqliteWarning(() => process.getBuiltinModule("node:sqlite"));
  if (loaded) return loaded;
  throw new KonteksError(
    "wrong-option",
    `Node ${process.version} has no built-in SQLite. Install Node 22.18 or newer.`,
  );
}

function withoutSqliteWarning<T>(work: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes("SQLite is an experimental feature")) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  }) as typeof process.emitWarning;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
