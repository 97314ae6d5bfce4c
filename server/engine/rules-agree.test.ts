// A form and the store decide and compute alike on generated dictionaries, and no expression is an exception.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Problem } from "../../core/contract/problems.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { compute } from "../../core/dictionary/computed.ts";
import { compileExpression } from "../../core/dictionary/expressions.ts";
import { isSame } from "../../core/dictionary/kinds.ts";
import { problemsOfRules, withDefaults } from "../../core/dictionary/rules.ts";
import { type Fields, validateRecord } from "../../core/dictionary/validate.ts";
import { changes, conditions, conditionsOfFields, formulas, packageWith, records, rules } from "../testing/rule-generator.ts";
import { planWrite } from "./plan-write.ts";
import type { WriteOp } from "./store.ts";

const RUNS = Number(process.env.RULE_RUNS ?? 500); // 100,000 in the deep run
const by = { type: "key", id: "k1", name: "test" } as const;
const stamp = { at: "2026-11-29T10:00:00.000Z", by };
const [today, me] = ["2026-11-29", by];

function collectionWith(own: readonly object[], more: Record<string, object> = {}, computed: readonly object[] = []): Collection {
  const read = readDataPackage(packageWith(own, more, computed));
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections[0] as Collection;
}

/** Names the broken rules as the service decides them, or has the record. */
function decided(collection: Collection, op: WriteOp, stored: Fields | undefined): { broken: string[]; record?: object } {
  const current = stored && { ...stored, id: 1, version: 1, createdAt: stamp.at, updatedAt: stamp.at, createdBy: by, updatedBy: by };
  const known = { records: new Map(current ? [[1, current]] : []), tombstones: new Map(), deletions: new Map(), holders: new Map() };
  const [decision] = planWrite(collection, [{ ...op, id: 1 } as Parameters<typeof planWrite>[1][0]], known, stamp);
  if (decision?.outcome === "failed") return { broken: namesOf(decision.failure.problems) };
  return { broken: [], ...(decision && "record" in decision && { record: valuesOf(collection, decision.record) }) };
}

const valuesOf = ({ fields, key }: Collection, record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(fields.flatMap((field) => (field === key ? [] : [[field.name, record[field.name] ?? null]])));

const namesOf = (problems: readonly Pick<Problem, "code" | "rule" | "constraint" | "field">[] = []) =>
  problems.map(({ code, rule, constraint = "", field }) => `${code} ${rule ?? field} ${constraint}`);

/** Does so as a form does, which knows the stored record. */
function checked(collection: Collection, given: Fields, stored: Fields | undefined): ReturnType<typeof decided> {
  const isNew = stored === undefined;
  const { problems, record: valid } = validateRecord(collection, given, { from: "json", partial: !isNew, isNew });
  if (problems) return { broken: namesOf(problems) };
  const filled = isNew ? withDefaults(collection, { record: valid, old: null, me, today }) : { record: valid, problems: [] };
  if (filled.problems.length > 0) return { broken: namesOf(filled.problems) };
  const record: Fields = { ...stored, ...filled.record };
  const differing = () => stored && new Set(Object.keys(record).filter((name) => !isSame(record[name] ?? null, stored[name] ?? null)));
  if (differing()?.size === 0) return { broken: [], record: valuesOf(collection, record) };
  const ofComputed = compute(collection, record, today, differing());
  const ofRules = problemsOfRules(collection, { record, old: stored ?? null, me, today }, differing());
  const broken = namesOf([...ofComputed, ...ofRules]);
  return { broken, ...(broken.length === 0 && { record: valuesOf(collection, record) }) };
}

test("form and store agree on a new record and on a change", () => {
  let broken = 0;
  fc.assert(
    fc.property(rules, formulas, conditionsOfFields, records, changes, (own, computed, more, record, change) => {
      const collection = collectionWith(own, more, computed);
      const post = { verb: "post", id: 1, onConflict: "error", onMissing: "create" } as const;
      const whole = validateRecord(collection, record, { from: "json", isNew: true });
      const made = decided(collection, { ...post, given: whole.record ?? whole.valid, ...problemsIn(whole) }, undefined);
      expect(made).toEqual(checked(collection, record, undefined));
      const stored: Fields = { ...record, name: "a" };
      compute(collection, stored, today);
      const part = validateRecord(collection, change, { from: "json", partial: true });
      const changed = decided(collection, { verb: "patch", id: 1, given: part.record ?? part.valid, ...problemsIn(part) }, stored);
      expect(changed).toEqual(checked(collection, change, stored));
      if (made.broken.length + changed.broken.length > 0) broken++;
    }),
    { numRuns: RUNS },
  );
  expect(broken).toBeGreaterThan(RUNS / 10);
}, 3_600_000);

function problemsIn({
  problems,
  refused,
}: ReturnType<typeof validateRecord> & { refused?: Fields }): Pick<WriteOp, "problems" | "refused"> {
  return problems ? { problems, refused: refused ?? {} } : {};
}

test("no text is an exception: it is an expression or has a place where it is wrong", () => {
  const fields = collectionWith([]).fields;
  const parts = fc.constantFrom(
    "name",
    "amount",
    "(",
    ")",
    "==",
    "&&",
    " ",
    '"',
    "'",
    "\\",
    "old",
    ".",
    "in",
    "[",
    "1e999",
    "-",
    "?",
    ":",
    "//",
    "🦊",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(parts, { maxLength: 12 }).map((all) => all.join("")),
    conditions,
  );
  fc.assert(
    fc.property(text, records, (source, record) => {
      const compiled = compileExpression(source, fields);
      if (compiled.status === "wrong") expect([compiled.at >= 1, compiled.message.length > 0]).toEqual([true, true]);
      else expect(["string", "number", "boolean", "object"]).toContain(typeof compiled.run({ record, old: null, me: null, today }));
    }),
    { numRuns: RUNS * 2 },
  );
}, 3_600_000);
