import { expect, test } from "vitest";
import { describeScope, scopeOf, wordsOf } from "./scope-text.ts";

const COLLECTIONS = [
  { name: "customers", title: "Customers" },
  { name: "orders", title: "Orders" },
];

for (const [scope, lines] of [
  ["admin", ["Everything, also people, roles and API keys"]],
  ["write", ["All records: read, create, change, delete"]],
  ["read customers:create", ["All records: read", "Customers: create"]],
  ["customers:read customers:update orders:read", ["Customers: read, change", "Orders: read"]],
  ["read customers:read", ["All records: read"]],
  ["gone:delete", ["gone: delete"]],
  ["provision", ["People by SCIM: change"]],
  ["write dictionary", ["All records: read, create, change, delete", "Data dictionary: change"]],
] as const) {
  test(`the scope “${scope}” in words`, () => expect(describeScope(scope, COLLECTIONS)).toEqual(lines));
}

for (const [words, scope] of [
  [[], ""],
  [["admin", "customers:read"], "admin"],
  [["*:read", "*:create", "*:update", "*:delete", "orders:read"], "write"],
  [["orders:read", "customers:read", "customers:create"], "customers:create customers:read orders:read"],
  [["*:read", "customers:read", "customers:delete"], "read customers:delete"],
  [["*:read", "*:create", "*:update", "*:delete", "dictionary"], "write dictionary"],
  [["*:read", "dictionary"], "read dictionary"],
  [["*:read", "*:create", "*:update", "*:delete", "provision"], "write provision"],
] as const) {
  test(`the check marks ${words.join(", ") || "none"} are the scope “${scope}”, and back`, () => {
    expect(scopeOf(new Set(words))).toBe(scope);
    expect(scopeOf(wordsOf(scope))).toBe(scope);
  });
}
