// Decides what an error of PostgreSQL or of a connection to it means: repeat, give up for now, or a bug.

import { StoreFull, StoreUnavailable } from "../store.ts";

/** Another transaction changed what this one has read. */
export class WriteConflict extends Error {}

export const LOCK_NOT_AVAILABLE = "55P03"; // somebody else has held the lock for longer than lock_timeout

/** Returns SQLSTATE or errno; empty where the error has neither. */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

// SQLSTATE: serialization failure, deadlock; a unique value that another transaction has taken, which the next attempt will read.
export function isConflict(error: unknown): boolean {
  return error instanceof WriteConflict || ["40001", "40P01", "23505"].includes(codeOf(error));
}

/**
 * Is true where the connection broke, the server is shutting down (class 08, 57P01 to 57P05), or it is a standby (25006): then
 * another connection may lead to the server that has become the primary.
 */
export function isBroken(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08...|57P0[1-5]|25006)$/.test(code)) return true;
  if (/^E(?!RR_)[A-Z_]+$/.test(code)) return true; // ECONNRESET and its like, not ERR_INVALID_ARG_TYPE
  return code === "" && /connection|timeout|not queryable/i.test((error as Error).message ?? "");
}

/** Returns StoreUnavailable for errors of the server rather than of our SQL: too many connections, timeouts, a changed password. */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (codeOf(error) === "53100") return new StoreFull("the disk of the database is full", { cause: error });
  const isServerError = isBroken(error) || /^(28...|3D000|53...|55P03|57014|58...)$/.test(codeOf(error));
  return isServerError ? new StoreUnavailable("the store cannot be used", { cause: error }) : error;
}

/**
 * Says whether a column or table is not there, or of another type. Our own statements name them as their dictionary has them, so it is a bug
 * unless another dictionary was applied meanwhile.
 */
export function isOfOtherTables(error: unknown): boolean {
  return /^(42703|42P01|42804|22P02)$/.test(codeOf(error));
}
