import { expect, test } from "vitest";
import { createSettings, SETTINGS_KEY } from "./settings.ts";

const DEFAULTS = { language: "system", theme: "system", density: "comfortable", singleKeys: true, locale: "" };

function storage(entries = new Map<string, string>()) {
  return { getItem: (name: string) => entries.get(name) ?? null, setItem: (name: string, value: string) => void entries.set(name, value) };
}

test("what was chosen is there the next time", () => {
  const entries = storage();
  createSettings(new EventTarget(), entries).change({ language: "de", theme: "dark", locale: "de-CH" });
  createSettings(new EventTarget(), entries).change({ density: "compact", singleKeys: false });
  expect(createSettings(new EventTarget(), entries).current()).toEqual({
    language: "de",
    theme: "dark",
    density: "compact",
    singleKeys: false,
    locale: "de-CH",
  });
});

test("what another version wrote, or nobody can read, is as usual", () => {
  for (const text of ["{", "null", "7", "[]", '{"language":"fr","theme":"pink","density":9,"singleKeys":"x","locale":"not a locale"}']) {
    expect([text, createSettings(new EventTarget(), storage(new Map([[SETTINGS_KEY, text]]))).current()]).toEqual([text, DEFAULTS]);
  }
});

test("what another tab chooses holds here at once, and is told to whoever draws", () => {
  const [entries, target] = [storage(), new EventTarget()];
  const settings = createSettings(target, entries);
  const seen: string[] = [];
  settings.subscribe(() => seen.push(settings.current().theme));
  createSettings(new EventTarget(), entries).change({ theme: "light" });
  target.dispatchEvent(Object.assign(new Event("storage"), { key: "something else" }));
  target.dispatchEvent(Object.assign(new Event("storage"), { key: SETTINGS_KEY }));
  expect(seen).toEqual(["light"]);
});

test("in a browser that keeps nothing a choice holds for the tab", () => {
  const refuse = () => {
    throw new Error("SecurityError");
  };
  const settings = createSettings(new EventTarget(), { getItem: refuse, setItem: refuse });
  settings.change({ theme: "dark" });
  expect(settings.current()).toEqual({ ...DEFAULTS, theme: "dark" });
});
