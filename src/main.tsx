// Reads the configuration, creates the services and mounts the app.

// The order of the cascade layers comes first, before any module names one.
import "./styles/styles.css";
import { createRoot } from "react-dom/client";
import { createClient } from "../client/http-client.ts";
import { translatedMessages } from "../core/i18n/client-messages.ts";
import { chooseLanguage, LANGUAGES, openCatalogue, usualLocale } from "../core/i18n/languages.ts";
import { currentCatalogue, setCatalogue, t } from "../core/i18n/translate.ts";
import { ConfigError, readConfig } from "./api/config.ts";
import { createSession } from "./api/session.ts";
import { openTabChannel } from "./api/tab-channel.ts";
import { App, createAppRouter, createQueryClient } from "./app/app.tsx";
import { AppTitle } from "./components/primitives.tsx";
import { CannotStartPage } from "./components/start-page.tsx";
import { createToasts, type Toasts } from "./components/toasts.tsx";
import { createSignOut } from "./context/sign-out.ts";
import { currentLocale, setLocale } from "./fields/format.ts";
import { createShortcuts } from "./keyboard/shortcuts.ts";
import { notifyIfStale } from "./navigation/stale-tab.ts";
import { createSelections } from "./state/selection.ts";
import { createUploadManager } from "./state/upload-manager.ts";
import { createViews } from "./state/views.ts";
import { openStorage } from "./storage/browser-storage.ts";
import { createSettings, type Settings } from "./storage/settings.ts";
import type { Command } from "./worker/messages.ts";
import workerUrl from "./worker/upload-worker.ts?worker&url";

// The content security policy allows one Trusted Types policy, "intake", which allows only the worker's address.
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => unknown };
}
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
const trustedWorkerUrl = trustedTypes?.createPolicy("intake", { createScriptURL: () => workerUrl }).createScriptURL("") ?? workerUrl;

const root = createRoot(document.getElementById("app") as HTMLElement);
const storage = openStorage(() => localStorage);
const settings = createSettings(window, storage);
await applyLanguage(); // config.json is loading at the same time
await start();

async function start(cache?: RequestCache): Promise<void> {
  try {
    const { apiBaseUrl, title } = await readConfig(document.baseURI, cache);
    if (title) document.title = title;
    settings.subscribe(() => applySettings(settings.current()));
    applySettings(settings.current());
    const tabs = openTabChannel(apiBaseUrl, window, storage);
    const session = createSession(
      apiBaseUrl,
      openStorage(() => sessionStorage),
      tabs,
    );
    const toasts = createToasts();
    const selections = createSelections();
    const queries = createQueryClient();
    const uploadManager = createUploadManager(() => startWorker(toasts), session, apiBaseUrl);
    const services = {
      session,
      signOut: createSignOut({ session, uploadManager, queries, selections, toasts, tabs }),
      client: createClient({ baseUrl: apiBaseUrl, session, source: "form", messages: translatedMessages }),
      toasts,
      uploadManager,
      settings,
      changeLanguage: async (language: Settings["language"]) => {
        settings.change({ language });
        await applyLanguage();
        applySettings(settings.current());
        draw();
      },
      keys: createShortcuts(window, () => settings.current().singleKeys),
      selections,
      views: createViews(window, storage),
    };
    const router = createAppRouter(new URL(document.baseURI).pathname);
    await session.restore(); // the start page shows meanwhile
    if (session.state() === "signedIn") router.preloadCurrent(); // so that the page's code loads in parallel with the dictionary
    // The key makes a change of language render everything again, on the same state.
    const draw = () =>
      root.render(
        <AppTitle value={title} key={currentCatalogue().language}>
          <App services={services} router={router} queries={queries} />
        </AppTitle>,
      );
    draw();
  } catch (error) {
    root.render(
      <CannotStartPage
        title={error instanceof ConfigError ? t("The app is not set up yet") : t("The app cannot start")}
        retry={() => start("reload")}
      >
        <p>{(error as Error).message}</p>
        {error instanceof ConfigError && (
          <>
            <p>{t("This file is next to index.html and names the service:")}</p>
            <pre dir="ltr">{'{\n  "apiBaseUrl": "https://api.example.org/v1"\n}'}</pre>
          </>
        )}
      </CannotStartPage>,
    );
  }
}

/** Before the first paint, public/appearance.js does the same for theme and density. */
function applySettings({ theme, density, language, locale }: Settings): void {
  Object.assign(document.documentElement.dataset, { theme, density });
  setLocale(locale || usualLocale(language, navigator.language));
}

async function applyLanguage(): Promise<void> {
  const language = chooseLanguage(settings.current().language, navigator.languages);
  setCatalogue(await openCatalogue(language));
  Object.assign(document.documentElement, { lang: language === "pseudo" ? "en" : language, dir: LANGUAGES[language].direction ?? "" });
}

/** A new worker for each file, so that its memory is freed. */
function startWorker(toasts: Toasts): Worker {
  const worker = new Worker(trustedWorkerUrl as string, { type: "module", name: "upload" });
  // A script that could not be loaded fires an error event without a message (HTML standard, "run a worker").
  worker.postMessage({ type: "setReader", catalogue: currentCatalogue(), locale: currentLocale() } satisfies Command);
  worker.addEventListener("error", ({ message }) => message || notifyIfStale(toasts));
  return worker;
}
