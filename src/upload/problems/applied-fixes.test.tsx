import { screen } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { AppliedFixes } from "./applied-fixes.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

function checkWith(corrections: number): CheckSummary {
  return {
    ...{
      rowsRead: 100,
      ready: 100,
      leftOut: 0,
      warned: 0,
      correctable: { rows: 0, isLeast: false },
      repeats: 0,
      matchedBy: "Object ID",
      repeated: { ranges: [], more: 0 },
      twins: { ranges: [], more: 0, rows: 0 },
      repeatsOut: undefined,
      groups: [],
      leftOutGroups: [],
      accepted: [],
      refusedOut: 0,
      autoFixes: [],
    },
    valueFixes: Array.from({ length: corrections }, (_, i) => ({ field: `f${i}`, title: `Field ${i}`, rules: 1, rows: 1 })),
    ...{ listed: 0, unlisted: 0, damage: [], notes: [], strayQuotes: undefined, seconds: 0 },
  };
}

const draw = (corrections: number) =>
  drawPart(
    app,
    <ul>
      <AppliedFixes collection={app.collection} check={checkWith(corrections)} />
    </ul>,
  );
const shown = () => screen.getAllByText(/value replaced/).length;

describe("the list of corrections", () => {
  test("is folded when it is long, and opened and folded again by its button", async () => {
    const { user } = await draw(9);
    expect(shown()).toBe(5);
    await user.click(screen.getByRole("button", { name: "Show all 9" }));
    expect(shown()).toBe(9);
    await user.click(screen.getByRole("button", { name: "Show fewer" }));
    expect(shown()).toBe(5);
  });

  test("is whole when folding would hide but one", async () => {
    await draw(6);
    expect(shown()).toBe(6);
    expect(screen.queryByRole("button", { name: /^Show/ })).toBeNull();
  });
});
