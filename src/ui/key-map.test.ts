import { expect, test } from "vitest";
import { KEY_MAP, type KeyEntry } from "./key-map.ts";
import { keyName } from "./key-name.ts";

test("no key stands for two things that can be on one page", () => {
  const entries: KeyEntry[] = Object.values(KEY_MAP);
  const anywhere = entries.filter(({ group }) => group === "Anywhere");
  for (const group of new Set(entries.map((entry) => entry.group))) {
    const keys = new Set([...anywhere, ...entries.filter((entry) => entry.group === group)]);
    const all = [...keys].flatMap((entry) => entry.keys);
    expect([group, all.filter((key, i) => all.indexOf(key) !== i)]).toEqual([group, []]);
  }
});

test("what has no key can be had in the palette", () => {
  expect(Object.entries<KeyEntry>(KEY_MAP).filter(([, { keys, isAction }]) => keys.length === 0 && !isAction)).toEqual([]);
});

test("a key is called what stands on it", () => {
  expect(["Mod+k", "Alt+ArrowUp", "Shift+F8", " ", "?"].map(keyName)).toEqual(["Ctrl+K", "Alt+↑", "Shift+F8", "Space", "?"]);
});
