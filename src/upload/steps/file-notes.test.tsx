import { screen } from "@testing-library/react";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openCatalogue } from "../../../core/i18n/languages.ts";
import { setCatalogue } from "../../../core/i18n/translate.ts";
import { inspectFile } from "../../../pipeline/inspection/inspect-file.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { RecalledNote } from "./file-notes.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test.each([
  ["en", "“Fax” and “Age” are new."],
  ["de", "„Fax“ und „Age“ sind neu."],
] as const)("in %s, columns that an earlier file did not have are named in the quotation marks of the language", async (language, note) => {
  onTestFinished(() => setCatalogue());
  setCatalogue(await openCatalogue(language));
  const inspection = await inspectFile(new File(["lastName,Fax,Age\nA,1,2\n"], "customers.csv"), app.collection);
  const { columns, dialect } = inspection;
  const recalled = { columns, added: ["Fax", "Age"], gone: [] };
  const plan = { dialect, columns, mode: "create" as const };
  await drawPart(app, <RecalledNote inspection={{ ...inspection, recalled }} byName={columns} plan={plan} />);
  expect(screen.getByTestId("part").textContent).toContain(note);
});
