import type { SimilarRecord } from "./duplicates.ts";
import type { ChangedField } from "./merges.ts";
import type { Principal } from "./principals.ts";
import type { PROBLEM_CATALOGUE, VALUE_PROBLEMS } from "./problem-catalogue.ts";

export const PROBLEM_TYPE = "application/problem+json";

/** The codes of problem documents: those that the catalogue explains. */
export type HttpErrorCode = keyof typeof PROBLEM_CATALOGUE;

/** `pointer` (RFC 6901) points into the request body as it was sent. */
export interface ProblemDetail {
  pointer?: string;
  parameter?: string;
  header?: string;
  code: string;
  detail: string;
  /** Names, with RULE and WARNING, the rule in the dictionary. */
  rule?: string;
  /** The condition of the field that asks for a value, or for another one. */
  constraint?: Conditional;
  /** Leads, with ALREADY_EXISTS and DUPLICATE, to the existing record, with IN_USE to the records that refer to it. */
  href?: string;
  /** Counts them, with IN_USE. */
  count?: number;
  /** Holds, with DUPLICATE, the existing record's key, how alike it is, and why. */
  similar?: SimilarRecord;
  /** Stands with one record of many, with status 412. */
  current?: CurrentVersion;
}

/** The record that stands against a write with status 412: who wrote it last and when. Only whoever may read it is told. */
export interface CurrentVersion {
  version: number;
  /** RFC 3339. */
  updatedAt: string;
  updatedBy: Principal | null;
  /** Leads to the record; with `/history` behind it to what was changed. */
  href: string;
}

/** The body of an error response (RFC 9457). */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: HttpErrorCode;
  errors?: ProblemDetail[];
  truncated?: true;
  /** Comes with status 412 about one record that is there. */
  current?: CurrentVersion;
  /** Holds, with MERGE_CHANGED, what whoever takes a merge apart has to decide. */
  fields?: readonly ChangedField[];
  requestId?: string;
}

/** Says why a value is not valid. It never holds the value itself, because problems are logged and sent. */
export interface Problem {
  /** The field's name; for an unknown field the name as it was sent. */
  field: string;
  code: ProblemCode;
  /** A whole sentence for people. */
  message: string;
  /** Names the rule, with RULE and WARNING. Its problem stands at each of its fields. */
  rule?: string | undefined;
  /** The condition of the field that is broken, which reads other fields. */
  constraint?: Conditional | undefined;
  /** Comes with READ_ONLY of a field with several files: what the record has already may be put in another order, or taken out. */
  ownFiles?: true;
}

/** The conditions of a field that a record can break. */
export type Conditional = (typeof CONDITIONALS)[number];
export const CONDITIONALS = ["requiredIf", "choicesIf"] as const;

export type ProblemCode = keyof typeof VALUE_PROBLEMS;
