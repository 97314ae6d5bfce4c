// The tester says of a record what the service would, and why it says nothing.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Scope } from "../../../core/dictionary/expression-values.ts";
import { problemsOfRules } from "../../../core/dictionary/rules.ts";
import { fieldsOf } from "./rule-fields.ts";
import { tryRule } from "./try-rule.ts";

const fields = fieldsOf({
  name: "staff",
  schema: {
    primaryKey: "id",
    fields: [
      ...[
        { name: "id", type: "integer" },
        { name: "startOn", type: "date" },
        { name: "endOn", type: "date" },
      ],
      ...[
        { name: "pay", type: "number" },
        { name: "contract", type: "string" },
      ],
    ],
  },
});
const RULES = [
  { must: "endOn >= startOn" },
  { when: 'contract == "full"', must: "pay >= 2000" },
  { when: "pay > 0", must: "!isEmpty(endOn)" },
  { must: "old.pay == null || pay >= old.pay" },
  { must: 'me.name != "Ada" || pay < 10' },
].map((rule, i) => ({ ...rule, name: `rule${i}`, message: "A sentence." }));
const scopeOf = (record: object, old: object | null = null): Scope =>
  ({ record, old, me: { id: "1", name: "Ada" }, today: "2026-11-29" }) as Scope;

test("each verdict has its reason", () => {
  const verdict = (i: number, record: object) => tryRule(RULES[i] as (typeof RULES)[0], fields, scopeOf(record));
  expect(verdict(0, { startOn: "2026-02-01", endOn: "2026-01-01" })).toMatchObject({ verdict: "broken", reads: ["endOn", "startOn"] });
  expect(verdict(0, { startOn: "2026-02-01" }).verdict).toBe("unknown");
  expect(verdict(1, { contract: "temp", pay: 1 }).verdict).toBe("unasked");
  expect(verdict(1, { contract: "full", pay: 2000 })).toMatchObject({ verdict: "kept", reads: ["pay", "contract"] });
  expect(verdict(2, {}).verdict).toBe("unasked"); // nobody can tell whether it is asked
  expect([verdict(3, {}).readsOld, verdict(4, {}).readsMe]).toEqual([true, true]);
  expect(tryRule({ name: "wrong", must: "endOm > 1", message: "" }, fields, scopeOf({}))).toMatchObject({ verdict: "wrong", reads: [] });
});

test("what it calls broken is what a save is refused for", () => {
  const day = fc.constantFrom(null, "2026-01-01", "2026-02-01");
  const record = fc.record({
    startOn: day,
    endOn: day,
    pay: fc.constantFrom(null, 0, 5, 1999, 2000),
    contract: fc.constantFrom(null, "full", "temp"),
  });
  fc.assert(
    fc.property(record, fc.option(record), (now, old) => {
      const scope = scopeOf(now, old);
      const refused = problemsOfRules({ name: "staff", fields, rules: RULES }, scope).map(({ rule }) => rule);
      const broken = RULES.filter((rule) => tryRule(rule, fields, scope).verdict === "broken").map(({ name }) => name);
      expect([...new Set(refused)]).toEqual(broken);
    }),
  );
});
