import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { OutcomePart } from "./outcome-bar.tsx";

/** A part that is not here does not compile. */
const PARTS: Record<OutcomePart["outcome"], true> = {
  ready: true,
  created: true,
  awaiting: true,
  updated: true,
  unchanged: true,
  skipped: true,
  refused: true,
  warned: true,
  correctable: true,
  failed: true,
  inDoubt: true,
  notSent: true,
  undone: true,
};

test("each part of the bar has a colour", () => {
  const styles = readFileSync("src/values/outcome-bar.module.css", "utf8");
  // Outcomes of one colour share a rule.
  const rules = [...styles.matchAll(/([^{}]+)\{\s+background: /g)].map(([, selectors = ""]) => selectors);
  const coloured = rules.flatMap((selectors) => [...selectors.matchAll(/\[data-outcome="(\w+)"\]/g)].map(([, it]) => it));
  expect(coloured.sort()).toEqual(Object.keys(PARTS).sort());
});
