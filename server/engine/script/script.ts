// Statements that SQLite and PostgreSQL both understand, so that accounts and sessions are written once for both.

export type Cell = string | number | null | Uint8Array;

export interface Statement {
  /** Has $1, $2 … for the parameters. It has one result at most, no RETURNING and no booleans. */
  sql: string;
  parameters: readonly Cell[];
  /** Many rows, which each engine takes in its own way. Then `sql` is "INSERT INTO table (columns)", and the script is told nothing of them. */
  rows?: InsertedRows;
}

/** `of`: what the first column has in all of them. `types`: of the others, as PostgreSQL names them. `onConflict`: the rest of the statement, or empty. */
export interface InsertedRows {
  of: string;
  types: readonly ("bigint" | "bytea")[];
  cells: readonly (readonly Cell[])[];
  onConflict: string;
}

export interface Result {
  /** Cells in the order of the select. */
  rows: readonly (readonly Cell[])[];
  /** Rows found or written. */
  count: number;
}

/**
 * A transaction, or a read, as a generator: it yields statements and is handed their results. SQLite runs it without a pause, in
 * one turn of its thread; PostgreSQL waits after each statement.
 */
export type Script<T> = Generator<Statement, T, Result>;

/** Runs one statement of a script. */
export function* ask(sql: string, ...parameters: readonly Cell[]): Script<Result> {
  return yield { sql, parameters };
}

/** Inserts rows. `into`: the table with its columns. */
export function* insertRows(into: string, rows: InsertedRows): Script<void> {
  if (rows.cells.length > 0) yield { sql: `INSERT INTO ${into}`, parameters: [], rows };
}

const ONE = new Uint8Array([1]);

/**
 * Keeps every other transaction, in any process, from going past the lock of the same name until this one ends: what is counted after it
 * stays so. It is for a script that writes.
 */
export function* lockByName(name: string): Script<void> {
  const sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  yield* ask(sql, name, ONE);
}

export function runScript<T>(script: Script<T>, run: (statement: Statement) => Result): T {
  let step = script.next();
  while (!step.done) step = script.next(run(step.value));
  return step.value;
}

// biome-ignore lint/suspicious/noExplicitAny: each script names its own arguments
export type Scripts = Record<string, (...args: any[]) => Script<unknown>>;

/** The functions that scripts become for their callers. */
export type Runnable<Table extends Scripts> = {
  [Name in keyof Table]: (...args: Parameters<Table[Name]>) => Promise<ReturnType<Table[Name]> extends Script<infer T> ? T : never>;
};

/** Makes each script a function that is run by `run`. */
export function runnable<Table extends Scripts>(
  table: Table,
  run: (name: string, args: readonly unknown[]) => Promise<unknown>,
): Runnable<Table> {
  const functions = Object.keys(table).map((name) => [name, (...args: unknown[]) => run(name, args)]);
  return Object.fromEntries(functions) as Runnable<Table>;
}

/** Returns the script with this name, for whoever is told it by `runnable`, perhaps in another thread. */
export function scriptNamed(table: Scripts, name: string, args: readonly unknown[]): Script<unknown> {
  const script = table[name];
  if (!script) throw new Error(`there is no script ${name}`);
  return script(...args);
}
