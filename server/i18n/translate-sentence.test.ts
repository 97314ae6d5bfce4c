import { expect, test } from "vitest";
import { createTranslate, NO_WORDS } from "./translate-sentence.ts";

const translate = createTranslate({
  "{title} takes one file.": "{title} nimmt eine Datei.",
  "{title} must be one of these: {values}.": "{title} muss eines davon sein: {values}.",
  "Wait.": "Warten Sie.",
});

test("several sentences are each translated, whatever a title has in it", () => {
  const words = { ...NO_WORDS, names: new Map([["Plan A. Draft", "Plan A. Entwurf"]]) };
  expect(translate("Plan A. Draft takes one file. Wait.", words)).toBe("Plan A. Entwurf nimmt eine Datei. Warten Sie.");
  expect(translate("Wait. Wait. Nobody knows this.", NO_WORDS)).toBeUndefined();
});

test("a text of many sentences of which one is not known is given up, and each rest of it tried once", () => {
  const text = `there is no field "${"A takes one file. ".repeat(200)}zz"`;
  expect(translate(text, NO_WORDS)).toBeUndefined();
  expect(translate(`${"A takes one file. ".repeat(11)}zz`, NO_WORDS)).toBeUndefined();
});

test("a value that is written like a title stays, and a label is that of the reader", () => {
  const words = { names: new Map([["order", "Bestellung"]]), labels: new Map([["Open", "Offen"]]) };
  expect(translate("Kind must be one of these: invoice, order, Open.", words)).toBe("Kind muss eines davon sein: invoice, order, Offen.");
});
