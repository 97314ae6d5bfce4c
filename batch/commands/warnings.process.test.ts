// Rows of which rules warn are refused by the command, and loaded where an option or a recipe confirms them.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RECIPES_PATH } from "../../core/contract/paths.ts";
import { ADMIN_SECRET, authorize } from "../../server/testing/process.ts";
import { STAFF_RULES } from "../../server/testing/service.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";

const { path: folder, remove } = makeFolder();
const service = await startService(join(folder, "store"), "0", { DICTIONARY: STAFF_RULES });
const headers = await authorize(service.url, "preset", ADMIN_SECRET);
afterAll(() => {
  service.child.kill();
  remove();
});

const HEADING = "id,firstName,lastName,email,salary";
function fileOf(name: string, ...rows: string[]): string {
  const path = join(folder, `${name}.csv`);
  writeFileSync(path, [HEADING, ...rows].join("\n"));
  return path;
}
const run = (path: string, ...options: string[]) => batch(service.url, ["run", path, ...options]);
const salaryOf = async (id: number) =>
  ((await (await fetch(`${service.url}/v1/staff/${id}`, { headers })).json()) as { salary?: string }).salary;

test("a new row waits for --acknowledge, by the name of the rule or by all, and its history says so", async () => {
  const refused = await run(fileOf("new", "1,Ada,Lang,a@example.com,9500"));
  expect([refused.code, await salaryOf(1)]).toEqual([1, undefined]);
  expect(readFileSync(join(folder, "new.csv.report.txt"), "utf8")).toContain("More than 9,000 a month is unusual.");
  expect((await run(fileOf("other", "1,Ada,Lang,a@example.com,9500"), "--acknowledge", "noSuchRule")).code).toBe(1);
  expect((await run(fileOf("named", "1,Ada,Lang,a@example.com,9500"), "--acknowledge", "unusualSalary")).code).toBe(0);
  expect((await run(fileOf("all", "2,Ben,Lang,b@example.com,9600"), "--acknowledge", "all")).code).toBe(0);
  expect([await salaryOf(1), await salaryOf(2)]).toEqual(["9500", "9600"]);
  const { history } = (await (await fetch(`${service.url}/v1/staff/1/history`, { headers })).json()) as {
    history: { acknowledged?: string[] }[];
  };
  expect(history[0]?.acknowledged).toEqual(["unusualSalary"]);
  expect((await run(fileOf("wrong"), "--acknowledge", "a b")).stderr).toContain(
    "--acknowledge takes names of rules with commas between, or all.",
  );
});

test("a change waits for it, too, which the service says alone", async () => {
  expect((await run(fileOf("change", "1,Ada,Lang,a@example.com,9700"), "--mode", "upsert")).code).toBe(1);
  expect(await salaryOf(1)).toBe("9500");
  expect((await run(fileOf("changed", "1,Ada,Lang,a@example.com,9700"), "--mode", "upsert", "--acknowledge", "unusualSalary")).code).toBe(
    0,
  );
  expect(await salaryOf(1)).toBe("9700");
});

test("a recipe keeps the confirmation", async () => {
  const content = {
    ...{ form: 1, mode: "create", choices: {}, columns: HEADING.split(","), autoFixes: [], leftOutGroups: [] },
    accepted: ["WARNING.unusualSalary"],
  };
  const body = JSON.stringify({ name: "Payroll", collection: "staff", headings: HEADING.split(","), content });
  expect((await fetch(`${service.url}/v1${RECIPES_PATH}`, { method: "POST", headers, body })).status).toBe(201);
  expect((await run(fileOf("payroll", "3,Cleo,Lang,c@example.com,9900"), "--recipe", "Payroll")).code).toBe(0);
  expect(await salaryOf(3)).toBe("9900");
});
