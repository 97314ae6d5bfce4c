// Settings of this browser’s user, in localStorage.

import { isLanguage, type Language } from "../../core/i18n/languages.ts";

export interface Settings {
  language: "system" | Language;
  theme: "system" | "light" | "dark";
  density: "comfortable" | "compact";
  /** Says whether single-character shortcuts are on (WCAG 2.1.4). */
  singleKeys: boolean;
  /** A BCP 47 tag; empty: the browser's own. */
  locale: string;
  sidebar: "open" | "folded";
}

export interface SettingsStore {
  current(): Settings;
  subscribe(listener: () => void): () => void;
  change(change: Partial<Settings>): void;
}

export const SETTINGS_KEY = "intake.settings"; // also read by public/appearance.js, before the first paint
const DEFAULTS: Settings = {
  ...{ language: "system", theme: "system", density: "comfortable", singleKeys: true, locale: "" },
  sidebar: "open",
};

/** `target`: the window, for storage events. If `storage` throws, settings last as long as the tab. */
export function createSettings(target: EventTarget, storage: Pick<Storage, "getItem" | "setItem">): SettingsStore {
  let settings = read();
  const listeners = new Set<() => void>();
  function setSettings(next: Settings): void {
    settings = next;
    for (const listener of listeners) listener();
  }
  function read(): Settings {
    try {
      return readSettings(JSON.parse(storage.getItem(SETTINGS_KEY) ?? "{}"));
    } catch {
      return DEFAULTS;
    }
  }
  target.addEventListener("storage", (event) => {
    const { key } = event as StorageEvent;
    if (key === SETTINGS_KEY || key === null) setSettings(read());
  });
  return {
    current: () => settings,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(change) {
      const next = { ...settings, ...change };
      try {
        storage.setItem(SETTINGS_KEY, JSON.stringify(next));
      } catch {
        // The storage is full or forbidden. The setting still applies to this tab.
      }
      setSettings(next);
    },
  };
}

/** Another version of the app may have written it: unknown values become defaults. */
function readSettings(stored: Partial<Record<keyof Settings, unknown>> | null): Settings {
  const { language, theme, density, singleKeys, locale, sidebar } = stored ?? {};
  return {
    language: isLanguage(language) ? language : DEFAULTS.language,
    theme: theme === "light" || theme === "dark" ? theme : DEFAULTS.theme,
    density: density === "compact" ? density : DEFAULTS.density,
    singleKeys: singleKeys !== false,
    locale: isLocale(locale) ? locale : DEFAULTS.locale,
    sidebar: sidebar === "folded" ? sidebar : DEFAULTS.sidebar,
  };
}

function isLocale(tag: unknown): tag is string {
  try {
    return typeof tag === "string" && tag !== "" && Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
