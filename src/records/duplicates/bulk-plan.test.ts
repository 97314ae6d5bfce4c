// A rule says which records become one, which of them stays, and what it gets.

import { expect, test } from "vitest";
import type { DuplicatePair } from "../../../core/contract/duplicates.ts";
import type { WireRecord } from "../../../core/contract/records.ts";

import { collectionOf } from "../../testing/fields.ts";

import { groupsOf, mergeBy } from "./bulk-plan.ts";

const pair = (a: number, b: number, level: "same" | "maybe" = "same"): DuplicatePair => ({ a, b, level, score: 9, reasons: [] });

test("only records of which each is the same as each other one are a group", () => {
  expect(groupsOf([pair(1, 2), pair(3, 4, "maybe")])).toEqual({ groups: [[1, 2]], unclear: 0 });
  expect(groupsOf([pair(1, 2), pair(2, 3), pair(1, 3), pair(8, 9)])).toEqual({
    groups: [
      [1, 2, 3],
      [8, 9],
    ],
    unclear: 0,
  });
  expect(groupsOf([pair(1, 2), pair(2, 3), pair(1, 3, "maybe")])).toEqual({ groups: [], unclear: 1 });
  const many = Array.from({ length: 11 }, (_, i) => i + 1);
  const all = many.flatMap((a) => many.filter((b) => b > a).map((b) => pair(a, b)));
  expect(groupsOf(all)).toEqual({ groups: [], unclear: 1 }); // one merge takes ten
});

const people = collectionOf(["name", "phone", "city"].map((name) => ({ name, title: name, type: "string" })));
const person = (id: number, day: number, changed: number, values: Record<string, string>): WireRecord =>
  ({
    [people.key.name]: id,
    version: id,
    createdAt: `2026-01-0${day}T00:00:00.000Z`,
    updatedAt: `2026-02-0${changed}T00:00:00.000Z`,
    ...values,
  }) as unknown as WireRecord;
const three = [
  person(1, 1, 1, { name: "Ada", phone: "1" }),
  person(2, 2, 3, { name: "Ada Fox", phone: "2", city: "Bonn" }),
  person(3, 3, 2, { name: "A. Fox", city: "Ulm" }),
];

test("the oldest, the newest or the fullest stays", () => {
  const stays = (survivor: "oldest" | "newest" | "fullest") => mergeBy({ survivor, source: "survivor" }, people, three, "run").survivor;
  expect([stays("oldest"), stays("newest"), stays("fullest")]).toEqual([1, 3, 2]);
});

test("it keeps its own values, or gets those that were changed last, or the longest; gaps are filled either way", () => {
  const made = (source: "survivor" | "latest" | "longest") => mergeBy({ survivor: "oldest", source }, people, three, "run");
  expect(made("survivor")).toEqual({ survivor: 1, others: [2, 3], values: { city: "Bonn" }, versions: { 1: 1, 2: 2, 3: 3 }, run: "run" });
  expect(made("latest").values).toEqual({ name: "Ada Fox", phone: "2", city: "Bonn" });
  expect(made("longest").values).toEqual({ name: "Ada Fox", phone: "2", city: "Bonn" }); // of equally long ones that of the latest
  const other = person(4, 4, 4, { name: "Fox", phone: "+49 228 1", city: "Aix" });
  const values = mergeBy({ survivor: "oldest", source: "longest" }, people, [...three, other], "run").values;
  expect(values).toEqual({ name: "Ada Fox", phone: "+49 228 1", city: "Bonn" });
});
