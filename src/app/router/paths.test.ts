import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatSearch, formatTarget, matchPath, parseSearch, ROUTES, type Target } from "./paths.ts";

describe("a path", () => {
  test.each([
    ["/", "/", {}],
    ["/uploads", "/uploads", {}],
    ["/uploads/new", "/uploads/$upload", { upload: "new" }],
    ["/settings/deleted", "/settings/$page", { page: "deleted" }],
    ["/customers", "/$collection", { collection: "customers" }],
    ["/customers/", "/$collection", { collection: "customers" }],
    ["/customers/new", "/$collection/new", { collection: "customers" }],
    ["/customers/upload", "/$collection/upload", { collection: "customers" }],
    ["/customers/deleted", "/$collection/deleted", { collection: "customers" }],
    ["/recipes", "/recipes", {}],
    ["/activity/new", "/$collection/new", { collection: "activity" }],
    ["/customers/1000000001", "/$collection/$id", { collection: "customers", id: "1000000001" }],
    ["/About", "/about", {}],
    ["/Customers/NEW", "/$collection/new", { collection: "Customers" }],
    ["/a%2Fb/%C3%A4", "/$collection/$id", { collection: "a/b", id: "ä" }],
    ["/customers/100%", "/$collection/$id", { collection: "customers", id: "100%" }],
    ["/customers/1/history", undefined, {}],
  ])("%s leads to %s", (path, route, params) => {
    expect(matchPath(path)).toEqual({ route, params });
  });

  test("made from any parameters gives the same route and parameters back", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    // A name such as "new" would be another route; an address of dots means another folder.
    const value = text.map((one) => `_${one}`);
    const pattern = fc.constantFrom(...ROUTES);
    fc.assert(
      fc.property(pattern, value, value, (to, first, second) => {
        const names = to.split("/").flatMap((name) => (name.startsWith("$") ? [name.slice(1)] : []));
        const params = Object.fromEntries(names.map((name, i) => [name, i === 0 ? first : second]));
        expect(matchPath(formatTarget({ to, params } as Target))).toEqual({ route: to, params });
      }),
    );
  });
});

describe("search parameters", () => {
  test("are texts, also those that look like a number or a truth", () => {
    expect(parseSearch("?q=0071&open=true&none=")).toEqual({ q: "0071", open: "true", none: "" });
  });

  test("are read as older links spell them, and of equal names the last counts", () => {
    expect(parseSearch("?q=a%20b+c&x=%zz&q=%C3%A4")).toEqual({ q: "ä", x: "%zz" });
    expect(parseSearch("?q=a%20b+c%2Bd")).toEqual({ q: "a b c+d" });
  });

  test("without a value are left out, and without any there is no question mark", () => {
    expect(formatSearch({ q: undefined, sort: "-name", limit: "25" })).toBe("?sort=-name&limit=25");
    expect(formatSearch({ q: undefined })).toBe("");
    expect(formatTarget({ to: "/$collection", params: { collection: "customers" }, search: { q: "a&b=c #1" } })).toBe(
      "/customers?q=a%26b%3Dc+%231",
    );
  });

  test("that were written are read back as they were, in their order", () => {
    const search = fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), { noNullPrototype: true });
    fc.assert(
      fc.property(search, (given) => {
        const safe = Object.fromEntries(Object.entries(given).filter(([name]) => name !== "__proto__"));
        expect(Object.entries(parseSearch(formatSearch(safe)))).toEqual(Object.entries(safe));
      }),
    );
  });
});
