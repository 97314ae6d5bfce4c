// The check that all share says and computes of a record what the service does, on its own database.

import fc from "fast-check";
import { expect, test } from "vitest";
import { compute } from "../../../core/dictionary/computed.ts";
import { brokenRules, problemsOfRules, withDefaults } from "../../../core/dictionary/rules.ts";
import { type Fields, validateRecord } from "../../../core/dictionary/validate.ts";
import { changes, conditionsOfFields, formulas, packageWith, records, rules } from "../../testing/rule-generator.ts";
import { openTestService } from "../../testing/service.ts";

const ME = { id: "", name: "" }; // rules that read it are left out
const TRIPLES = 25; // of each dictionary

test("the service answers as core checks, for records that are made and changed", async () => {
  const [ten] = fc.sample(fc.array(fc.tuple(rules, conditionsOfFields, formulas), { minLength: 10, maxLength: 10 }), {
    numRuns: 1,
    seed: 45,
  });
  for (const [own, more, computed] of ten ?? []) {
    if (JSON.stringify([own, more]).includes("me.id")) continue;
    const service = await openTestService(packageWith(own, more, computed));
    const [collection] = service.collections;
    if (!collection) throw new Error("no collection");
    const today = new Date().toISOString().slice(0, 10);
    const samples = fc.sample(fc.tuple(records, changes), { numRuns: TRIPLES, seed: own.length });
    for (const [given, change] of samples) {
      const record: Fields = { ...given, name: "a" };
      const { name: _, ...changed } = change;
      const whole = await service.call("POST", "/v1/things", record);
      const filled = withDefaults(collection, { record: { ...record }, old: null, me: ME, today });
      const first: Record<string, unknown> = filled.record;
      const checked = validateRecord(collection, record, { from: "json", isNew: true }).problems ?? filled.problems;
      const ofFormulas = compute(collection, first, today);
      const ofAll = [...ofFormulas, ...problemsOfRules(collection, { record: first, old: null, me: ME, today })];
      const broken = (checked.length > 0 ? checked : ofAll).map(nameOf);
      expect([whole.status, rulesIn(whole.json)]).toEqual([broken.length > 0 ? 422 : 201, broken]);
      if (broken.length > 0) continue;
      expect(whole.json).toMatchObject(first);
      expect(brokenRules(collection, whole.json, today)).toEqual([]);
      const next: Record<string, unknown> = { ...whole.json, ...changed };
      const differing = () => new Set(Object.keys(next).filter((name) => (next[name] ?? null) !== (whole.json[name] ?? null)));
      const ofComputed = compute(collection, next, today, differing());
      const ofRules = problemsOfRules(collection, { record: next, old: whole.json, me: ME, today }, differing());
      const wrong = validateRecord(collection, changed, { from: "json", partial: true }).problems;
      const broke = (wrong ?? [...ofComputed, ...ofRules]).map(nameOf);
      const part = await service.call("PATCH", `/v1/things/${whole.json.id}`, changed);
      expect([part.status, rulesIn(part.json)]).toEqual([broke.length > 0 ? 422 : 200, broke]);
      if (broke.length === 0) for (const { name } of collection.fields) expect([name, part.json[name]]).toEqual([name, next[name] ?? null]);
    }
    await service.close();
  }
}, 120_000);

const nameOf = ({ code, rule, constraint }: Named) => `${code} ${rule ?? constraint}`;

interface Named {
  code: string;
  rule?: string | undefined;
  constraint?: string | undefined;
}

function rulesIn({ errors = [] }: { errors?: Named[] }): string[] {
  return errors.map(nameOf);
}
