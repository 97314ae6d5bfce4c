import { expect, test } from "vitest";
import { OUTCOMES } from "../../pipeline/model/outcomes.ts";
import jsonLines from "./json-lines.schema.json" with { type: "json" };

test("the schema of the JSON lines asks for a count of each outcome", () => {
  expect([...jsonLines.$defs.outcomes.required].sort()).toEqual([...OUTCOMES].sort());
});
