// React contexts with the app’s services and the data dictionary.

import { createContext, useContext, useSyncExternalStore } from "react";
import type { Client } from "../../../client/http-client.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Settings, SettingsStore } from "../../browser/settings.ts";
import type { Selections } from "../../records/query/selection.ts";
import type { Views } from "../../records/query/views.ts";
import type { Dictionary } from "../../service/dictionary.ts";
import type { OrganisationStore } from "../../service/organisation.ts";
import type { TabSession } from "../../service/session.ts";
import type { Shortcuts } from "../../ui/keyboard/shortcuts.ts";
import type { Toasts } from "../../ui/toasts.tsx";
import type { UploadManager } from "../../upload/manager/upload-manager.ts";
import type { SignOut } from "./sign-out.ts";

export interface Services {
  client: Client;
  session: TabSession;
  signOut: SignOut;
  /** Leaves the page, and all that is in memory with it, for the start of the app. */
  startOver: () => void;
  toasts: Toasts;
  uploadManager: UploadManager;
  keys: Shortcuts;
  settings: SettingsStore;
  /** Redraws this tab in the language. Other tabs keep theirs, because someone may be typing there. */
  changeLanguage: (language: Settings["language"]) => void;
  selections: Selections;
  views: Views;
  organisation: OrganisationStore;
}

export const ServicesContext = createContext<Services | undefined>(undefined);
export const DictionaryContext = createContext<Dictionary | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error("There is no ServicesContext");
  return services;
}

/** Returns the locale of numbers and times. The component renders again when it changes. */
export function useLocale(): string {
  const { settings } = useServices();
  return useSyncExternalStore(settings.subscribe, () => settings.current().locale);
}

export function useDictionary(): Dictionary {
  const dictionary = useContext(DictionaryContext);
  if (!dictionary) throw new Error("There is no DictionaryContext");
  return dictionary;
}

/** Returns the collection of this name; undefined when an address names none. */
export function useCollection(name: string | undefined): Collection | undefined {
  return useDictionary().collections.find((collection) => collection.name === name);
}
