// Words of a problem for the sender of a file: the app's ask whoever sits at a form to enter something.

import type { Collection } from "../../core/dictionary/collections.ts";

interface AnyProblem {
  /** Is empty for a problem of the whole record. */
  field: string;
  code: string;
  message: string;
}

/** @example "Last name has no value, and each record needs one." in place of "Enter the last name." */
export function fileWords({ field, code, message }: AnyProblem, { byName }: Pick<Collection, "byName">): string {
  if (code !== "REQUIRED") return message;
  return `${byName.get(field)?.title ?? field} has no value, and each record needs one.`;
}
