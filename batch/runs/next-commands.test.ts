// Tests how a person is told to load rejects once they are right, and how words are quoted for a shell.

import { describe, expect, test } from "vitest";
import { formatCommand, loadRejects } from "./next-commands.ts";
import type { StoredRun } from "./run-registry.ts";

const ONE = { resources: [{}] };
const SEVERAL = { resources: [{}, {}] };

function sentenceFor(run: Partial<StoredRun>): string {
  const plan = { mode: "create", dialect: {}, columns: [] };
  return loadRejects({ collection: "orders", dictionary: ONE, plan, ...run } as unknown as StoredRun, "/in/a.csv.rejects");
}

describe("rejects are loaded", () => {
  const run = "Correct a.csv.rejects, then load it with: intake-batch run /in/a.csv.rejects";
  test.each<[how: string, run: Partial<StoredRun>, sentence: string]>([
    ["as their file was", {}, run],
    ["for the collection, where the service has several", { dictionary: SEVERAL }, `${run} --collection orders`],
    ["in the mode of the run", { plan: { mode: "upsert", dialect: {} } as StoredRun["plan"] }, `${run} --mode upsert`],
    ["by the layout", { readBy: { layout: "/conf/my orders.json" }, dictionary: SEVERAL }, `${run} --layout '/conf/my orders.json'`],
    [
      "by the recipe, which has the mode",
      { readBy: { recipe: "Daily" }, plan: { mode: "update", dialect: {} } as StoredRun["plan"] },
      `${run} --recipe Daily`,
    ],
    [
      "with what was chosen about the file",
      { readWith: { heading: 0, fileEncoding: "windows-1250", separator: "\t", suspectRows: "load" } },
      `${run} --heading 0 --encoding windows-1250 --separator tab --suspect-rows load`,
    ],
    [
      "of a workbook, which are a CSV file",
      {
        plan: { mode: "create", dialect: { sheet: "May", headingLine: 5 } } as StoredRun["plan"],
        readWith: { heading: 5, suspectRows: "refuse" },
      },
      `${run} --heading 1`,
    ],
    [
      "of a workbook by a recipe, which has the row of the heading",
      { plan: { mode: "create", dialect: { sheet: "May", headingLine: 5 } } as StoredRun["plan"], readBy: { recipe: "Daily" } },
      `${run} --recipe Daily --heading 1`,
    ],
    [
      "of a packed file by a recipe, which has its separator, too",
      { plan: { mode: "create", dialect: { entry: "a.csv", headingLine: 2 } } as StoredRun["plan"], readBy: { recipe: "Daily" } },
      `${run} --recipe Daily --heading 1 --encoding UTF-8 --separator ,`,
    ],
    [
      "for one of the layout's collections",
      { readBy: { layout: "/a.json" }, parts: ["customers", "orders"] },
      `${run} --layout /a.json --collection orders`,
    ],
    [
      "by hand, of a recipe with several collections",
      { readBy: { recipe: "Daily" }, parts: ["customers", "orders"] },
      "Correct a.csv.rejects, then load it with --layout and --collection orders: the recipe would load the other collections again.",
    ],
  ])("%s", (_, of, sentence) => {
    expect(sentenceFor(of)).toBe(sentence);
  });
});

test("a word that a shell would read in another way stands in quotation marks", () => {
  expect(formatCommand(["run", "it's here.csv", "--separator", ";"])).toBe("intake-batch run 'it'\\''s here.csv' --separator ';'");
});
