import { expect, test } from "vitest";
import { createTranslate, LABEL } from "./translate-sentence.ts";

const translate = createTranslate({
  "{title} takes one file.": "{title} nimmt eine Datei.",
  "{title} must be one of these: {values}.": "{title} muss eines davon sein: {values}.",
  "Wait.": "Warten Sie.",
});
const NONE = new Map<string, string>();

test("several sentences are each translated, whatever a title has in it", () => {
  const words = new Map([["Plan A. Draft", "Plan A. Entwurf"]]);
  expect(translate("Plan A. Draft takes one file. Wait.", words)).toBe("Plan A. Entwurf nimmt eine Datei. Warten Sie.");
  expect(translate("Wait. Wait. Nobody knows this.", NONE)).toBeUndefined();
});

test("a text of many sentences of which one is not known is given up, and each rest of it tried once", () => {
  const text = `there is no field "${"A takes one file. ".repeat(200)}zz"`;
  expect(translate(text, NONE)).toBeUndefined();
  expect(translate(`${"A takes one file. ".repeat(11)}zz`, NONE)).toBeUndefined();
});

test("a value that is written like a title stays, and a label is that of the reader", () => {
  const words = new Map([
    ["order", "Bestellung"],
    [`${LABEL}Open`, "Offen"],
  ]);
  expect(translate("Kind must be one of these: invoice, order, Open.", words)).toBe("Kind muss eines davon sein: invoice, order, Offen.");
});
