// The check of a file asks the rules of several fields, each as a group of its own.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { openCatalogue } from "../../core/i18n/languages.ts";
import { setCatalogue } from "../../core/i18n/translate.ts";
import { type AcceptedCode, acknowledgedBy, NO_CORRECTIONS } from "../model/corrections.ts";
import type { UploadMode } from "../model/plan.ts";
import { runCheck, runInspection } from "../runs/run-upload.ts";
import type { UploadState } from "../runs/upload-state.ts";
import { createClock, fileOf } from "../testing/fake-service.ts";

const read = readDataPackage(JSON.parse(readFileSync(join(import.meta.dirname, "../../core/dictionary/staff-rules.example.json"), "utf8")));
if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
const [staff] = read.collections as [Collection];

async function check(text: string, mode: UploadMode, accepted: readonly AcceptedCode[] = [], collection = staff) {
  const file = fileOf(text);
  const inspection = await runInspection(file, collection);
  if (inspection.step !== "columns") throw new Error(inspection.step);
  const { dialect, columns } = inspection.inspection;
  let last: UploadState | undefined;
  const { signal } = new AbortController();
  const plan = { dialect, columns, mode, fixes: { ...NO_CORRECTIONS, accepted } };
  for await (const state of runCheck({ file, collection, plan, signal, clock: createClock() })) last = state;
  if (last?.step !== "checked") throw new Error(last?.step);
  const { notes } = last.check;
  return {
    ready: last.check.ready,
    ...(notes.length > 0 && { notes }),
    groups: last.check.groups.map(({ code, field, message, count }) => [code, field, message, count]),
  };
}

const HEADING = "id,firstName,lastName,email,phone,contract,startOn,endOn,hours";
const ROWS = [
  "1,Ada,Lang,ada@example.com,,full,2026-01-01,2026-12-31,38.5",
  "2,Ben,Kurz,ben@example.com,,full,2026-01-01,2025-12-31,38.5",
  "3,Cleo,Groß,cleo@example.com,,part,2026-01-01,2025-12-30,20",
  "4,Dan,Klein,,,part,2026-01-01,,20",
  "5,Eve,Alt,eve@example.com,,temp,2026-01-01,,38.5",
  "6,Fay,Jung,fay@example.com,,full,2026-01-01,,x",
  "7,Gus,Neu,,12-34,full,2026-01-01,2025-12-31,20",
];

test("new rows are held to every rule, once for each row, in the reader's language", async () => {
  onTestFinished(() => setCatalogue());
  setCatalogue(await openCatalogue("de"));
  expect(await check([HEADING, ...ROWS].join("\n"), "create")).toEqual({
    ready: 1,
    groups: [
      ["RULE.endAfterStart", "endOn", "Das Ende darf nicht vor dem Anfang liegen.", 3],
      ["RULE.reachable", "email", "E-Mail oder Telefon wird gebraucht.", 1],
      ["RULE.temporaryEnds", "endOn", "Ein befristeter Vertrag hat ein Ende.", 1],
      ["KIND", "hours", expect.any(String), 1],
      ["RULE.fullTimeHours", "hours", "Vollzeit sind 35 Stunden oder mehr.", 1],
      ["RULE.phoneDigits", "phone", "Eine Telefonnummer hat mindestens sechs Ziffern.", 1],
    ],
  });
});

test("a rule about who writes is left to the service", async () => {
  const ofWriter = { name: "own", title: "Own", type: "string", constraints: { requiredIf: 'me.name != "Ada"' } };
  const rules = [{ name: "mine", must: 'me.name in ["Ada"]', message: "Only Ada may do this.", fields: ["lastName"] }];
  const fields = [{ name: "id", type: "integer" }, { name: "lastName", title: "Last name" }, ofWriter];
  const read = readDataPackage({ resources: [{ name: "things", rules, schema: { fields, primaryKey: "id" } }] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  expect(await check("id,lastName\n1,Lang", "create", [], read.collections[0])).toEqual({ ready: 1, groups: [] });
});

test("of rows that may change a record nobody knows what is stored, so the service is asked", async () => {
  expect(await check([HEADING, ...ROWS].join("\n"), "upsert")).toMatchObject({
    ready: 6,
    groups: [["KIND", "hours", expect.any(String), 1]],
  });
});

const PAID = [
  "id,firstName,lastName,email,salary",
  "1,Ada,Lang,a@example.com,9500",
  "2,Ben,Kurz,,9600",
  "3,Cleo,Groß,c@example.com,5000",
].join("\n");

test("what a rule warns of is a group of its own, beside errors of the same row, until somebody confirms it", async () => {
  const groups = [
    ["WARNING.unusualSalary", "salary", "More than 9,000 a month is unusual.", 2],
    ["RULE.reachable", "email", "E-mail or phone is needed.", 1],
  ];
  expect(await check(PAID, "create")).toEqual({ ready: 1, groups });
  for (const accepted of ["WARNING.unusualSalary", "WARNING.all"] as const)
    expect(await check(PAID, "create", [accepted])).toEqual({ ready: 2, groups: groups.slice(1) });
  expect((await check(PAID, "create", ["WARNING.other"])).ready).toBe(1);
});

test("confirmed warnings are named in requests", () => {
  expect(acknowledgedBy({ ...NO_CORRECTIONS, accepted: ["TOTAL", "WARNING.a", "WARNING.b"] })).toEqual(["a", "b"]);
  expect(acknowledgedBy({ ...NO_CORRECTIONS, accepted: ["WARNING.a", "WARNING.all"] })).toBe("all");
  expect(acknowledgedBy()).toEqual([]);
});

test("a column of computed values is passed over with one sentence, whatever it has", async () => {
  const inspected = await runInspection(fileOf("id,Full name,firstName,lastName,age,email\n1,,Ada,Lang,,"), staff);
  if (inspected.step !== "columns") throw new Error(inspected.step);
  expect(inspected.inspection.columns).toEqual(["id", null, "firstName", "lastName", null, "email"]);
  const sentence = "“Full name”, “age” are computed, and their columns are passed over.";
  const rows = ["1,Somebody else,Ada,Lang,999,ada@example.com", "2,,Ben,Kurz,many,ben@example.com"];
  for (const mode of ["create", "upsert"] as const)
    expect(await check(["id,Full name,firstName,lastName,age,email", ...rows].join("\n"), mode)).toEqual({
      ready: 2,
      notes: [sentence],
      groups: [],
    });
});
