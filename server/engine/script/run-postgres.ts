import type { Result, Script } from "./script.ts";

/** Asks as PostgreSQL's connections do: rows come as arrays, in the order of the select. */
type Query = (sql: string, parameters: readonly unknown[]) => Promise<unknown>;

/** Runs a script with the queries of a transaction, or with single reads; it waits after each statement. */
export async function runOn<T>(query: Query, script: Script<T>): Promise<T> {
  let step = script.next();
  while (!step.done) step = script.next((await query(step.value.sql, step.value.parameters)) as Result);
  return step.value;
}
