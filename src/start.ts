// Connects to the service and reads what the first page shows, while the code that draws it is still loading.
// It has no React: the build makes it a file of its own, which is small and runs first (vite.config.ts).

import type { QueryClient } from "@tanstack/react-query";
import { type Client, createClient } from "../client/http-client.ts";
import { translatedMessages } from "../core/i18n/client-messages.ts";
import { chooseLanguage, LANGUAGES, openCatalogue, usualLocale } from "../core/i18n/languages.ts";
import { setCatalogue } from "../core/i18n/translate.ts";
import { readAhead } from "./app/read-ahead.ts";
import { watchIdleLimit } from "./app/services/idle-limit.ts";
import { signInPage } from "./app/shell/page-code.ts";
import { openStorage } from "./browser/browser-storage.ts";
import { personKey } from "./browser/person.ts";
import { createSettings, type Settings } from "./browser/settings.ts";
import { createViews, type Views } from "./records/query/views.ts";
import { type Activity, createActivity } from "./service/activity.ts";
import { type Config, readConfig } from "./service/config.ts";
import { createOrganisation, type OrganisationStore } from "./service/organisation.ts";
import { createQueryClient } from "./service/query-client.ts";
import { createSession, type TabSession } from "./service/session.ts";
import { signInWaysQuery } from "./service/sign-in-ways.ts";
import { openTabChannel, type TabChannel } from "./service/tab-channel.ts";
import { fetchKnownTypeface } from "./ui/styles/typeface.ts";
import { setLocale } from "./values/format.ts";

export interface Connection {
  config: Config;
  tabs: TabChannel;
  session: TabSession;
  activity: Activity;
  client: Client;
  queries: QueryClient;
  views: Views;
  organisation: OrganisationStore;
  /** Resolves when what the first page shows is there, or could not be read. */
  firstRead: Promise<unknown>;
}

export const basePath = new URL(document.baseURI).pathname;
const storage = openStorage(() => localStorage);
export const settings = createSettings(window, storage);

fetchKnownTypeface();
/** Resolves when the texts of the user's language are there. */
export const firstLanguage = applyLanguage(); // config.json is loading at the same time
export const firstConnection = connect();
void firstLanguage.then(() => {
  const { language, locale } = settings.current();
  applyLocale(language, locale);
});
firstConnection.catch(() => {}); // main.tsx shows the error

export async function applyLanguage(): Promise<void> {
  const language = chooseLanguage(settings.current().language, navigator.languages);
  setCatalogue(await openCatalogue(language));
  Object.assign(document.documentElement, { lang: language === "pseudo" ? "en" : language, dir: LANGUAGES[language].direction ?? "" });
}

/** Sets how numbers and times are written, once the texts of the language are there. */
export function applyLocale(language: Settings["language"], locale: string): void {
  setLocale(locale || usualLocale(language, navigator.language));
}

/** Makes room for somebody else: whatever this page has in memory is gone with it, also when the browser would bring it back. */
export function startOver(): void {
  window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), { capture: true }); // it would ask about their text
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  location.replace(basePath);
}

/** Throws ConfigError. `cache`: of config.json. */
export async function connect(cache?: RequestCache): Promise<Connection> {
  const config = await readConfig(document.baseURI, cache);
  const { apiBaseUrl } = config;
  const tabs = openTabChannel(apiBaseUrl, window, storage);
  const activity = createActivity(apiBaseUrl, window, storage);
  const tabStorage = openStorage(() => sessionStorage);
  const session = createSession(apiBaseUrl, tabStorage, tabs, { activity, startOver });
  const client = createClient({ baseUrl: apiBaseUrl, session, source: "form", messages: translatedMessages });
  const views = createViews(window, storage, () => personKey(apiBaseUrl, session.owner()));
  const organisation = createOrganisation(window, storage, client, config);
  const isNamed = organisation.refresh();
  const queries = createQueryClient();
  watchIdleLimit(session, activity, client, document);
  await session.restore(); // the start page shows meanwhile
  await firstLanguage; // the dictionary is read in it
  const firstRead =
    session.state() === "signedIn"
      ? readAhead({ queries, client }, location, basePath)
      : Promise.all([signInPage(), isNamed, queries.prefetchQuery(signInWaysQuery(client))]);
  return { config, tabs, session, activity, client, queries, views, organisation, firstRead: firstRead.catch(() => {}) };
}
