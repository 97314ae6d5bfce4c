// Prints the figures of the page as tables, each beside its goal.

import { printTable } from "../support/table.ts";
import type { PageFigures } from "./page.ts";

export function printPage({ records, lighthouse, search, render, interactions, openings }: PageFigures): void {
  printTable(
    "Lighthouse, mobile preset, medians (goals: performance 98, the others 100; layout shift 0.02)",
    ["page", "performance", "accessibility", "practices", "first paint ms", "largest ms", "blocked ms", "shift"],
    lighthouse.map(({ page, figures: f }) => [
      page,
      f.performance,
      f.accessibility,
      f.bestPractices,
      f.firstPaint,
      f.largestPaint,
      f.blocked,
      f.layoutShift,
    ]),
  );
  printTable(
    `The page with ${records.toLocaleString("en")} records stored`,
    ["what", "ms", "at most", "goal"],
    [
      ["last letter typed in search to its rows on the screen", search.p50, search.most, "150"],
      ["last byte of 100 rows to the frame that shows them", render.p50, render.most, "100"],
      [
        `${interactions.count} interactions, processor 4 × slower, p75 (slowest: ${interactions.slowest})`,
        interactions.p75,
        interactions.most,
        "50",
      ],
    ],
  );
  printTable(
    "From the press to the frame that shows it, the list at rest, processor 4 × slower, slow 4G",
    ["what", "ms", "at most", "goal"],
    openings.map(({ what, p50, most }) => [what, p50, most, "400"]),
  );
}
