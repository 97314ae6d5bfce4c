import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { StoreOpenError, StoreUnavailable } from "../engine/store.ts";
import { StartError } from "../open-store.ts";

/** Says whether the message alone tells the user what to do. Any other error is printed with its stack. */
export function isExplained(error: unknown): error is Error {
  return error instanceof StartError || error instanceof StoreOpenError || error instanceof StoreUnavailable;
}

/** Returns the exit code of a command after this error. */
export function exitCodeOf(error: unknown): number {
  return error instanceof DictionaryRefused ? DictionaryRefused.EXIT_CODE : 1;
}
