// Tests which changes of a dictionary make the store read its values: all of them are read while others wait to write.

import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { findNarrowed } from "./dictionary-findings.ts";
import { knownFields, type Rules, rulesText } from "./known-fields.ts";
import { runScript } from "./script/script.ts";

function thingsWith(constraints: object): readonly Collection[] {
  const fields = [
    { name: "id", type: "integer" },
    { name: "name", type: "string", constraints },
  ];
  const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections;
}

/** Returns the statements that a change of the constraints of `name` asks. */
function askedFor(before: object, now: object): string[] {
  const [old, next] = [thingsWith(before), thingsWith(now)];
  const asked: string[] = [];
  runScript(findNarrowed(next, knownFields(old), JSON.parse(rulesText(old)) as Rules), ({ sql }) => {
    asked.push(sql);
    return { rows: [], count: 0 };
  });
  return asked;
}

test("values are read only where a rule may refuse them that did not before", () => {
  const before = { minLength: 2, maxLength: 20, enum: ["one", "two"] };
  expect(askedFor(before, { ...before, unique: true })).toEqual([]);
  expect(askedFor(before, { minLength: 1, maxLength: 30, enum: ["one", "two", "three"] })).toEqual([]);
  expect(askedFor(before, {})).toEqual([]);
  for (const narrower of [{ minLength: 3 }, { maxLength: 19 }, { enum: ["one", "three"] }, { pattern: "[a-z]+" }])
    expect(askedFor(before, { ...before, ...narrower })).toHaveLength(1);
  expect(askedFor({}, { unique: true, maxLength: 20 })).toHaveLength(1);
});
