import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Off by default: a target is 24 px high and wide, or stands free (WCAG 2.5.8).
const OPTIONS = { rules: { "target-size": { enabled: true } } };

interface Check {
  data?: { messageKey?: string } | null;
  relatedNodes: { target: string[] }[];
}
interface Violation {
  id: string;
  nodes: { html: string; any: Check[] }[];
}
declare const axe: { run(options: typeof OPTIONS): Promise<{ violations: Violation[] }> };

export async function expectNoFaults(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, includeHidden: true }).first()).toBeAttached(); // the page has loaded
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const faults = await page.evaluate(async (options) => {
    const isSticky = (node: Element | null): boolean =>
      node !== null && (["sticky", "fixed"].includes(getComputedStyle(node).position) || isSticky(node.parentElement));
    /** Half under a bar that stays in sight, from under which it is scrolled. */
    const isUnderBar = ({ any }: Violation["nodes"][number]) =>
      any.some(
        ({ data, relatedNodes }) =>
          data?.messageKey === "partiallyObscured" &&
          relatedNodes.every(({ target }) => isSticky(document.querySelector(target[0] ?? ":not(*)"))),
      );
    const { violations } = await axe.run(options);
    return violations.flatMap(({ id, nodes }) => {
      const wrong = nodes.filter((node) => !isUnderBar(node));
      return wrong.length > 0 ? [`${id}: ${wrong.map(({ html }) => html.slice(0, 160)).join(" | ")}`] : [];
    });
  }, OPTIONS);
  expect(faults).toEqual([]);
}
