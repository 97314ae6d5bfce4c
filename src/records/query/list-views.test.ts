import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDataPackage } from "../../../core/dictionary/collections.ts";
import { parseListUrl } from "./list-url.ts";
import { isSameSearch, openView, searchOf } from "./list-views.ts";

const read = readDataPackage(JSON.parse(readFileSync(new URL("../../../core/dictionary/datapackage.json", import.meta.url), "utf8")));
const [customers] = "collections" in read ? read.collections : [];
if (!customers) throw new Error("The dictionary has no collection.");

test("a view opens as it was saved, without the page that somebody was on and without itself", () => {
  const search = { q: "hoff", "lastName[prefix]": "h", sort: "-createdAt,lastName", columns: "lastName,accountID", limit: "100" };
  expect(openView(customers, search)).toEqual({ search, gone: [] });
  expect(searchOf(parseListUrl(customers, { ...search, cursor: "x", _view: "1f0a" }))).toEqual(search);
});

test("what a view asks for and the dictionary no longer has is left out, and named once", () => {
  const saved = { colour: "red", "size[gte]": "4", lastName: "Ek", sort: "-colour,lastName", columns: "fax,lastName" };
  expect(openView(customers, saved)).toEqual({
    search: { lastName: "Ek", sort: "lastName", columns: "lastName" },
    gone: ["colour", "size", "fax"],
  });
  expect(openView(customers, { sort: "colour", columns: "fax" }).search).toEqual({});
});

test("a view keeps several ways to be in it, without those by a field that is gone", () => {
  const ways = { "or[0].lastName": "Ek", "or[1].lastName[prefix]": "h" };
  expect(openView(customers, { ...ways, "or[2].colour": "red" })).toEqual({ search: ways, gone: ["or[2].colour"] });
});

test("the order of filters makes no other view; another value, or one more, does", () => {
  const view = { lastName: "Ek", accountID: "1" };
  expect(isSameSearch(view, { accountID: "1", lastName: "Ek" })).toBe(true);
  expect(isSameSearch(view, { ...view, q: undefined })).toBe(true);
  expect(isSameSearch(view, { ...view, q: "a" })).toBe(false);
  expect(isSameSearch(view, { ...view, accountID: "2" })).toBe(false);
});
