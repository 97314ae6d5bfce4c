// A point that may stand between thousands is not taken for a decimal sign without a word.

import { describe, expect, test } from "vitest";
import { createValueCounts } from "../correction/wrong-values.ts";
import { realClock } from "../model/clock.ts";
import { type Corrections, NO_CORRECTIONS } from "../model/corrections.ts";
import type { Dialect } from "../model/dialect.ts";
import type { Plan } from "../model/plan.ts";
import type { AutoFixName } from "../model/value-fixes.ts";
import { type CheckJob, runCheck } from "../runs/run-upload.ts";
import { counted, createService, employees, fileOf, planFor, upload } from "../testing/fake-service.ts";
import { xlsxFile } from "../testing/workbooks.ts";
import type { CheckSummary } from "./findings.ts";

const COLUMNS = ["id", "name", "permanent", "salary", "workload"];

/** `amounts`: salary and workload of each row. */
function fileWith(amounts: readonly (readonly [salary: string, workload?: string])[]): File {
  const rows = amounts.map(([salary, workload = ""], i) => `${i + 1},Ann,true,"${salary}","${workload}"\n`);
  return fileOf(`id,name,permanent,salary,workload\n${rows.join("")}`);
}

/** `salaries`: cells as they stand in a sheet. */
function workbookWith(salaries: readonly string[]): File {
  const rows = salaries.map((cell, i) => `<row><c><v>${i + 1}</v></c><c t="str"><v>Ann</v></c><c t="b"><v>1</v></c>${cell}</row>`);
  const head = `<row>${COLUMNS.map((name) => `<c t="str"><v>${name}</v></c>`).join("")}</row>`;
  return xlsxFile([{ name: "Sheet1", xml: `<sheetData>${head}${rows.join("")}</sheetData>` }]);
}

async function checkOf(content: Parameters<typeof fileWith>[0] | File, dialect: Partial<Dialect> = {}, given: Partial<Plan> = {}) {
  const plain = planFor("create", COLUMNS);
  const plan = { ...plain, ...given, dialect: { ...plain.dialect, ...dialect } };
  let check: CheckSummary | undefined;
  let checked: Plan = plan;
  const onFound = (_: unknown, found: Plan) => {
    checked = found;
  };
  const signal = new AbortController().signal;
  const file = content instanceof File ? content : fileWith(content);
  for await (const state of runCheck({ file, collection: employees, plan, signal, onFound }))
    if (state.step === "checked") check = state.check;
  return {
    ready: check?.ready,
    rows: check?.rowsRead,
    groups: check?.groups.map(({ field, code, count }) => [field, code, count]),
    plan: checked,
  };
}

describe("a point before three digits", () => {
  test("is asked when nothing in the file says what it means", async () => {
    const { ready, groups, rows } = await checkOf([["50.000"], ["1.250"], ["7"], [""]]);
    expect({ ready, groups, rows }).toEqual({ ready: 2, groups: [["salary", "AMBIGUOUS", 2]], rows: 4 });
    const asFormulas = await checkOf([['=""50.000""'], ['=""7""']]);
    expect(asFormulas.groups).toEqual([["salary", "AMBIGUOUS", 1]]);
  });

  test.each([
    ["another number of the column has a decimal point", [["50.000"], ["12.5"]]],
    ["another one begins with a zero", [["50.000"], ["0.12"]]],
    ["another column has decimal points", [["50.000", "0.8"]]],
  ] as const)("is a decimal sign when %s", async (_, amounts) => {
    const { ready, rows } = await checkOf(amounts);
    expect(ready).toBe(rows);
  });

  test("is asked when another column has decimal points and one has decimal commas", async () => {
    const { groups } = await checkOf([["50.000", "0.8"], ["1,5"]]);
    expect(groups).toContainEqual(["salary", "AMBIGUOUS", 1]);
  });

  test("is a decimal sign where thousands are no value of the field", async () => {
    const { ready } = await checkOf([["", "1.000"]]);
    expect(ready).toBe(1);
  });

  test("is asked in the text cells of a workbook, and not in its numbers, which have no zero at the end", async () => {
    const file = workbookWith(['<c t="inlineStr"><is><t>50.000</t></is></c>', "<c><v>12.5</v></c>", "<c><v>49.95</v></c>"]);
    const { groups } = await checkOf(file, { sheet: "Sheet1" });
    expect(groups).toEqual([["salary", "AMBIGUOUS", 1]]);
  });

  test("is asked by the plan that is uploaded, too, also in a cell that was typed", async () => {
    const { plan } = await checkOf([["50.000"], ["7"]]);
    const edits = { 2: { 3: "60.000" } };
    const fixes = { ...plan.fixes, autoFixes: [], leftOut: [], leftOutGroups: [], edits };
    const { groups, ready } = await checkOf([["50.000"], ["7"]], {}, { ...plan, fixes });
    expect({ ready, groups }).toEqual({ ready: 0, groups: [["salary", "AMBIGUOUS", 2]] });
    const answered = { ...fixes, autoFixes: [{ field: "salary", name: "number:,?" as const }] };
    expect((await checkOf([["50.000"], ["7"]], {}, { ...plan, fixes: answered })).ready).toBe(2);
  });

  test("is never stored unasked, whoever checked the file", async () => {
    const service = createService({ collection: employees });
    const { report } = await upload(fileWith([["50.000"], ["7"]]), service, { collection: employees, plan: planFor("create", COLUMNS) });
    expect(counted(report)).toEqual({ created: 1, notSent: 1 });
    expect(report.notStored[0]?.reason).toMatch(/can be read in two ways/);
  });
});

describe("1,005 in a column of two decimals", () => {
  const checkWith = async (content: readonly string[] | File, fixes?: Plan["fixes"]) => {
    const collection = employees;
    const isWorkbook = content instanceof File;
    const plain = planFor("create", COLUMNS);
    const plan = { ...plain, ...(fixes && { fixes }), dialect: { ...plain.dialect, ...(isWorkbook && { sheet: "Sheet1" }) } };
    let offers: string[][] = [];
    let checked: { ready: number; plan: Plan } | undefined;
    const onFound: CheckJob["onFound"] = (findings, found) => {
      const { groups, ready } = findings.summary();
      offers = groups.flatMap((group) => group.offers.map(({ choices, example }) => [example, ...choices.map(({ name }) => name)]));
      checked = { ready, plan: found };
    };
    const { signal } = new AbortController();
    const file = isWorkbook ? content : fileWith(content.map((salary) => [salary]));
    for await (const _ of runCheck({ file, collection, plan, signal, onFound, countValues: createValueCounts() }));
    return { offers: offers.sort(), ...checked };
  };
  const chosen = (...names: AutoFixName[]): Plan["fixes"] => ({
    ...NO_CORRECTIONS,
    autoFixes: names.map((name) => ({ field: "salary", name })),
  });

  test("is a thousand and five where nothing speaks against it", async () => {
    const { offers } = await checkWith(["1,005", "7"]);
    expect(offers).toEqual([["1,005", "number:."]]);
  });

  test("gets no offer beside decimal commas, for it has a digit too many there", async () => {
    const { offers } = await checkWith(["1,005", "0,50", "1.499,90"]);
    expect(offers).toEqual([["0,50", "number:,"]]);
    expect((await checkWith(["1,005 €", "0,50 €"])).offers).toEqual([["0,50 €", "number:,€"]]);
  });

  test("gets none, with a point, beside decimal points either", async () => {
    const { offers } = await checkWith(["1.005", "0.50"]);
    expect(offers).toEqual([]);
  });

  test("gets none as a number of a workbook, and is left alone by the fix for the texts beside it", async () => {
    const numbers = ["<c><v>2.375</v></c>", "<c><v>10</v></c>", "<c><f>0.335*3</f><v>1.005</v></c>"];
    expect(await checkWith(workbookWith(numbers))).toMatchObject({ offers: [], ready: 1 });
    const mixed = workbookWith([...numbers, '<c t="inlineStr"><is><t>1.333,50</t></is></c>']);
    expect(await checkWith(mixed)).toMatchObject({ offers: [["1.333,50", "number:,"]], ready: 1 });
    expect(await checkWith(mixed, chosen("number:,"))).toMatchObject({ offers: [], ready: 2 });
  });

  test("is judged by what the file says now, whatever an earlier check of other columns found", async () => {
    const given: Plan = { ...planFor("create", COLUMNS), fixes: chosen("number:,") as Corrections, decimalSigns: { salary: "," } };
    const cancel = new AbortController();
    let looks = 0; // at the clock, some for each time that the file is read
    const now = () => {
      looks += 1;
      if (looks > 1_000) cancel.abort();
      return looks;
    };
    const job = { file: fileWith([["7"], ["8"]]), collection: employees, plan: given, signal: cancel.signal, clock: { ...realClock, now } };
    const steps: string[] = [];
    for await (const { step } of runCheck(job)) steps.push(step);
    expect(steps.at(-1)).toBe("checked");
  });

  test("stays wrong when fixes for other cells would fit it, in the check and in what is sent", async () => {
    const salaries = ["1,005", "0,50", "1,499.90"];
    const { ready, plan } = await checkWith(salaries, chosen("number:,", "number:."));
    expect(ready).toBe(2);
    const service = createService({ collection: employees });
    const { report } = await upload(fileWith(salaries.map((salary) => [salary])), service, { collection: employees, plan: plan as Plan });
    expect(counted(report)).toEqual({ created: 2, notSent: 1 });
    expect([...service.records.values()].map(({ salary }) => salary)).toEqual(["0.5", "1499.9"]);
  });
});
