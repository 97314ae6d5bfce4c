// The check of a file asks the conditions of fields and fills defaults, as the service does with new records.

import { expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { Plan, UploadMode } from "../model/plan.ts";
import { runCheck, runInspection } from "../runs/run-upload.ts";
import type { UploadState } from "../runs/upload-state.ts";
import { createClock, fileOf } from "../testing/fake-service.ts";
import { createRowValidator, loadForms } from "./validate-row.ts";

const field = (name: string, type = "string", more: object = {}) => ({ name, title: name, type, ...more });
const read = readDataPackage({
  title: "Cases",
  resources: [
    {
      name: "cases",
      singular: "case",
      title: "Cases",
      rules: [{ name: "owned", must: "!isEmpty(owner)", message: "A case has an owner." }],
      schema: {
        fields: [
          field("id", "integer"),
          field("country"),
          field("state", "string", {
            choicesIf: [
              { when: 'country == "DE"', values: ["Bavaria", "Berlin"] },
              { when: 'country == "US"', values: ["Ohio"] },
            ],
          }),
          field("status", "string", { constraints: { required: true, enum: ["open", "closed"] }, default: '"closed"' }),
          field("reason", "string", { requiredIf: 'status == "closed"' }),
          field("owner", "string", { default: "me.name" }),
          field("amount", "integer"),
          field("fee", "integer", { default: "amount * 2", constraints: { maximum: 10 } }),
        ],
        primaryKey: "id",
      },
    },
  ],
});
if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
const [cases] = read.collections as [(typeof read.collections)[0]];

async function check(lines: readonly string[], mode: UploadMode) {
  const file = fileOf(lines.join("\n"));
  const inspection = await runInspection(file, cases);
  if (inspection.step !== "columns") throw new Error(inspection.step);
  const { dialect, columns } = inspection.inspection;
  const plan: Plan = { dialect, columns, mode };
  let last: UploadState | undefined;
  const { signal } = new AbortController();
  for await (const state of runCheck({ file, collection: cases, plan, signal, clock: createClock() })) last = state;
  if (last?.step !== "checked") throw new Error(last?.step);
  const groups = last.check.groups.map(({ code, field, message, count, values }) => [code, field, message, count, values]);
  return { ready: last.check.ready, groups, plan };
}

test("each condition is a group of its own, also where its lists differ, with no values that could be replaced in vain", async () => {
  const lines = [
    "country,state,status,reason",
    "DE,Berlin,open,",
    "DE,Ohio,open,",
    "US,Berlin,open,",
    "DE,Bavaria,closed,",
    "FR,Alsace,closed,done",
  ];
  const { ready, groups } = await check(lines, "create");
  expect({ ready, groups }).toEqual({
    ready: 2,
    groups: [
      ["RULE.state.choicesIf", "state", "state does not fit the other values of the row.", 2, undefined],
      ["RULE.reason.requiredIf", "reason", "Enter the reason.", 1, undefined],
    ],
  });
});

test("a column that is not there has its default, also of a required field; an empty cell stays empty", async () => {
  const without = await check(["country,reason", "DE,", "DE,done"], "create");
  expect(without).toMatchObject({ ready: 1, groups: [["RULE.reason.requiredIf", "reason", "Enter the reason.", 1, undefined]] });
  const withColumn = await check(["country,owner,reason", "DE,,done", "DE,Ada,done"], "create");
  expect(withColumn).toMatchObject({ ready: 1, groups: [["RULE.owned", "owner", "A case has an owner.", 1, undefined]] });
  const records: Fields[] = [];
  const validate = createRowValidator(cases, withColumn.plan, { readForm: await loadForms(withColumn.plan, cases) });
  for (const cells of [
    ["DE", "", "done"],
    ["DE", "Ada", "done"],
  ]) {
    const into: Fields = {};
    validate(records.length + 1, cells, undefined, into);
    records.push(into);
  }
  expect(records).toEqual([
    { country: "DE", owner: null, reason: "done" },
    { country: "DE", owner: "Ada", reason: "done" },
  ]);
});

test("a default that breaks the rules of its field is said at the row", async () => {
  const { ready, groups } = await check(["amount,reason", "5,done", "6,done"], "create");
  expect([ready, groups.map(([code, name, message, count]) => [code, name, message, count])]).toEqual([
    1,
    [["TOO_LARGE", "fee", "fee must be 10 or less.", 1]],
  ]);
});
