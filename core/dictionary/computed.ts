// Computes values out of the others of their record. All who write or check records ask here, so that they cannot differ.

import type { Problem } from "../contract/problems.ts";
import type { Result, Scope } from "./expression-values.ts";
import { compileExpression } from "./expressions.ts";
import type { Field } from "./fields.ts";
import { KIND_TRAITS, type Value } from "./kinds.ts";
import { isProblem, validateValue, valueOfKind } from "./validate.ts";

interface WithFields {
  name: string;
  fields: readonly Field[];
}

/** The formula of a field, compiled. */
export interface Formula {
  /** The field, as one that may be written. */
  field: Field;
  /** All fields that it reads, also through other formulas. */
  reads: ReadonlySet<string>;
  /** Its value may be another one tomorrow. */
  readsToday: boolean;
  run(scope: Scope): Result;
}

const MOST_TEXT = 10_000; // characters. Each of a chain of formulas may write the text of the one before it a hundred times

const compiled = new WeakMap<WithFields, readonly Formula[]>();

/** Compiles the formulas of a collection once, each after those whose values it reads. */
export function formulasOf(collection: WithFields): readonly Formula[] {
  const known = compiled.get(collection);
  if (known) return known;
  const ordered = orderFormulas(collection.fields);
  if ("circle" in ordered) throw new Error(`the formulas of ${collection.name} were not checked: ${ordered.circle.join(", ")}`);
  compiled.set(collection, ordered.formulas);
  return ordered.formulas;
}

/** Puts each formula after those that it reads, or names the fields that are computed of each other. Formulas with mistakes are left out. */
export function orderFormulas(fields: readonly Field[]): { formulas: Formula[] } | { circle: string[] } {
  const done = new Map<string, Formula>();
  const circle = fields.map((field) => follow(field, [])).find((found) => found !== undefined);
  return circle ? { circle } : { formulas: [...done.values()] };

  function follow(field: Field, above: readonly string[]): string[] | undefined {
    const { name, computed } = field;
    if (computed === undefined || done.has(name)) return undefined;
    if (above.includes(name)) return above.slice(above.indexOf(name));
    const expression = compileExpression(computed, fields);
    if (expression.status === "wrong") return undefined;
    const { reads, readsToday, run } = expression;
    for (const read of fields.filter((one) => reads.has(one.name))) {
      const found = follow(read, [...above, name]);
      if (found) return found;
    }
    const through = [...reads].flatMap((read) => done.get(read) ?? []);
    const all = new Set([...reads, ...through.flatMap((one) => [...one.reads])]);
    const { readOnly: _, ...written } = field;
    done.set(name, { field: written, reads: all, readsToday: readsToday || through.some((one) => one.readsToday), run });
    return undefined;
  }
}

/**
 * Sets the computed values of a record. Returns a problem for each that breaks a constraint of its field, and is set all the same. `changed`: the
 * names of the fields that a save changes: it is not held to what follows from others.
 */
export function compute(collection: WithFields, record: Record<string, unknown>, today: string, changed?: ReadonlySet<string>): Problem[] {
  const problems: Problem[] = [];
  for (const { field, reads, run } of formulasOf(collection)) {
    const value = fitting(field, run({ record, old: null, me: null, today }));
    const checked = value === null ? null : validateValue(field, value, "json");
    const kept = isProblem(checked) ? valueOfKind(field, value, "json") : checked;
    record[field.name] = isProblem(kept) ? null : kept;
    if (isProblem(checked) && (!changed || [...reads].some((name) => changed.has(name)))) problems.push(checked);
  }
  return problems;
}

/** Rounds a number as the field says. Null for what no value of its kind can be. */
function fitting({ kind, decimals }: Field, result: Result): Value | null {
  if (typeof result === "string") return result.length > MOST_TEXT ? null : result;
  if (typeof result !== "number") return result;
  const { schema, fromJson } = KIND_TRAITS[kind];
  const digits = schema.type === "integer" ? 0 : decimals;
  return fromJson(digits === undefined ? result : rounded(result, digits)) ?? null;
}

/** Rounds half away from zero, by the digits that people see: 1.005 is 1.01. */
function rounded(number: number, digits: number): number {
  const moved = (value: number, by: number) => {
    const [mantissa, exponent = "0"] = String(value).split("e");
    return Number(`${mantissa}e${Number(exponent) + by}`);
  };
  return Math.sign(number) * moved(Math.round(moved(Math.abs(number), digits)), -digits) + 0; // -0 is 0
}
