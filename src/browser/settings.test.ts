import { expect, test } from "vitest";
import { createSettings, SETTINGS_KEY } from "./settings.ts";

const SIDEBAR = { sidebar: "open" };
const DEFAULTS = { language: "system", theme: "system", density: "comfortable", singleKeys: true, locale: "", ...SIDEBAR };

function storage(entries = new Map<string, string>()) {
  return { getItem: (name: string) => entries.get(name) ?? null, setItem: (name: string, value: string) => void entries.set(name, value) };
}

test("settings are restored on the next visit", () => {
  const entries = storage();
  createSettings(new EventTarget(), entries).change({ language: "de", theme: "dark", locale: "de-CH" });
  createSettings(new EventTarget(), entries).change({ density: "compact", singleKeys: false });
  expect(createSettings(new EventTarget(), entries).current()).toEqual({
    language: "de",
    theme: "dark",
    density: "compact",
    singleKeys: false,
    locale: "de-CH",
    ...SIDEBAR,
  });
});

test("unknown or unreadable settings fall back to the defaults", () => {
  for (const text of ["{", "null", "7", "[]", '{"language":"fr","theme":"pink","density":9,"singleKeys":"x","locale":"not a locale"}']) {
    expect([text, createSettings(new EventTarget(), storage(new Map([[SETTINGS_KEY, text]]))).current()]).toEqual([text, DEFAULTS]);
  }
});

test("a setting changed in another tab applies here at once", () => {
  const [entries, target] = [storage(), new EventTarget()];
  const settings = createSettings(target, entries);
  const seen: string[] = [];
  settings.subscribe(() => seen.push(settings.current().theme));
  createSettings(new EventTarget(), entries).change({ theme: "light" });
  target.dispatchEvent(Object.assign(new Event("storage"), { key: "something else" }));
  target.dispatchEvent(Object.assign(new Event("storage"), { key: SETTINGS_KEY }));
  expect(seen).toEqual(["light"]);
});

test("a setting lasts for the tab in a browser without storage", () => {
  const refuse = () => {
    throw new Error("SecurityError");
  };
  const settings = createSettings(new EventTarget(), { getItem: refuse, setItem: refuse });
  settings.change({ theme: "dark" });
  expect(settings.current()).toEqual({ ...DEFAULTS, theme: "dark" });
});
