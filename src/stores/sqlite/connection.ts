import type { SQLInputValue, StatementSync } from "node:sqlite";
import { isKonteksError } from "../../spec/index.ts";
import { closedError, readOnlyError, storeError } from "./errors.ts";
import type { Database } from "./node-sqlite.ts";

/** Value bound to a statement. */
export type SqlValue = SQLInputValue;

/**
 * One open SQLite file. Statements are prepared once; every error passes through `storeError`. Statements run inside
 * `reading` (one snapshot, whatever other processes commit meanwhile) or `writing` (one commit, or none of it).
 */
export interface Connection {
  readonly path: string;
  readonly readOnly: boolean;
  /** Grows when the file had to be opened anew (`Renew`): what SQLite says of changes is then about another connection. */
  readonly openings: number;
  run(sql: string, ...values: SqlValue[]): { readonly changes: number; readonly key: number };
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  reading<T>(work: () => T): T;
  writing<T>(work: () => T): T;
  /** The same, but gives undefined at once while another process writes; `work` was not begun then. */
  tryWriting<T>(work: () => T): { readonly result: T } | undefined;
  /** A statement outside of any transaction (checkpoints and the like). */
  exec(sql: string): void;
  close(): void;
}

/** Gives another connection where the present one reads a file as if it never changed, and it did. */
export type Renew = () => Database | undefined;

/** How often a read is made again because the file changed under it. */
const MOST_TRIES = 5;

export function connect(first: Database, path: string, readOnly: boolean, renew?: Renew): Connection {
  let open = true;
  const handle = handleOf(first, renew);

  function guarded<T>(work: () => T): T {
    if (!open) throw closedError(path);
    try {
      return work();
    } catch (error) {
      throw storeError(error, path);
    }
  }

  function writing<T>(work: () => T): T {
    if (open && readOnly) throw readOnlyError(path);
    return guarded(() => transaction(handle, "BEGIN IMMEDIATE", work));
  }

  return {
    path,
    readOnly,
    get openings() {
      return handle.openings;
    },
    run: (sql, ...values) =>
      guarded(() => {
        const { changes, lastInsertRowid } = handle.statement(sql).run(...values);
        return { changes: Number(changes), key: Number(lastInsertRowid) };
      }),
    get: <Row>(sql: string, ...values: SqlValue[]) =>
      guarded(() => handle.statement(sql).get(...values) as Row | undefined),
    all: <Row>(sql: string, ...values: SqlValue[]) =>
      guarded(() => handle.statement(sql).all(...values) as Row[]),
    reading: (work) => guarded(() => unchanged(handle, () => transaction(handle, "BEGIN", work))),
    writing,
    tryWriting: (work) => withoutWaiting(handle.database, work, writing),
    exec: (sql) => guarded(() => handle.database.exec(sql)),
    close() {
      if (!open) return;
      open = false;
      handle.database.close();
    },
  };
}

/** The file as it is open at the moment. */
interface Handle {
  readonly database: Database;
  readonly openings: number;
  /** Prepared once. */
  statement(sql: string): StatementSync;
  /** Opens the file anew where it changed in a way that the present connection does not see; whether it did. */
  renewed(): boolean;
}

function handleOf(first: Database, renew: Renew | undefined): Handle {
  let database = first;
  let statement = preparedOnce(first);
  let openings = 1;
  return {
    get database() {
      return database;
    },
    get openings() {
      return openings;
    },
    statement: (sql) => statement(sql),
    renewed() {
      const next = renew?.();
      if (!next) return false;
      database.close();
      database = next;
      statement = preparedOnce(next);
      openings++;
      return true;
    },
  };
}

function transaction<T>({ database, statement }: Handle, begin: string, work: () => T): T {
  statement(begin).run();
  try {
    const result = work();
    statement("COMMIT").run();
    return result;
  } catch (error) {
    // SQLite has already rolled back by itself after a full disk and the like.
    if (database.isTransaction) statement("ROLLBACK").run();
    throw error;
  }
}

/** Does `work`, which only reads, over a file that was the same before and after it. */
function unchanged<T>(handle: Handle, work: () => T): T {
  handle.renewed();
  for (let tries = 1; ; tries++) {
    const [result, error] = outcome(work);
    if (tries < MOST_TRIES && handle.renewed()) continue;
    if (error) throw error.thrown;
    return result as T;
  }
}

function outcome<T>(work: () => T): [T, undefined] | [undefined, { readonly thrown: unknown }] {
  try {
    return [work(), undefined];
  } catch (thrown) {
    return [undefined, { thrown }];
  }
}

/** Gives up where another process writes, before `work` is begun. */
function withoutWaiting<T>(
  database: Database,
  work: () => T,
  writing: (work: () => T) => T,
): { readonly result: T } | undefined {
  if (!database.isOpen) return { result: writing(work) };
  const { timeout } = database.prepare("PRAGMA busy_timeout").get() as { timeout: number };
  database.exec("PRAGMA busy_timeout = 0");
  let begun = false;
  const noted = () => {
    begun = true;
    return work();
  };
  try {
    return { result: writing(noted) };
  } catch (error) {
    if (!begun && isKonteksError(error, "index-locked")) return undefined;
    throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

function preparedOnce(database: Database): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    const prepared = database.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  };
}
