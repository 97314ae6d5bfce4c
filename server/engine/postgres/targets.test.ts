import { expect, test } from "vitest";
import { isUserPartUnclear, parseTargets } from "./targets.ts";

function allOf(url: string): string[] {
  const targets = parseTargets(url);
  return Array.from({ length: targets.count }, () => {
    const target = targets.current();
    targets.skip(target);
    return target;
  });
}

test.each([
  ["postgres://u:p@one/db", ["postgres://u:p@one/db"]],
  [
    "postgres://u:p@one:1,[::1]:2/db?application_name=x",
    ["postgres://u:p@one:1/db?application_name=x", "postgres://u:p@[::1]:2/db?application_name=x"],
  ],
  ["postgresql://one/db?sslmode=require", ["postgresql://one/db?sslmode=require&uselibpqcompat=true"]],
  [
    "postgres://one/db?sslmode=prefer",
    ["postgres://one/db?sslmode=require&uselibpqcompat=true", "postgres://one/db?sslmode=disable&uselibpqcompat=true"],
  ],
  ["postgres://one/db?options=-c%20search_path%3Da", ["postgres://one/db?options=-c%20search_path%3Da"]],
  ["postgres://u:p@s,s:w@one,two/db", ["postgres://u:p@s,s:w@one/db", "postgres://u:p@s,s:w@two/db"]],
])("%s names its servers in turn", (url, targets) => {
  expect(allOf(url)).toEqual(targets);
});

test("only a server that takes writes will do where the URL says so", () => {
  expect(parseTargets("postgres://a,b/db?target_session_attrs=read-write").needsPrimary).toBe(true);
  expect(allOf("postgres://a,b/db?target_session_attrs=read-write")).toEqual(["postgres://a/db", "postgres://b/db"]);
  expect(parseTargets("postgres://a,b/db").needsPrimary).toBe(false);
  expect(() => parseTargets("postgres://a,b/db?target_session_attrs=standby")).toThrow();
  expect(parseTargets("postgres://a,b/db?target_session_attrs=standby", true).needsPrimary).toBe(false);
  expect(() => parseTargets("postgres://a,b/db?target_session_attrs=primary", true)).toThrow();
});

test.each(["", "mysql://a/b", "one"])("%j is no URL of PostgreSQL", (url) => {
  expect(() => parseTargets(url)).toThrow();
});

test.each([
  ["postgres://intake:p@ss/w:rd@127.0.0.1:5432/intake", true],
  ["postgres://intake:p/w@127.0.0.1/intake", true],
  ["postgresql://intake:p?w=1@127.0.0.1/intake", true],
  ["postgres://intake:p@x?w=1@127.0.0.1/intake", true],
  ["postgres://intake:p#w@127.0.0.1/intake", true],
  ["postgres://intake:p@ss:word@127.0.0.1:5432/intake", false], // no host has an @, so the last one ends the password
  ["postgres://intake:p%40ss%2Fw@one:5432,two:5432/intake?sslmode=require", false],
  ["postgres:///intake?host=/run/postgresql", false],
])("where the password of %s ends is unclear: %s", (url, isUnclear) => {
  expect(isUserPartUnclear(url)).toBe(isUnclear);
});

test("a server that was skipped by several at once is skipped once", () => {
  const targets = parseTargets("postgres://a,b,c/db");
  for (const _ of [1, 2, 3]) targets.skip("postgres://a/db");
  expect(targets.current()).toBe("postgres://b/db");
});
