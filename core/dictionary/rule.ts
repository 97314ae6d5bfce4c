// Declares a rule of a collection, as the data package has it.

import type { Problem } from "../contract/problems.ts";
import type { Acknowledged } from "../contract/records.ts";

/** A demand on several fields of a record. It crosses to workers, so its expressions are texts. */
export interface Rule {
  name: string;
  /** The rule is asked only where this is true; without it always. */
  when?: string;
  must: string;
  severity?: Severity;
  /** A whole sentence for people. */
  message: string;
  translations?: Readonly<Record<string, { message?: string }>>;
  /** The fields at which the message stands; without it those that `must` reads. */
  fields?: readonly string[];
}

/** error: a record that breaks the rule is refused. warning: it is stored once whoever writes has confirmed that it is meant so. */
export type Severity = "error" | "warning";

/** Leaves out the warnings that are confirmed. */
export function unconfirmed(problems: readonly Problem[], acknowledged: Acknowledged = []): Problem[] {
  return problems.filter(({ code, rule = "" }) => code !== "WARNING" || (acknowledged !== "all" && !acknowledged.includes(rule)));
}
