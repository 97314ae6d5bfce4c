// Holds form, file, store and scan to the same answers on generated dictionaries.

import fc from "fast-check";
import { expect } from "vitest";
import type { Problem } from "../../core/contract/problems.ts";
import { askRulesOfNew, loadRules } from "../../core/dictionary/ask-rules.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { compute } from "../../core/dictionary/computed.ts";
import { compileExpression } from "../../core/dictionary/expressions.ts";
import { isSame } from "../../core/dictionary/kinds.ts";
import { brokenRules, problemsOfRules, withDefaults } from "../../core/dictionary/rules.ts";
import { type Fields, validateRecord } from "../../core/dictionary/validate.ts";
import { planWrite } from "../engine/plan-write.ts";
import type { WriteOp } from "../engine/store.ts";
import { changes, conditions, conditionsOfFields, formulas, packageWith, records, rules } from "./rule-generator.ts";

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

/** Makes `runs` dictionaries, each with a new record and a change of it. */
export async function expectAgreement(runs: number): Promise<void> {
  await loadRules({ hasRules: true });
  let broken = 0;
  fc.assert(
    fc.property(rules, formulas, conditionsOfFields, records, changes, (own, computed, more, record, change) => {
      const collection = collectionWith(own, more, computed);
      const post = { verb: "post", id: 1, onConflict: "error", onMissing: "create" } as const;
      const whole = validateRecord(collection, record, { from: "json", isNew: true });
      const made = decided(collection, { ...post, given: whole.record ?? whole.valid, ...problemsIn(whole) }, undefined);
      expect(made).toEqual(checked(collection, record, undefined));
      if (whole.record) expectOfFile(collection, whole.record, made.broken);
      if (made.record) expect(brokenRules(collection, { ...made.record, id: 1 }, today)).toEqual([]);
      const stored: Fields = { ...record, name: "a" };
      compute(collection, stored, today);
      const part = validateRecord(collection, change, { from: "json", partial: true });
      const changed = decided(collection, { verb: "patch", id: 1, given: part.record ?? part.valid, ...problemsIn(part) }, stored);
      expect(changed).toEqual(checked(collection, change, stored));
      if (made.broken.length + changed.broken.length > 0) broken++;
    }),
    { numRuns: runs },
  );
  expect(broken).toBeGreaterThan(runs / 10);
}

/** The check of a file, which knows nobody, finds what the service does, but for what depends on who writes. */
function expectOfFile(collection: Collection, record: Fields, broken: readonly string[]): void {
  const found = namesOf(askRulesOfNew(collection, { ...record }, today));
  expect(broken).toEqual(expect.arrayContaining(found));
  const readsMe = [...(collection.rules ?? []), ...collection.fields].some((one) => JSON.stringify(one).includes("me."));
  if (!readsMe) expect(found).toEqual(broken);
}

function problemsIn({
  problems,
  refused,
}: ReturnType<typeof validateRecord> & { refused?: Fields }): Pick<WriteOp, "problems" | "refused"> {
  return problems ? { problems, refused: refused ?? {} } : {};
}

/** Every text is an expression or has a place where it is wrong. */
export function expectNoException(runs: number): void {
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
    { numRuns: runs },
  );
}
