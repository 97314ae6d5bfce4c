import { expect, test } from "vitest";
import { createViewersInMemory } from "./viewers.ts";

const person = (id: string, name = id) => ({ type: "user", id, name }) as const;
const place = (id: number) => ({ collection: "customers", id });
const LATER = Date.now() + 3_600_000;

test("viewers in memory are forgotten from the record that was looked at longest ago", async () => {
  const viewers = createViewersInMemory(3);
  for (const id of [1, 2, 3]) await viewers.add(place(id), { person: person("a"), tab: "" }, LATER);
  await viewers.add(place(1), { person: person("a"), tab: "" }, LATER); // said again
  await viewers.add(place(4), { person: person("a"), tab: "" }, LATER);
  const known = await Promise.all([1, 2, 3, 4].map(async (id) => (await viewers.list(place(id), 0)).length));
  expect(known).toEqual([1, 0, 1, 1]);
});

test("what has expired makes room", async () => {
  const viewers = createViewersInMemory(2);
  await viewers.add(place(1), { person: person("a"), tab: "" }, 1);
  for (const id of [2, 3]) await viewers.add(place(id), { person: person("a"), tab: "" }, LATER);
  expect(await viewers.list(place(2), 2)).toHaveLength(1);
});

test("people are listed by name", async () => {
  const viewers = createViewersInMemory();
  for (const [id, name] of [
    ["1", "Zoe"],
    ["2", "Ben"],
    ["3", "Anna"],
  ] as const)
    await viewers.add(place(1), { person: person(id, name), tab: "" }, LATER);
  expect((await viewers.list(place(1), 0)).map(({ name }) => name)).toEqual(["Anna", "Ben", "Zoe"]);
});
