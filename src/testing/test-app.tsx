// Makes what start.ts and main.tsx make for the app, for component tests around a real service with an empty store.

import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { type ReactElement, useRef } from "react";
import { onTestFinished } from "vitest";
import { createClient } from "../../client/http-client.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { translatedMessages } from "../../core/i18n/client-messages.ts";
import { createKeys } from "../../server/people/auth/api-keys.ts";
import { DICTIONARY, openTestService, type TestService } from "../../server/testing/service.ts";
import { App, createAppRouter } from "../app/app.tsx";
import { LastListUrlsContext, useTrackListUrls } from "../app/navigation/last-list-urls.ts";
import { UnsavedChangesContext } from "../app/navigation/unsaved-changes.ts";
import { RouterProvider } from "../app/router/router-context.tsx";
import { DictionaryContext, type Services, ServicesContext } from "../app/services/services.ts";
import { createSignOut } from "../app/services/sign-out.ts";
import { createSettings } from "../browser/settings.ts";
import { createSelections } from "../records/query/selection.ts";
import { createViews } from "../records/query/views.ts";
import { createOrganisation } from "../service/organisation.ts";
import { createQueryClient } from "../service/query-client.ts";
import { createSession, type SignedIn } from "../service/session.ts";
import { signInWithKey } from "../service/sign-in.ts";
import { openTabChannel } from "../service/tab-channel.ts";
import { createShortcuts } from "../ui/keyboard/shortcuts.ts";
import { createToasts, ToastRegion } from "../ui/toasts.tsx";
import { createUploadManager } from "../upload/manager/upload-manager.ts";
import { openWorkerPort, type WorkerPort } from "./worker-port.ts";

/** A service that listens on a free port, and the key of someone who may do everything. */
export interface TestApp {
  service: TestService;
  origin: string;
  key: string;
  collection: Collection;
  close(): Promise<void>;
}

type OpenParts = Parameters<typeof openTestService> extends [unknown?, ...infer Rest] ? Rest : never;

/** Holds what a test gets with one rendering. */
export interface Drawn {
  user: UserEvent;
  services: Services;
  queries: QueryClient;
  /** The far end of the upload worker. */
  worker: WorkerPort;
}

/** `dictionary`: the path of a data package; its first collection is `collection`. The others are as of `openTestService`. */
export async function openTestApp(dictionary: string | object = DICTIONARY, ...parts: OpenParts): Promise<TestApp> {
  const service = await openTestService(dictionary, ...parts);
  const origin = await service.app.listen({ port: 0, host: "127.0.0.1" });
  const [collection] = service.collections;
  if (!collection) throw new Error("The dictionary has no collection.");
  const key = await createKeys(service.store).create("admin");
  return { service, origin, key, collection, close: service.close };
}

/** Renders one component inside the app's providers, signed in with `key`. Toasts are shown below it. */
export async function drawPart(app: TestApp, part: ReactElement, key = app.key): Promise<Drawn> {
  const drawn = await prepare(app, "/", key);
  const { services, queries } = drawn;
  const router = createAppRouter("/");
  onTestFinished(() => router.history.destroy());
  render(
    <QueryClientProvider client={queries}>
      <ServicesContext value={services}>
        <DictionaryContext value={{ title: "Test", collections: app.service.collections }}>
          <RouterProvider router={router}>
            <Frame services={services}>{part}</Frame>
          </RouterProvider>
        </DictionaryContext>
      </ServicesContext>
    </QueryClientProvider>,
  );
  await screen.findByTestId("part");
  return drawn;
}

/** Opens the whole app at a path such as "/customers/new", signed in with a key or as a person. */
export async function openPage(app: TestApp, path: string, who: string | SignedIn = app.key): Promise<Drawn> {
  const drawn = await prepare(app, path, who);
  const router = createAppRouter("/");
  onTestFinished(() => router.history.destroy());
  render(<App services={drawn.services} queries={drawn.queries} router={router} />);
  await screen.findByRole("navigation", { name: "Main" });
  return drawn;
}

/** Draws what the layout puts around every page. */
function Frame({ services, children }: { services: Services; children: ReactElement }) {
  const unsaved = useRef(false);
  const urls = useTrackListUrls(undefined);
  return (
    <UnsavedChangesContext value={unsaved}>
      <LastListUrlsContext value={urls}>
        <div data-testid="part">{children}</div>
        <ToastRegion toasts={services.toasts} keys={services.keys} />
      </LastListUrlsContext>
    </UnsavedChangesContext>
  );
}

async function prepare({ origin }: TestApp, path: string, who: string | SignedIn): Promise<Drawn> {
  // The service gives the app out, so the page has the service's own address.
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(origin + path);
  const baseUrl = `${origin}/v1`;
  const tabs = openTabChannel(baseUrl, new EventTarget(), localStorage); // no other tab, and no channel that outlives the test
  const session = createSession(baseUrl, sessionStorage);
  const toasts = createToasts();
  const selections = createSelections();
  const queries = createQueryClient();
  const settings = createSettings(window, localStorage);
  const worker = openWorkerPort();
  const uploadManager = createUploadManager(worker.start, session, baseUrl);
  const client = createClient({ baseUrl, session, source: "form", messages: translatedMessages });
  if (typeof who === "string") await signInWithKey(client, session, who, false);
  else session.begin(who, false);
  onTestFinished(() => {
    session.signOut(); // what is still typed is written no more
    queries.clear();
    uploadManager.close();
  });
  const services: Services = {
    session,
    signOut: createSignOut({ session, service: baseUrl, uploadManager, queries, selections, toasts, tabs, startOver: () => {} }),
    startOver: () => {},
    client,
    toasts,
    uploadManager,
    settings,
    changeLanguage: (language) => settings.change({ language }),
    keys: createShortcuts(window, () => settings.current().singleKeys),
    selections,
    organisation: createOrganisation(new EventTarget(), localStorage, client, {}),
    views: createViews(window, localStorage, uploadManager.person),
  };
  return { user: userEvent.setup(), services, queries, worker };
}
