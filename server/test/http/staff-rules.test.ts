// The employee package over REST: every shape of a rule, in new records and in changes.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PackageResource } from "../../../core/dictionary/packages.ts";
import { openTestService, STAFF_RULES, type TestService } from "../../testing/service.ts";
import { PAY_CUT, STAFF_CASES, type StaffCase, staffJson, VALID_STAFF } from "../../testing/staff-cases.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(STAFF_RULES);
});
afterAll(() => service.close());

const [{ rules = [] } = {}] = JSON.parse(readFileSync(STAFF_RULES, "utf8")).resources as (PackageResource & {
  rules?: { name: string; message: string; translations: { de: { message: string } } }[];
})[];

interface Detail {
  code: string;
  rule?: string;
  constraint?: string;
  detail: string;
}

const detailsOf = (errors: readonly Detail[]) => new Map(errors.map(({ rule, constraint = "", detail }) => [rule ?? constraint, detail]));
const isWarning = ({ rule }: StaffCase) => rule === "unusualSalary";

test("the package has what it is an example of, and each sentence in both languages", () => {
  expect(rules.length).toBeGreaterThanOrEqual(12);
  const named = new Map(rules.map((rule) => [rule.name, [rule.message, rule.translations.de.message]]));
  const cases = [...STAFF_CASES, PAY_CUT].filter(({ rule }) => !/If$/.test(rule));
  expect(cases.map(({ rule, en, de }) => [rule, [en, de]]).sort()).toEqual([...named].sort());
});

test("a right record is stored with its default and what is computed", async () => {
  const { contract: _, ...given } = staffJson(VALID_STAFF);
  const { status, json } = await service.call("POST", "/v1/staff", given);
  expect([status, json.contract, json.fullName, json.warnings]).toEqual([201, "full", "Ada Lang", undefined]);
  expect(json.age).toBeGreaterThan(30);
});

test.each(STAFF_CASES)("$rule refuses a new record and a change, in one and in many", async (one) => {
  const record = staffJson({ ...VALID_STAFF, ...one.change });
  const isExpected = ({ errors, code }: { errors: Detail[]; code: string }) =>
    expect([code, detailsOf(errors).get(one.rule)]).toEqual([isWarning(one) ? "WARNING" : "VALIDATION", one.en]);
  const refused = await service.call("POST", "/v1/staff", record);
  expect(refused.status).toBe(422);
  isExpected(refused.json);
  const stored = (await service.call("POST", "/v1/staff", staffJson(VALID_STAFF))).json;
  const changed = await service.call("PATCH", `/v1/staff/${stored.id}`, staffJson(one.change));
  expect(changed.status).toBe(422);
  isExpected(changed.json);
  const many = await service.call("POST", "/v1/staff?onError=continue", [staffJson(VALID_STAFF), record]);
  expect(many.json.results?.map((result: { status: number }) => result.status)).toEqual([201, 422]);
  isExpected(many.json.results[1].error ?? many.json.results[1].problem);
  const acknowledged = await service.call("POST", `/v1/staff?acknowledge=${one.rule}`, record);
  expect(acknowledged.status).toBe(isWarning(one) ? 201 : 422);
});

test("a salary is not cut by a change, and a record that is old otherwise is no wall", async () => {
  const stored = (await service.call("POST", "/v1/staff", staffJson(VALID_STAFF))).json;
  const cut = await service.call("PATCH", `/v1/staff/${stored.id}`, staffJson(PAY_CUT.change));
  expect([cut.status, detailsOf(cut.json.errors).get(PAY_CUT.rule)]).toEqual([422, PAY_CUT.en]);
  expect((await service.call("PATCH", `/v1/staff/${stored.id}`, { firstName: "Augusta" })).json.fullName).toBe("Augusta Lang");
});
