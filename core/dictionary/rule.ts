// Declares a rule of a collection, as the data package has it.

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

export type Severity = "error" | "warning";
