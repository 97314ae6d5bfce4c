// The check that browser, upload and command share says of a record what the service says, on its own database.

import fc from "fast-check";
import { expect, test } from "vitest";
import { brokenRules, problemsOfRules } from "../../../core/dictionary/rules.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { changes, packageWith, records, rules } from "../../testing/rule-generator.ts";
import { openTestService } from "../../testing/service.ts";

const ME = { id: "", name: "" }; // rules that read it are left out
const TRIPLES = 25; // of each dictionary

test("the service answers as core checks, for records that are made and changed", async () => {
  const [ten] = fc.sample(fc.array(rules, { minLength: 10, maxLength: 10 }), { numRuns: 1, seed: 45 });
  for (const own of ten ?? []) {
    if (JSON.stringify(own).includes("me.id")) continue;
    const service = await openTestService(packageWith(own));
    const [collection] = service.collections;
    if (!collection) throw new Error("no collection");
    const today = new Date().toISOString().slice(0, 10);
    const samples = fc.sample(fc.tuple(records, changes), { numRuns: TRIPLES, seed: own.length });
    for (const [given, change] of samples) {
      const record: Fields = { ...given, name: "a" };
      const { name: _, ...changed } = change;
      const whole = await service.call("POST", "/v1/things", record);
      const scope = { record: { ...record }, old: null, me: ME, today };
      const broken = problemsOfRules(collection, scope).map(({ rule }) => rule);
      expect([whole.status, rulesIn(whole.json)]).toEqual([broken.length > 0 ? 422 : 201, broken]);
      if (broken.length > 0) continue;
      expect(brokenRules(collection, whole.json, today)).toEqual([]);
      const differing = new Set(Object.keys(changed).filter((name) => (changed[name] ?? null) !== (whole.json[name] ?? null)));
      const next = { record: { ...whole.json, ...changed }, old: whole.json, me: ME, today };
      const broke = problemsOfRules(collection, next, differing).map(({ rule }) => rule);
      const part = await service.call("PATCH", `/v1/things/${whole.json.id}`, changed);
      expect([part.status, rulesIn(part.json)]).toEqual([broke.length > 0 ? 422 : 200, broke]);
    }
    await service.close();
  }
}, 120_000);

function rulesIn({ errors = [] }: { errors?: { rule?: string }[] }): (string | undefined)[] {
  return errors.map(({ rule }) => rule);
}
