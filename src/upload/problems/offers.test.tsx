import { screen } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readForms } from "../../../core/forms/readings.ts";
import { type Language, openCatalogue } from "../../../core/i18n/languages.ts";
import { setCatalogue } from "../../../core/i18n/translate.ts";
import type { ProblemGroup } from "../../../pipeline/checking/problem-groups.ts";
import { fieldOfKind } from "../../testing/fields.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { setLocale } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { Offers } from "./offers.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
afterEach(() => {
  setLocale("");
  setCatalogue();
});

/** A group with one offer for this cell, in each of these time zones. */
async function draw(kind: "date" | "datetime", example: string, zones: readonly (string | undefined)[]) {
  const field = fieldOfKind(kind);
  const choices = zones.flatMap((zone) => readForms(field, example, zone)).map(({ name, value }) => ({ name, becomes: value }));
  const group: ProblemGroup = {
    ...{ field: field.name, title: field.title, code: "KIND", message: "", count: 2, more: 0, values: undefined },
    ranges: [[1, 2]],
    offers: [{ choices, rows: 2, example }],
  };
  await drawPart(app, <Offers group={group} field={field} isFirst />);
  return field;
}

const names = () => screen.getAllByRole("button").map(({ textContent }) => textContent);

test("a date that can be read in two ways is shown as the reader writes dates", async () => {
  setLocale("en-IN");
  await draw("date", "03/04/2026", [undefined]);
  expect(names()).toEqual(["3 Apr 2026 Day, month, year", "4 Mar 2026 Month, day, year"]);
});

test("a date with one reading is, too", async () => {
  setLocale("de-DE");
  await draw("date", "31/12/2025", [undefined]);
  expect(names()[0]).toContain("31/12/2025 → 31.12.2025");
});

test.each<[Language, string, string, string]>([
  ["en", "en-IN", "Day, month, year, time zone India Standard Time", "Day, month, year, time zone UTC"],
  ["de", "de-DE", "Tag, Monat, Jahr, Zeitzone Indische Normalzeit", "Tag, Monat, Jahr, Zeitzone UTC"],
])("a date with a time is shown so as well, with the zone by its name in %s", async (language, locale, inIndia, inUtc) => {
  setLocale(locale);
  setCatalogue(await openCatalogue(language));
  const field = await draw("datetime", "03/04/2026 09:05", ["Asia/Calcutta", "UTC"]);
  expect(names().filter((name) => name?.endsWith(inIndia))[0]).toBe(`${formatValue(field, "2026-04-03T03:35:00.000Z")} ${inIndia}`);
  expect(names()).toContain(`${formatValue(field, "2026-04-03T09:05:00.000Z")} ${inUtc}`);
});

test("a proposed value is shown by its label", async () => {
  const field = { ...fieldOfKind("string"), enum: ["a", "p"], labels: new Map([["a", "Active"]]) };
  const proposal = { to: "a", why: "alike" } as const;
  const value = { text: "Actve", rows: 2, proposal };
  const values = { different: 1, more: 0, proposed: 1, proposedRows: 2, proposals: [value], corrected: 2 };
  const group = {
    field: field.name,
    title: field.title,
    code: "ENUM",
    message: "",
    count: 2,
    more: 0,
    ranges: [[1, 2]],
    offers: [],
    values,
  };
  await drawPart(app, <Offers group={group as unknown as ProblemGroup} field={field} isFirst />);
  expect(names()).toEqual(["Actve → Active in all"]);
});
