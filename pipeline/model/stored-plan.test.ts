import { describe, expect, test } from "vitest";
import { planFor } from "../testing/fake-service.ts";
import { restorePlan } from "./stored-plan.ts";

const corrections = { edits: { 3: { 1: "typed" } }, leftOut: [7], leftOutGroups: [], refused: new Uint32Array([5]) };
const autoFixes = [{ field: "objectId", name: "trailingZero" }] as const;

describe("the plan of an interrupted upload", () => {
  test("keeps every correction made under version 0.1.0", () => {
    const plan = planFor("update");
    expect(restorePlan({ ...plan, fixes: { ...corrections, remedies: autoFixes } })).toEqual({
      ...plan,
      fixes: { ...corrections, autoFixes },
    });
  });

  test.each([
    ["without corrections", planFor("create")],
    ["with corrections", { ...planFor("upsert"), fixes: { ...corrections, autoFixes }, malformed: "RECORD" as const }],
  ])("stays as this version stored it: %s", (_, plan) => {
    expect(restorePlan(structuredClone(plan))).toEqual(plan);
  });
});
