import { expect, test } from "vitest";
import { latestLoad, partsLeft } from "./run-all.ts";

const PARTS = ["customers", "orders"];
const run = (id: string, collection: string) => ({ id, collection, parts: PARTS });
const [first, second, third] = [run("1", "customers"), run("2", "orders"), run("3", "customers")];

test("of a file that was loaded again and stopped midway, the runs before belong to an earlier load", () => {
  expect(latestLoad([second, first])).toEqual([second, first]);
  expect(latestLoad([third, second, first])).toEqual([third]);
  expect(partsLeft([third, second, first])).toEqual(["orders"]);
});

test("a file with one collection is what its runs are", () => {
  const alone = { id: "4", collection: "customers" };
  expect([latestLoad([alone]), partsLeft([alone])]).toEqual([[alone], []]);
});
