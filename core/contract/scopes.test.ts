import { describe, expect, test } from "vitest";
import { allows, includesWord, isScopeWord, type Needed, narrowScope, RIGHTS } from "./scopes.ts";

const WORDS = ["read", "write", "admin", ...RIGHTS.flatMap((right) => [`*:${right}`, `customers:${right}`, `orders:${right}`])];

/** Lists what each word allows, written down by hand for one collection. */
const ALLOWED: Record<string, readonly string[]> = {
  read: ["read"],
  write: ["read", "create", "update", "delete"],
  admin: ["read", "create", "update", "delete"],
  "*:read": ["read"],
  "*:create": ["create"],
  "*:update": ["update"],
  "*:delete": ["delete"],
  "customers:read": ["read"],
  "customers:create": ["create"],
  "customers:update": ["update"],
  "customers:delete": ["delete"],
};

describe.each(WORDS)("a scope of the word %s", (word) => {
  test("allows exactly its rights for customers", () => {
    expect(RIGHTS.filter((right) => allows(word, `customers:${right}`))).toEqual(ALLOWED[word] ?? []);
  });
  test("lets sign in, and administrate only as admin", () => {
    expect([allows(word, "signed-in"), allows(word, "admin")]).toEqual([true, word === "admin"]);
  });
  test("includes itself, and no word that allows more", () => {
    expect(includesWord(word, word)).toBe(true);
    const needs = ["admin", ...RIGHTS.flatMap((right) => [`customers:${right}`, `orders:${right}`, `contacts:${right}`])] as Needed[];
    for (const other of WORDS.filter((one) => includesWord(word, one))) {
      for (const needed of needs) if (allows(other, needed)) expect([other, needed, allows(word, needed)]).toEqual([other, needed, true]);
    }
  });
});

test.each(["", "constructor", "customers", "customers:", ":read", "customers:all", "Read", "customers:read:read", "*"])(
  "%j is no word of a scope and allows nothing",
  (word) => {
    expect(isScopeWord(word)).toBe(false);
    expect([allows(word, "signed-in"), allows(word, "customers:read")]).toEqual([false, false]);
  },
);

test("the rights of several words add up", () => {
  const scope = "customers:read orders:create *:delete";
  expect(RIGHTS.filter((right) => allows(scope, `customers:${right}`))).toEqual(["read", "delete"]);
  expect(RIGHTS.filter((right) => allows(scope, `orders:${right}`))).toEqual(["create", "delete"]);
});

test.each([
  ["admin", undefined, "read write admin"],
  ["write", "", "read write"],
  ["admin", "read", "read"],
  ["read", "write", undefined],
  ["read", "customers:read", "customers:read"],
  ["customers:read", "read", undefined],
  ["customers:read customers:create", undefined, "customers:read customers:create"],
  ["*:read *:create *:update *:delete", undefined, "read write"],
  ["read customers:create", undefined, "read customers:create"],
  ["write", "orders:delete orders:delete", "orders:delete"],
  ["admin", "read everything", undefined],
])("from a key with %j, a request for %j gets a token with %j", (granted, requested, expected) => {
  expect(narrowScope(granted, requested)).toBe(expected);
});
