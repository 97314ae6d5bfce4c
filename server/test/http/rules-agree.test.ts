// The check that all share says and computes of a record what the service does, on its own database.

import fc from "fast-check";
import { expect, test } from "vitest";
import { compute } from "../../../core/dictionary/computed.ts";
import { brokenRules, problemsOfRules } from "../../../core/dictionary/rules.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { changes, formulas, packageWith, records, rules } from "../../testing/rule-generator.ts";
import { openTestService } from "../../testing/service.ts";

const ME = { id: "", name: "" }; // rules that read it are left out
const TRIPLES = 25; // of each dictionary

test("the service answers as core checks, for records that are made and changed", async () => {
  const [ten] = fc.sample(fc.array(rules, { minLength: 10, maxLength: 10 }), { numRuns: 1, seed: 45 });
  const computed = fc.sample(formulas, { numRuns: 10, seed: 45 });
  for (const [i, own] of (ten ?? []).entries()) {
    if (JSON.stringify(own).includes("me.id")) continue;
    const service = await openTestService(packageWith(own, computed[i] ?? []));
    const [collection] = service.collections;
    if (!collection) throw new Error("no collection");
    const today = new Date().toISOString().slice(0, 10);
    const samples = fc.sample(fc.tuple(records, changes), { numRuns: TRIPLES, seed: own.length });
    for (const [given, change] of samples) {
      const record: Fields = { ...given, name: "a" };
      const { name: _, ...changed } = change;
      const whole = await service.call("POST", "/v1/things", record);
      const first: Record<string, unknown> = { ...record };
      const wrong = compute(collection, first, today);
      const broken = [...wrong, ...problemsOfRules(collection, { record: first, old: null, me: ME, today })].map(({ rule }) => rule);
      expect([whole.status, rulesIn(whole.json)]).toEqual([broken.length > 0 ? 422 : 201, broken]);
      if (broken.length > 0) continue;
      expect(whole.json).toMatchObject(first);
      expect(brokenRules(collection, whole.json, today)).toEqual([]);
      const next: Record<string, unknown> = { ...whole.json, ...changed };
      const differing = () => new Set(Object.keys(next).filter((name) => (next[name] ?? null) !== (whole.json[name] ?? null)));
      const ofComputed = compute(collection, next, today, differing());
      const ofRules = problemsOfRules(collection, { record: next, old: whole.json, me: ME, today }, differing());
      const broke = [...ofComputed, ...ofRules].map(({ rule }) => rule);
      const part = await service.call("PATCH", `/v1/things/${whole.json.id}`, changed);
      expect([part.status, rulesIn(part.json)]).toEqual([broke.length > 0 ? 422 : 200, broke]);
      if (broke.length === 0) for (const { name } of collection.fields) expect([name, part.json[name]]).toEqual([name, next[name] ?? null]);
    }
    await service.close();
  }
}, 120_000);

function rulesIn({ errors = [] }: { errors?: { rule?: string }[] }): (string | undefined)[] {
  return errors.map(({ rule }) => rule);
}
