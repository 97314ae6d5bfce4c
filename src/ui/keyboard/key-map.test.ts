import { expect, test } from "vitest";
import { ANYWHERE, KEY_LABELS } from "./key-labels.ts";
import { KEY_MAP, type KeyEntry, type KeyId } from "./key-map.ts";
import { keyName } from "./key-name.ts";

test("no shortcut has two actions on one page", () => {
  const entries = (Object.keys(KEY_MAP) as KeyId[]).map((id) => ({ ...KEY_MAP[id], ...KEY_LABELS[id] }));
  const anywhere = entries.filter(({ group }) => group === ANYWHERE);
  for (const group of new Set(entries.map((entry) => entry.group))) {
    const keys = new Set([...anywhere, ...entries.filter((entry) => entry.group === group)]);
    const all = [...keys].flatMap((entry) => entry.keys);
    expect([group, all.filter((key, i) => all.indexOf(key) !== i)]).toEqual([group, []]);
  }
});

test("an action without a shortcut is listed in the command palette", () => {
  expect(Object.entries<KeyEntry>(KEY_MAP).filter(([, { keys, isAction }]) => keys.length === 0 && !isAction)).toEqual([]);
});

test("a shortcut is shown with the names on the keyboard", () => {
  expect(["Mod+k", "Alt+ArrowUp", "Shift+F8", " ", "?"].map(keyName)).toEqual(["Ctrl+K", "Alt+↑", "Shift+F8", "Space", "?"]);
});
