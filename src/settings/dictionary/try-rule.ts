// Says of one record what a rule makes of it, and why.

import type { Scope } from "../../../core/dictionary/expression-values.ts";
import { compileCondition, type Expression } from "../../../core/dictionary/expressions.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Rule } from "../../../core/dictionary/rule.ts";

/** "unasked": its condition is not true. "unknown": it cannot be told, so the record does not break it. "wrong": it is none. */
export type Verdict = "broken" | "kept" | "unasked" | "unknown" | "wrong";

export interface TriedRule {
  verdict: Verdict;
  /** The names of the fields that it reads. */
  reads: readonly string[];
  readsOld: boolean;
  readsMe: boolean;
}

export function tryRule({ when, must }: Rule, fields: readonly Field[], scope: Scope): TriedRule {
  const parts = [must, ...(when ? [when] : [])].map((source) => compileCondition(source, fields));
  const compiled = parts.filter((part) => part.status === "compiled");
  const reads = [...new Set(compiled.flatMap((part) => [...part.reads]))];
  const read = { reads, readsOld: compiled.some((part) => part.readsOld), readsMe: compiled.some((part) => part.readsMe) };
  if (compiled.length < parts.length) return { verdict: "wrong", ...read };
  const [demand, condition] = compiled;
  return { verdict: verdictOf(demand, condition, scope), ...read };
}

function verdictOf(demand: Expression | undefined, condition: Expression | undefined, scope: Scope): Verdict {
  if (condition && condition.run(scope) !== true) return "unasked";
  const result = demand?.run(scope);
  return result === null ? "unknown" : result === false ? "broken" : "kept";
}
