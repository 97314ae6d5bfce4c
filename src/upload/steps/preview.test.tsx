import { screen, within } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openCatalogue } from "../../../core/i18n/languages.ts";
import { setCatalogue } from "../../../core/i18n/translate.ts";
import { type PreviewFigures, UNCORRECTED } from "../../../pipeline/correction/correction-state.ts";
import { EMPLOYEES } from "../../../server/testing/service.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { formatDatetime, setLocale } from "../../values/format.ts";
import { PreviewDetail } from "./preview.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(EMPLOYEES);
});
afterAll(() => app.close());
afterEach(() => {
  setLocale("");
  setCatalogue();
});

const HIRED = ["2020-03-04T10:00:00.000Z", "2021-03-04T10:00:00.000Z"] as const;
const changes: PreviewFigures["changes"] = [
  {
    key: 1007,
    label: { name: "Ek" },
    fields: [
      { field: "permanent", old: false, now: true },
      { field: "hiredatetime", old: HIRED[0], now: HIRED[1] },
      { field: "salary", old: "1000.5", now: "1200.00" },
      { field: "contract", old: null, now: "full" },
    ],
  },
];

test("the preview of an upload shows old and new values as lists do, and names the record", async () => {
  setCatalogue(await openCatalogue("de"));
  setLocale("de");
  const counts = {
    created: 0,
    updated: 1,
    unchanged: 0,
    failed: 0,
    repeats: 0,
    awaiting: 0,
    unknown: 0,
    existing: 0,
    absent: 0,
    warned: 0,
  };
  const figures = {
    counts,
    rowsDone: 1,
    rowsTotal: 1,
    rowsPerSecond: 0,
    changes,
    warned: [],
    left: new Map([["contract", 2]]),
    rejections: [],
  };
  const corrections = { ...UNCORRECTED, preview: { is: "done", ...figures } } as const;
  await drawPart(app, <PreviewDetail collection={app.collection} corrections={corrections} check={{ ready: 1, matchedBy: "Object ID" }} />);
  const rows = within(screen.getByRole("table", { hidden: true }))
    .getAllByRole("row", { hidden: true })
    .slice(1);
  const texts = rows.map((row) =>
    within(row)
      .getAllByRole("cell", { hidden: true })
      .map(({ textContent }) => textContent),
  );
  expect(texts[0]).toEqual(["1007 Ek", "Permanent", "Nein", "Ja"]);
  expect(texts[1]?.slice(2)).toEqual(HIRED.map((at) => formatDatetime(at)));
  expect(texts[2]?.slice(2)).toEqual(["1.000,50", "1.200,00"]);
  expect(texts[3]?.slice(2)).toEqual(["leer", "Full time"]);
  screen.getByText(/^Dort steht noch ein Wert: 2 .*\.$/, { exact: false });
  screen.getByText("Contract wird nicht mehr abgefragt.");
});
