// How many records broke rules is kept once a day, and shown as far as a caller may know it.

import { afterAll, beforeAll, expect, test } from "vitest";
import { TREND_DAYS } from "../../../core/contract/violations.ts";
import { countOnce, createViolationCounter, dayOf } from "../../records/count-violations.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const packageOf = (rules: object[], name: object = {}, former: object = {}) => ({
  title: "Staff",
  resources: [
    {
      ...{ name: "staff", singular: "member", title: "Staff", rules },
      schema: {
        fields: [{ ...field("id"), type: "integer" }, field("name", { constraints: name, ...former }), field("city"), field("phone")],
        primaryKey: "id",
      },
    },
  ],
});
const REACHABLE = { name: "reachable", must: "!isEmpty(phone)", message: "A phone is needed." };

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(packageOf([]));
  await send(
    "POST",
    "/v1/staff",
    [1, 2, 3].map((id) => ({ id, name: "x".repeat(id), city: id === 1 ? "Bonn" : "Köln" })),
  );
  await apply((staff) => {
    staff.rules = [REACHABLE];
    staff.schema.fields[1].constraints = { maxLength: 2 };
  });
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
// biome-ignore lint/suspicious/noExplicitAny: a data package
async function apply(change: (staff: any) => void): Promise<void> {
  const { version: _, ...dataPackage } = (await send("GET", "/v1/dictionary")).json;
  change(dataPackage.resources[0]);
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "rules", comment: "", package: dataPackage });
  const headers = { "if-match": String(draft.headers.etag) };
  expect((await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, headers)).status).toBe(200);
}
async function countOn(day: number): Promise<void> {
  const { collections, store } = service.living.served();
  for (const one of collections) await countOnce(one, collections, store, day);
}
const daysFor = async (headers = {}) => {
  const { days } = (await send("GET", "/v1/staff/violations?days=true", undefined, headers)).json;
  return days.map(({ day, rules }: { day: string; rules: { rule?: string; constraint?: string; field: string; count: number }[] }) => [
    day,
    Object.fromEntries(rules.map(({ rule, constraint, field, count }) => [rule ?? `${constraint} ${field}`, count])),
  ]);
};
const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
async function roleWith(conditions: object): Promise<{ authorization: string }> {
  const admin = { as: "admin" };
  const role = { name: JSON.stringify(conditions).slice(0, 40), scope: "staff:read", conditions: { staff: conditions } };
  const { json } = await send("POST", "/v1/roles", role, admin);
  const { json: key } = await send("POST", "/v1/keys", { name: "Desk", roles: [json.id] }, admin);
  return { authorization: `Bearer ${key.key}` };
}

test("a day is counted once, whoever tries it again, and old days go", async () => {
  const today = dayOf();
  for (const day of [today - TREND_DAYS, today - 1]) await countOn(day);
  await send("PATCH", "/v1/staff/1", { phone: "1" });
  await Promise.all([countOn(today), countOn(today), countOn(today - 1)]);
  await send("PATCH", "/v1/staff/2", { phone: "1" });
  await countOn(today);
  expect(await daysFor()).toEqual([
    [dateOf(today - 1), { reachable: 3, "maxLength name": 1 }],
    [dateOf(today), { reachable: 2, "maxLength name": 1 }],
  ]);
});

test("what is broken says since which day each count has found it", async () => {
  const { rules } = (await send("GET", "/v1/staff/violations")).json;
  expect(rules).toEqual(expect.arrayContaining([expect.objectContaining({ rule: "reachable", since: dateOf(dayOf() - 1) })]));
  const role = await roleWith({ read: { where: "city=Ulm" } });
  expect((await send("GET", "/v1/staff/violations", undefined, role)).text).not.toContain("since");
});

test("a field has its name of today, and a rule that is gone is not shown", async () => {
  await apply((staff) => {
    staff.schema.fields[1].name = "fullName";
    staff.rules = [];
  });
  expect((await daysFor()).at(-1)).toEqual([dateOf(dayOf()), { "maxLength fullName": 1 }]);
});

test("whoever sees some records reads no counts of all, and nothing of a field that is hidden", async () => {
  expect(await daysFor(await roleWith({ read: { where: "city=Bonn" } }))).toEqual([]);
  const hidden = await daysFor(await roleWith({ fields: { hidden: ["fullName"] } }));
  expect(hidden.map(([, rules]: [string, object]) => rules)).toEqual([{}, {}]);
  const masked = await daysFor(await roleWith({ fields: { masked: ["fullName"] } }));
  expect(masked.map(([, rules]: [string, object]) => rules)).toEqual([{}, {}]);
});

test("the service counts by itself", async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const working = createViolationCounter(service.living, (work, error) => void seen.push(`${work} ${error === undefined}`))(stop.signal);
  await expect.poll(() => seen).toEqual(["violations true"]);
  stop.abort();
  await working;
});
