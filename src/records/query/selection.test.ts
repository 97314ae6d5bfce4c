import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { WireRecord } from "../../../core/contract/records.ts";
import { readDataPackage } from "../../../core/dictionary/collections.ts";
import { personKey } from "../../browser/person.ts";
import { createRowCounter } from "./count-csv-rows.ts";
import { asShown, createSelections, pick, select, unselect } from "./selection.ts";
import { createViews, homeSearch } from "./views.ts";

const read = readDataPackage(JSON.parse(readFileSync(new URL("../../../core/dictionary/datapackage.json", import.meta.url), "utf8")));
const [customers] = "collections" in read ? read.collections : [];
if (!customers) throw new Error("dictionary");
const collection = customers;

const row = (objectId: number, version = 1): WireRecord => ({
  objectId,
  lastName: "L",
  version,
  createdAt: "",
  updatedAt: "",
  createdBy: null,
  updatedBy: null,
});
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => row(from + i));

test("shift selects from the row before to this one, in either direction, and takes as many off again", () => {
  const page = rows(1, 9);
  const some = pick(collection, new Map(), page, 3);
  const more = pick(collection, some, page, 6, 3);
  expect([...more.keys()].sort()).toEqual([3, 4, 5, 6]);
  expect([...pick(collection, more, page, 4, 6).keys()].sort()).toEqual([3]);
  expect([...pick(collection, some, page, 1, 3).keys()].sort()).toEqual([1, 2, 3]);
});

test("shift from a row of another page selects this one alone", () => {
  expect([...pick(collection, select(collection, new Map(), [row(1)]), rows(10, 20), 15, 1).keys()]).toEqual([1, 15]);
});

test("what is selected on one page stays selected while others are picked from, and picking twice changes nothing", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 50 })), fc.integer({ min: 60, max: 90 }), (ids, id) => {
      const before = select(
        collection,
        new Map(),
        ids.map((one) => row(one)),
      );
      const page = rows(60, 90);
      const once = pick(collection, before, page, id);
      expect([...once.keys()]).toEqual([...ids, id]);
      expect(pick(collection, once, page, id)).toEqual(before);
      expect(unselect(once, [id])).toEqual(before);
    }),
  );
});

test("a selected record that the page shows in a newer version is acted on as shown", () => {
  const selection = select(collection, new Map(), rows(1, 3));
  expect([...asShown(collection, selection, [row(2, 7), row(9, 2)]).values()].map(({ version }) => version)).toEqual([1, 7, 1]);
});

test("a page from before a change of a selected record does not bring its old version back", () => {
  const selection = select(collection, new Map(), [row(1, 3), row(2, 3)]);
  expect([...asShown(collection, selection, [row(1, 1), row(2, 4)]).values()].map(({ version }) => version)).toEqual([3, 4]);
});

test("signing out clears the selection and notifies its listeners", () => {
  const selections = createSelections();
  let notified = 0;
  selections.subscribe(() => notified++);
  selections.put(collection, select(collection, new Map(), rows(1, 3)));
  selections.clear();
  expect([selections.of(collection).size, notified]).toEqual([0, 2]);
});

function storage(): Pick<Storage, "getItem" | "setItem"> {
  const entries = new Map<string, string>();
  return { getItem: (key) => entries.get(key) ?? null, setItem: (key, value) => void entries.set(key, value) };
}

const anna = () => personKey("https://intake.example.org/v1", "anna");

test("what a list opens with is nobody else's", () => {
  const disk = storage();
  createViews(new EventTarget(), disk, anna).put(collection, { home: { id: "1f0a", search: { q: "secret" } } });
  expect(createViews(new EventTarget(), disk, () => `${anna()}2`).of(collection)).toEqual({});
});

test("what a list opens with outlasts the tab: its view, or all records with the last columns", () => {
  const disk = storage();
  const views = createViews(new EventTarget(), disk, anna);
  views.put(collection, { home: { id: "1f0a", search: { sort: "lastName" } }, columns: "lastName" });
  const again = createViews(new EventTarget(), disk, anna).of(collection);
  expect(homeSearch(again)).toEqual({ sort: "lastName", _view: "1f0a" });
  expect(homeSearch({ ...again, home: undefined })).toEqual({ columns: "lastName" });
  expect(homeSearch({})).toEqual({});
});

test("columns that another tab chose stay when this one chooses a view to open with", () => {
  const disk = storage();
  const [here, there] = [new EventTarget(), new EventTarget()];
  const [mine, theirs] = [createViews(here, disk, anna), createViews(there, disk, anna)];
  let notified = 0;
  mine.subscribe(() => notified++);
  mine.of(collection);
  theirs.put(collection, { ...theirs.of(collection), columns: "lastName" });
  here.dispatchEvent(Object.assign(new Event("storage"), { key: `intake.views ${anna()} customers` }));
  expect(notified).toBe(1);
  mine.put(collection, { ...mine.of(collection), home: { id: "1f0a", search: {} } });
  expect(createViews(here, disk, anna).of(collection)).toMatchObject({ columns: "lastName", home: { id: "1f0a" } });
});

test("what a list opens with lasts for the tab in a browser without storage", () => {
  const broken = {
    getItem: () => "{broken",
    setItem: () => {
      throw new Error("full");
    },
  };
  const views = createViews(new EventTarget(), broken, anna);
  views.put(collection, { ...views.of(collection), columns: "lastName" });
  expect(views.of(collection)).toEqual({ columns: "lastName" });
});

test("rows of a CSV file are counted wherever its bytes are cut, line breaks in cells aside", () => {
  const bytes = new TextEncoder().encode('a,b\r\n1,"x\r\ny ""z"""\r\n2,ü\r\n');
  fc.assert(
    fc.property(fc.nat(bytes.length), fc.nat(bytes.length), (one, two) => {
      const counter = createRowCounter();
      const [from = 0, to = 0] = [one, two].sort((a, b) => a - b);
      for (const part of [bytes.slice(0, from), bytes.slice(from, to), bytes.slice(to)]) counter.add(part);
      expect(counter.rows()).toBe(2);
    }),
  );
});
