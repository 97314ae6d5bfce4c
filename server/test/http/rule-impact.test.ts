// What rules of a draft would find among stored records is counted before it is applied, for whoever may read the records.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { DictionaryChange } from "../../../core/contract/dictionary.ts";
import { impactOf, nextOf, wholeImpactOf } from "../../dictionary/draft-impact.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, type = "string", more: object = {}) => ({ name, title: name, type, ...more });
const PACKAGE = {
  title: "Staff",
  resources: [
    {
      name: "staff",
      singular: "member",
      title: "Staff",
      rules: [{ name: "wage", must: "salary >= 1000", message: "Too little." }],
      schema: {
        fields: [
          ...[field("id", "integer"), field("email"), field("phone"), field("startOn", "date"), field("endOn", "date")],
          field("salary", "number", { decimals: 2 }),
        ],
        primaryKey: "id",
      },
    },
    { name: "notes", singular: "note", title: "Notes", schema: { fields: [field("id", "integer"), field("text")], primaryKey: "id" } },
  ],
};

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
  const records = Array.from({ length: 60 }, (_, i) => ({
    id: i + 1,
    startOn: "2026-01-31",
    ...(i % 2 === 0 && { endOn: i % 4 === 0 ? "2026-01-01" : "2026-12-31" }), // 15 end before they start
    ...(i % 3 === 0 && { phone: "030 123" }), // 40 have neither
    salary: String(1000 + i * 100),
  }));
  expect((await send("POST", "/v1/staff", records)).status).toBe(201);
  expect((await send("POST", "/v1/notes", [{ id: 1, text: "one" }, { id: 2 }])).status).toBe(201);
}, 60_000);
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
const END = { name: "endAfterStart", must: "endOn >= startOn", message: "The end must not be before the start." };

type Edit = (dataPackage: typeof PACKAGE) => unknown;

/** Makes a draft, and returns its address. */
async function draftOf(edit: Edit): Promise<string> {
  const { version: _, ...dataPackage } = (await send("GET", "/v1/dictionary")).json;
  edit(dataPackage);
  const { status, json } = await send("POST", "/v1/dictionary/drafts", { title: "rules", package: dataPackage });
  expect(status).toBe(201);
  return `/v1/dictionary/drafts/${json.id}`;
}
const rulesOf =
  (rules: object[]): Edit =>
  ({ resources: [staff] }) =>
    Object.assign(staff ?? {}, { rules });
const impact = async (draft: string, headers = {}) => (await send("GET", `${draft}/impact`, undefined, headers)).json;
const found = (changes: DictionaryChange[]) => changes.map(({ kind, effect, violations }) => [kind, effect, violations]);
const every4th = Array.from({ length: 15 }, (_, i) => 4 * i + 1);

test("a new rule says how many stored records break it, and which are the first; once applied the same are listed", async () => {
  const draft = await draftOf(({ resources: [staff] }) => staff?.rules?.push(END));
  const { changes, complete } = await impact(draft);
  expect(complete).toBe(true);
  expect(changes).toEqual([
    {
      ...{ kind: "narrowed", path: "staff", to: { rule: END }, effect: "stands", violations: 15, examples: every4th },
      detail: "15 records break it; they stay as they are until they are next changed",
    },
  ]);
  expect((await send("POST", `${draft}/apply`)).status).toBe(200);
  const listed = await send("GET", "/v1/staff/violations?rule=endAfterStart");
  expect(listed.json.staff.map(({ id }: { id: number }) => id)).toEqual(every4th);
});

test("a narrower rule is counted, one that nothing breaks is said so, and one about a change cannot be counted", async () => {
  const wage = { name: "wage", must: "salary >= 2000", message: "Too little." };
  const reachable = { name: "reachable", must: "!isEmpty(email) || !isEmpty(phone)", message: "How?" };
  const positive = { name: "positive", must: "salary > 0", message: "Nothing?" };
  const noCut = { name: "noCut", must: "salary >= old.salary", message: "No cut." };
  const { changes } = await impact(await draftOf(rulesOf([wage, reachable, positive, noCut])));
  expect(found(changes)).toEqual([
    ["narrowed", "stands", 10],
    ["narrowed", "stands", 40],
    ["narrowed", "at once", 0],
    ["narrowed", "at once", undefined],
    ["loosened", "at once", undefined],
  ]);
  expect(changes[1].examples).toHaveLength(25);
});

test("a rule may read a field that is new, or has another name in the draft", async () => {
  const draft = await draftOf(({ resources: [staff] }) => {
    Object.assign(staff ?? {}, {
      rules: [
        { name: "wage", must: "salary >= 1000", message: "Too little." },
        { name: "endAfterStart", must: "until >= startOn", message: "The end must not be before the start." },
        { name: "named", must: "!isEmpty(nickname)", message: "A nickname is needed." },
        { name: "either", must: "!isEmpty(nickname) || until > startOn", message: "One of both." },
      ],
    });
    const fields = staff?.schema.fields ?? [];
    Object.assign(fields.find(({ name }) => name === "endOn") ?? {}, { name: "until" });
    fields.push(field("nickname"));
  });
  const { changes } = await impact(draft);
  expect(found(changes.filter(({ to }: DictionaryChange) => (to as { rule?: object })?.rule))).toEqual([
    ["narrowed", "stands", 60],
    ["narrowed", "stands", 15],
  ]);
});

test("conditions of fields are counted like rules", async () => {
  const draft = await draftOf(({ resources: [staff] }) => {
    const edit = (name: string, words: object) => Object.assign(staff?.schema.fields.find((one) => one.name === name) ?? {}, words);
    edit("phone", { requiredIf: "isEmpty(email)" });
    edit("email", { choicesIf: [{ when: "salary > 0", values: ["a@example.com"] }] });
    edit("startOn", { requiredIf: "me.name != null" });
    edit("endOn", { visibleIf: "salary < 2000", constraints: { required: true } });
  });
  const { changes } = await impact(draft);
  expect(changes.map(({ path, kind, violations }: DictionaryChange) => [path, kind, violations])).toEqual([
    ["staff.email", "narrowed", 0],
    ["staff.phone", "narrowed", 40],
    ["staff.startOn", "narrowed", undefined],
    ["staff.endOn", "appearance", undefined],
    ["staff.endOn", "required", 5],
  ]);
});

test("whoever may not read the records learns nothing of them by a rule", async () => {
  const draft = await draftOf(({ resources: [staff, notes] }) => {
    staff?.rules?.push({ name: "guess", must: "salary != 1500.0", message: "Guess." });
    Object.assign(notes ?? {}, { rules: [{ name: "filled", must: "!isEmpty(text)", message: "A text is needed." }] });
  });
  const key = await createKeys(service.store).create("dictionary notes:read", { name: "Half" });
  const { changes, complete } = await impact(draft, { authorization: `Bearer ${key}` });
  expect([found(changes), complete]).toEqual([
    [
      ["narrowed", "stands", undefined],
      ["narrowed", "stands", 1],
    ],
    true,
  ]);
  expect(JSON.stringify(changes[0])).not.toMatch(/violations|examples|detail/);
  expect(found((await impact(draft)).changes)[0]).toEqual(["narrowed", "stands", 1]);
});

test("whoever may not read the records learns nothing of them by a bound, a unique field or a formula of a draft", async () => {
  const draft = await draftOf(({ resources: [staff] }) => {
    for (const own of staff?.schema.fields ?? []) {
      if (own.name === "salary") Object.assign(own, { constraints: { minimum: 1_050 } });
      if (own.name === "phone") Object.assign(own, { constraints: { unique: true } });
      if (own.name === "startOn") Object.assign(own, { computed: "endOn" });
    }
  });
  expect(found((await impact(draft)).changes)).toContainEqual(["narrowed", "stands", 1]);
  const key = await createKeys(service.store).create("dictionary notes:read", { name: "Half" });
  const { changes } = await impact(draft, { authorization: `Bearer ${key}` });
  expect(changes.length).toBeGreaterThan(2);
  expect(JSON.stringify(changes)).not.toMatch(/violations|examples|detail|computes/);
});

test("where there are many records the first figure comes soon, and the rest follows from its place", async () => {
  const many = await startLivingService(PACKAGE);
  const notes = Array.from({ length: 5_010 }, (_, i) => ({ id: i + 1, ...(i % 10 > 0 && { text: "one" }) }));
  for (let at = 0; at < notes.length; at += 1_000)
    expect((await many.send("POST", "/v1/notes", notes.slice(at, at + 1_000), { prefer: "return=minimal" })).status).toBe(201);
  await many.send("POST", "/v1/staff", { id: 1 });
  const { version: _, ...dataPackage } = (await many.send("GET", "/v1/dictionary")).json;
  const base = many.living.served().version;
  const [staff, own] = dataPackage.resources;
  own.rules = [{ name: "filled", must: "!isEmpty(text)", message: "A text is needed." }];
  dataPackage.resources = [
    own,
    { ...staff, rules: [...staff.rules, { name: "paid", must: "!isEmpty(salary)", message: "A salary is needed." }] },
  ];
  const next = await nextOf({ store: many.store, living: many.living }, { base, text: JSON.stringify(dataPackage) });
  const mayRead = () => true;
  const first = await impactOf(many.store, next, { mayRead, ms: 0 });
  expect([found(first.changes as DictionaryChange[]), first.complete, first.place]).toEqual([
    [
      ["narrowed", "stands", 500],
      ["narrowed", "stands", undefined],
      ["order", "at once", undefined],
    ],
    false,
    { collection: "notes", after: 5_000, isRestCounted: true },
  ]);
  const second = await impactOf(many.store, next, { mayRead, from: first.place, ms: 0 });
  expect([found(second.changes as DictionaryChange[]), second.complete, second.place]).toEqual([
    [["narrowed", "stands", 1]],
    false,
    { collection: "staff", after: 0, isRestCounted: true },
  ]);
  const whole = await wholeImpactOf(many.store, next);
  expect([found(whole.changes as DictionaryChange[]).slice(0, 2), whole.complete]).toEqual([
    [
      ["narrowed", "stands", 501],
      ["narrowed", "stands", 1],
    ],
    true,
  ]);
  await many.close();
}, 60_000);

test("a cursor of another draft, or of nobody, is refused", async () => {
  const draft = await draftOf(({ resources: [staff] }) => staff?.rules?.push({ ...END, name: "again" }));
  const { status, json } = await send("GET", `${draft}/impact?cursor=none`);
  expect([status, json.code]).toEqual([400, "BAD_CURSOR"]);
});
