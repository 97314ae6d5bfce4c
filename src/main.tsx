// Creates the services and mounts the app on the connection that start.ts has made.

// The order of the cascade layers comes first, before any module names one.
import "./ui/styles/styles.css";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { currentCatalogue, t } from "../core/i18n/translate.ts";
import { App, createAppRouter } from "./app/app.tsx";
import { createSignOut } from "./app/services/sign-out.ts";
import { notifyIfStale } from "./app/services/stale-tab.ts";
import { SignInPage } from "./app/shell/sign-in.tsx";
import { personKey } from "./browser/person.ts";
import type { Settings } from "./browser/settings.ts";
import { createSelections } from "./records/query/selection.ts";
import type { Activity } from "./service/activity.ts";
import { ConfigError } from "./service/config.ts";
import { applyLanguage, applyLocale, basePath, connect, firstConnection, firstLanguage, settings, startOver } from "./start.ts";
import { showAccent, showFavicon } from "./ui/accent.ts";
import { listenForHeldKeys } from "./ui/keyboard/held-keys.ts";
import { createShortcuts } from "./ui/keyboard/shortcuts.ts";
import { CannotStartPage } from "./ui/start-page.tsx";
import { createToasts, type Toasts } from "./ui/toasts.tsx";
import { createUploadManager, type UploadManager } from "./upload/manager/upload-manager.ts";
import type { Command } from "./upload/worker/messages.ts";
import workerUrl from "./upload/worker/upload-worker.ts?worker&url";
import { currentLocale } from "./values/format.ts";

// The content security policy allows one Trusted Types policy, "intake", which allows only the worker's address.
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => unknown };
}
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
const trustedWorkerUrl = trustedTypes?.createPolicy("intake", { createScriptURL: () => workerUrl }).createScriptURL("") ?? workerUrl;

const LONGEST_WAIT = 100; // ms

const root = createRoot(document.getElementById("app") as HTMLElement);
void start();

async function start(connecting = firstConnection): Promise<void> {
  await firstLanguage;
  try {
    const { config, tabs, session, activity, client, queries, views, organisation, firstRead } = await connecting;
    const { apiBaseUrl } = config;
    const showOrganisation = () => {
      const { name, shades, logo } = organisation.current();
      showAccent(shades);
      showFavicon(logo);
      if (name && document.title === "Intake") document.title = name;
    };
    organisation.subscribe(showOrganisation);
    showOrganisation();
    settings.subscribe(() => applySettings(settings.current()));
    applySettings(settings.current());
    const toasts = createToasts();
    const selections = createSelections();
    const uploadManager = createUploadManager(() => startWorker(toasts, personKey(apiBaseUrl, session.owner())), session, apiBaseUrl);
    noteProgress(uploadManager, activity);
    listenForHeldKeys();
    const services = {
      session,
      signOut: createSignOut({ session, service: apiBaseUrl, uploadManager, queries, selections, toasts, tabs, startOver }),
      startOver,
      client,
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
      views,
      organisation,
    };
    const router = createAppRouter(basePath);
    const firstCode = session.state() === "signedIn" ? router.preloadCurrent() : SignInPage.preload(); // both are on their way
    // The key makes a change of language render everything again, on the same state.
    const draw = () => root.render(<App services={services} router={router} queries={queries} key={currentCatalogue().language} />);
    // The first page is drawn once, and in slices, between which it answers. What takes longer shows that it is loading.
    await Promise.race([Promise.all([firstCode, firstRead]), new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT))]);
    startTransition(draw);
  } catch (error) {
    root.render(
      <CannotStartPage
        title={error instanceof ConfigError ? t("The app is not set up yet") : t("The app cannot start")}
        retry={() => start(connect("reload"))}
      >
        <p>{error instanceof ConfigError ? error.translate() : (error as Error).message}</p>
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

/** A running upload is use of the session, as whoever began it waits for it. */
function noteProgress({ state, subscribe }: UploadManager, activity: Activity): void {
  let before = 0;
  subscribe(() => {
    const { upload } = state();
    const rows = upload?.step === "sending" || upload?.step === "undoing" ? upload.rowsDone : 0;
    if (rows > 0 && rows !== before) activity.note();
    before = rows;
  });
}

/** Before the first paint, public/appearance.js does the same for theme and density. */
function applySettings({ theme, density, language, locale, sidebar }: Settings): void {
  Object.assign(document.documentElement.dataset, { theme, density, sidebar });
  applyLocale(language, locale);
}

/** Starts a new worker for each file, so that its memory is freed. */
function startWorker(toasts: Toasts, person: string): Worker {
  const worker = new Worker(trustedWorkerUrl as string, { type: "module", name: "upload" });
  // A script that could not be loaded fires an error event without a message (HTML standard, "run a worker").
  worker.postMessage({ type: "setReader", catalogue: currentCatalogue(), locale: currentLocale(), person } satisfies Command);
  worker.addEventListener("error", ({ message }) => message || notifyIfStale(toasts));
  return worker;
}
