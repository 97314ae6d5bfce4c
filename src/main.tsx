// Door one: reads the configuration, opens what the app is given, and mounts it.

import "./ui/styles.css";
import { createRoot } from "react-dom/client";
import { createClient } from "./api/client.ts";
import { readConfig } from "./api/config.ts";
import { createSession } from "./api/session.ts";
import { App, createAppRouter, createQueryClient } from "./app.tsx";
import { forgetDrafts } from "./form/forget-drafts.ts";
import { createSelections } from "./list/selection.ts";
import { createViews } from "./list/views.ts";
import { createUploadDesk } from "./pages/upload-desk.ts";
import { createKeys } from "./ui/keys.ts";
import { createToasts } from "./ui/toasts.tsx";
import workerUrl from "./worker.ts?worker&url";

// Trusted Types (W3C): the content security policy allows one policy, "intake", and it lets through this one address.
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => unknown };
}
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
const trustedWorkerUrl = trustedTypes?.createPolicy("intake", { createScriptURL: () => workerUrl }).createScriptURL("") ?? workerUrl;

const root = createRoot(document.getElementById("app") as HTMLElement);

try {
  const { apiBaseUrl } = await readConfig(document.baseURI);
  const session = createSession(apiBaseUrl, sessionStorage);
  const selections = createSelections();
  session.subscribe(() => session.state() === "out" && selections.clear());
  const deps = {
    session,
    client: createClient({ baseUrl: apiBaseUrl, session }),
    toasts: createToasts(),
    desk: createUploadDesk(startWorker, session, apiBaseUrl),
    keys: createKeys(window, localStorage),
    selections,
    views: createViews(localStorage),
  };
  session.subscribe(() => session.state() === "out" && forgetDrafts());
  const router = createAppRouter(new URL(document.baseURI).pathname);
  root.render(<App deps={deps} router={router} queries={createQueryClient()} />);
} catch (error) {
  root.render(
    <main className="sign">
      <div className="card">
        <h1>The app is not set up yet</h1>
        <p>{(error as Error).message}</p>
      </div>
    </main>,
  );
}

/** A new worker for each file: an old one's memory goes with it. */
function startWorker(): Worker {
  return new Worker(trustedWorkerUrl as string, { type: "module", name: "upload" });
}
