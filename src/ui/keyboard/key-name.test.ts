import { expect, onTestFinished, test } from "vitest";
import { openCatalogue } from "../../../core/i18n/languages.ts";
import { setCatalogue } from "../../../core/i18n/translate.ts";
import { keyName } from "./key-name.ts";

test("a key is called what German keyboards call it", async () => {
  onTestFinished(() => setCatalogue());
  setCatalogue(await openCatalogue("de"));
  expect(["Home", "End", "Shift+End"].map(keyName)).toEqual(["Pos1", "Ende", "Umschalt+Ende"]);
});
