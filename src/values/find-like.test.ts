import { expect, test } from "vitest";
import { findLike } from "./find-like.ts";

const LABELS = ["Übertragungen", "Gelöschte Kunden", "Kunden", "Aktivität", "Größe", "Einstellungen", "Customers", "Sign out"];
const like = (typed: string) => findLike(typed, LABELS, (label) => label);

test.each([
  ["uebertr", ["Übertragungen"]],
  ["ubertr", ["Übertragungen"]],
  ["Übertr", ["Übertragungen"]],
  ["aktivitaet", ["Aktivität"]],
  ["geloescht kund", ["Gelöschte Kunden"]],
  ["groesse", ["Größe"]],
  ["große", ["Größe"]],
  ["kuden", ["Gelöschte Kunden", "Kunden"]], // a letter is missing
  ["kunnden", ["Gelöschte Kunden", "Kunden"]], // one too many
  ["kumden", ["Gelöschte Kunden", "Kunden"]], // a wrong one
  ["cusotm", ["Customers"]], // two swapped
  ["einstelungen", ["Einstellungen"]],
])("an option is found as it is typed: %s", (typed, found) => {
  expect(like(typed)).toEqual(found);
});

test.each(["kude", "cstmers", "nobody", "💩", "%", "customers nobody"])("nothing is found by %s", (typed) => {
  expect(like(typed)).toEqual([]);
});

test("everything is there while nothing is typed", () => {
  expect(like("")).toEqual(LABELS);
});
