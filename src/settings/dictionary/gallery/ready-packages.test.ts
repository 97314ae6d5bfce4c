import { expect, test } from "vitest";
import { readDataPackage } from "../../../../core/dictionary/collections.ts";
import type { PackageField } from "../../../../core/dictionary/packages.ts";
import type { Rule } from "../../../../core/dictionary/rule.ts";
import { leftBehind, problemsOfRules } from "../../../../core/dictionary/rules.ts";
import { type Fields, validateRecord } from "../../../../core/dictionary/validate.ts";
import { mistakesIn } from "../../../../server/dictionary/mistakes.ts";
import { readBroughtRoles } from "../../../../server/people/brought-roles.ts";
import { COLLECTION_ICONS } from "../../../ui/collection-icons.ts";
import { withFreeNames, withNamesOf } from "../package-edits.ts";
import { loadReady, READY_PACKAGES } from "./ready-packages.ts";

test("there are six of them", () => expect(READY_PACKAGES.map(({ id }) => id)).toHaveLength(6));

test.each(READY_PACKAGES.map((offer) => [offer.id, offer] as const))(
  "%s: a right dictionary with right sample records",
  async (_, offer) => {
    const { resources, roles, samples } = await loadReady(offer);
    expect(mistakesIn({ name: "ready", resources })).toEqual([]);
    // Roles that the service would make, in both languages, also where the collections get other names.
    const made = withFreeNames(resources, resources);
    const names = new Map(resources.map(({ name }, i) => [name, made[i]?.name ?? name]));
    for (const [all, renamed] of [[resources, new Map<string, string>()] as const, [made, names] as const]) {
      const brought = withNamesOf(roles, renamed);
      expect(readBroughtRoles({ roles: brought }, { name: "ready", resources: all })).toHaveLength(2);
    }
    expect(roles.map(({ translations }) => translations.de?.name)).toEqual([expect.any(String), expect.any(String)]);
    expect(samples).toHaveLength(resources.length);
    for (const language of ["", "de"]) {
      const read = readDataPackage({ name: "ready", resources }, language);
      if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
      for (const [i, collection] of read.collections.entries()) {
        expect(collection.icon && COLLECTION_ICONS[collection.icon]).toBeDefined();
        expect(samples[i]?.length).toBeGreaterThanOrEqual(2);
        for (const record of samples[i] ?? []) {
          const validated = validateRecord(collection, record, { from: "json" });
          if ("problems" in validated) throw new Error(JSON.stringify(validated.problems));
          const scope = { record: validated.record, old: null, me: null, today: "2026-03-31" };
          expect([problemsOfRules(collection, scope), leftBehind(collection, scope)]).toEqual([[], []]);
        }
        const used = collection.fields.filter(({ name }) => samples[i]?.some((record) => record[name] !== undefined));
        expect(used.length).toBeGreaterThanOrEqual(collection.fields.length / 2);
      }
    }
  },
);

test("each package says more than constraints, and broken rules say so in German, too", async () => {
  for (const offer of READY_PACKAGES) {
    const { resources } = await loadReady(offer);
    const fields = resources.flatMap(({ schema }) => schema.fields);
    const more = [
      resources.flatMap(({ rules, match }) => [rules ?? [], match ?? []].flat()),
      fields.filter((one) => one.visibleIf ?? one.requiredIf),
    ];
    expect(more.flat().length, offer.id).toBeGreaterThan(0);
    for (const { translations } of resources.flatMap(({ rules }) => (rules ?? []) as readonly Rule[]))
      expect(translations?.de?.message).toMatch(/\.$/);
  }
});

/** Names for each rule and condition of the packages a record that breaks it. */
test.each<[id: string, collection: string, record: Fields, broken: string[]]>([
  ["members", "members", { joinedOn: "2024-01-08", leftOn: "2024-01-07" }, ["leftAfterJoined"]],
  ["members", "members", { newsletter: true }, ["requiredIf"]],
  ["applicants", "positions", { status: "open" }, ["requiredIf"]],
  ["cases", "cases", { status: "new", openedOn: "2026-02-09", dueOn: "2026-02-08" }, ["dueAfterOpened"]],
  ["cases", "cases", { status: "closed", openedOn: "2026-02-09", closedOn: "2026-02-08" }, ["closedAfterOpened"]],
  ["cases", "cases", { status: "closed" }, ["requiredIf"]],
  ["customers-and-orders", "companies", { name: "Nowhere" }, ["reachable"]],
  ["customers-and-orders", "orders", { status: "paid" }, ["requiredIf"]],
  ["equipment", "equipment", { condition: "good", boughtOn: "2024-09-02", nextCheckOn: "2024-09-01" }, ["checkedAfterBought"]],
  ["inventory", "stockMovements", { direction: "out", quantity: "0" }, ["movesSome"]],
])("%s: a record of %s that breaks what is said", async (id, name, record, broken) => {
  const offer = READY_PACKAGES.find((one) => one.id === id);
  if (!offer) throw new Error("It is gone.");
  const read = readDataPackage({ name: "ready", resources: (await loadReady(offer)).resources });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  const collection = read.collections.find((one) => one.name === name);
  if (!collection) throw new Error("It is gone.");
  const problems = problemsOfRules(collection, { record, old: null, me: null, today: "2026-03-31" });
  expect([...new Set(problems.map(({ rule, constraint }) => rule ?? constraint))]).toEqual(broken);
});

test("every title, noun and label has its German", async () => {
  for (const offer of READY_PACKAGES) {
    for (const resource of (await loadReady(offer)).resources) {
      const german = (one: Readonly<Record<string, unknown>>) =>
        (one.translations as { de?: Record<string, string> } | undefined)?.de ?? {};
      expect(german(resource), resource.name).toMatchObject({
        title: expect.any(String),
        noun: expect.any(String),
        description: expect.any(String),
      });
      for (const field of resource.schema.fields as readonly PackageField[]) {
        expect(german(field).title, `${resource.name}.${field.name}`).toBeTruthy();
        for (const choice of (field.categories ?? []) as Readonly<Record<string, unknown>>[]) expect(german(choice).label).toBeTruthy();
      }
    }
  }
});

test("a package that is added twice refers to its own collections", async () => {
  const offer = READY_PACKAGES.find(({ id }) => id === "inventory");
  if (!offer) throw new Error("It is gone.");
  const { resources } = await loadReady(offer);
  const second = withFreeNames(resources, resources);
  expect(second.map(({ name, singular }) => [name, singular])).toEqual([
    ["articles2", "article2"],
    ["stockMovements2", "stockMovement2"],
  ]);
  expect(second[1]?.schema.foreignKeys?.[0]?.reference.resource).toBe("articles2");
  expect(mistakesIn({ name: "ready", resources: [...resources, ...second] })).toEqual([]);
});
