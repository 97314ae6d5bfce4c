// Door one: reads the configuration, opens what the app is given, and mounts it.

import "./ui/styles.css";
import { createRoot } from "react-dom/client";
import { createClient } from "./api/client.ts";
import { BadConfig, readConfig } from "./api/config.ts";
import { openOtherTabs } from "./api/other-tabs.ts";
import { createSession } from "./api/session.ts";
import { App, createAppRouter, createQueryClient } from "./app.tsx";
import { createSelections } from "./list/selection.ts";
import { createViews } from "./list/views.ts";
import { createSignOut } from "./pages/sign-out.ts";
import { tellIfStale } from "./pages/stale-tab.ts";
import { createUploadDesk } from "./pages/upload-desk.ts";
import { writeAs } from "./ui/format.ts";
import { createKeys } from "./ui/keys.ts";
import { AppTitle } from "./ui/pieces.tsx";
import { createSettings, type Settings } from "./ui/settings.ts";
import { CannotStart } from "./ui/start-page.tsx";
import { createToasts, type Toasts } from "./ui/toasts.tsx";
import workerUrl from "./worker.ts?worker&url";

// Trusted Types (W3C): the content security policy allows one policy, "intake", and it lets through this one address.
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => unknown };
}
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
const trustedWorkerUrl = trustedTypes?.createPolicy("intake", { createScriptURL: () => workerUrl }).createScriptURL("") ?? workerUrl;

const root = createRoot(document.getElementById("app") as HTMLElement);
await start();

async function start(cache?: RequestCache): Promise<void> {
  try {
    const { apiBaseUrl, title } = await readConfig(document.baseURI, cache);
    if (title) document.title = title;
    const settings = createSettings(window, localStorage);
    settings.subscribe(() => applySettings(settings.current()));
    applySettings(settings.current());
    const tabs = openOtherTabs(apiBaseUrl, window, localStorage);
    const session = createSession(apiBaseUrl, sessionStorage, tabs.signedOutAt());
    const toasts = createToasts();
    const selections = createSelections();
    const queries = createQueryClient();
    const desk = createUploadDesk(() => startWorker(toasts), session, apiBaseUrl);
    const deps = {
      session,
      signOut: createSignOut({ session, desk, queries, selections, toasts, tabs }),
      client: createClient({ baseUrl: apiBaseUrl, session }),
      toasts,
      desk,
      settings,
      keys: createKeys(window, () => settings.current().singleKeys),
      selections,
      views: createViews(localStorage),
    };
    const router = createAppRouter(new URL(document.baseURI).pathname);
    root.render(
      <AppTitle value={title}>
        <App deps={deps} router={router} queries={queries} />
      </AppTitle>,
    );
  } catch (error) {
    root.render(
      <CannotStart title={error instanceof BadConfig ? "The app is not set up yet" : "The app cannot start"} retry={() => start("reload")}>
        <p>{(error as Error).message}</p>
        {error instanceof BadConfig && (
          <>
            <p>It lies beside index.html and says where the service is:</p>
            <pre dir="ltr">{'{\n  "apiBaseUrl": "https://api.example.org/v1"\n}'}</pre>
          </>
        )}
      </CannotStart>,
    );
  }
}

/** What the style sheet and the formats make of them; what the page has before is public/look.js's. */
function applySettings({ theme, density, locale }: Settings): void {
  Object.assign(document.documentElement.dataset, { theme, density });
  writeAs(locale);
}

/** A new worker for each file: an old one's memory goes with it. */
function startWorker(toasts: Toasts): Worker {
  const worker = new Worker(trustedWorkerUrl as string, { type: "module", name: "upload" });
  // A script that could not be fetched makes an event without a message (HTML standard, "run a worker").
  worker.addEventListener("error", ({ message }) => message || tellIfStale(toasts));
  return worker;
}
