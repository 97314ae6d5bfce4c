import { describe, expect, test } from "vitest";
import { conflictOf, findConfusable } from "./confusable-names.ts";

describe("a name", () => {
  test.each([
    ["a Cyrillic o", "Administrat\u043er", "Administrator"],
    ["Cyrillic letters alone", "\u0440\u0430\u0443\u0440\u0430l", "paypal"],
    ["a Greek capital", "\u0391dministrator", "Administrator"],
    ["a digit for a letter", "Bi11ing", "Billing"],
    ["a capital I for a small l", "BiIIing", "Billing"],
    ["r and n for m", "Adrnin", "Admin"],
    ["letters of full width", "\uff36iewer", "Viewer"],
    ["a letter and its accent apart", "Zoe\u0308", "Zo\u00eb"],
    ["a zero width space", "View\u200ber", "Viewer"],
    ["other capitals and a Cyrillic letter", "ADMINISTRAT\u041eR", "Administrator"],
    ["a dotless i", "V\u0131ewer", "Viewer"],
  ])("with %s looks like another", (_, name, other) => {
    expect([findConfusable(name, ["Reception", other]), findConfusable(other, [name])]).toEqual([other, name]);
    expect(conflictOf(name, ["Reception", other])).not.toBeUndefined();
  });

  test.each([
    ["Müller", "Muller"],
    ["Kunden 1", "Kunden 2"],
    ["Kunden 1", "Kunden 11"],
    ["Vertrieb", "Vertrieb Nord"],
    ["销售", "采购"],
    ["Продажи", "Закупки"],
    ["❤️ Sales", "⭐ Sales"],
  ])("%s is another than %s", (name, other) => {
    expect(findConfusable(name, [other])).toBeUndefined();
  });

  test("that is there in other capitals is taken, and looks like no other", () => {
    expect(conflictOf("straße", ["Straße"])).toBe("taken");
    expect(conflictOf("Administrat\u043er", ["Administrator"])).toEqual({ confusableWith: "Administrator" });
    expect(conflictOf("Reception", [])).toBeUndefined();
  });
});
