// Providers, routes, the sign-in check, and the page that is shown after an unexpected error.

import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, Navigate, RouterProvider } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { ApiError } from "../../client/errors.ts";
import { t } from "../../core/i18n/translate.ts";
import { dictionaryQuery } from "../api/dictionary.ts";
import { reachabilityQuery, UnreachableError } from "../api/reachability.ts";
import * as buttonStyles from "../components/button.module.css";
import * as cardStyles from "../components/start-card.module.css";
import { StartingPage } from "../components/start-page.tsx";
import { ErrorRetry } from "../context/error-retry.tsx";
import { DictionaryContext, type Services, ServicesContext, useDictionary, useServices } from "../context/services.ts";
import { ListPage } from "../features/list/list-page.tsx";
import { lazyPage, lazyPart } from "../navigation/lazy-page.tsx";
import { NotFound } from "../navigation/not-found.tsx";
import { homeSearch } from "../state/views.ts";
import { Layout } from "./layout.tsx";
import { ServiceUnreachable } from "./service-unreachable.tsx";
import { SignInDialog, SignInPage, WelcomePage } from "./sign-in.tsx";
import { SigningOutPage } from "./signing-out.tsx";

/** Replaces the page only: the sidebar stays. */
const ErrorPage = lazyPart(
  () => import("./error-page.tsx"),
  "ErrorPage",
  (waiting) => <main id="main">{waiting}</main>,
);

const root = createRootRoute({ component: Layout, notFoundComponent: () => <NotFound /> });
const underRoot = { getParentRoute: () => root };
const recordPage = () => import("../features/record/record-page.tsx");

const routes = root.addChildren([
  createRoute({ ...underRoot, path: "/", component: HomeRedirect }),
  createRoute({ ...underRoot, path: "/uploads", component: lazyPage(() => import("../features/upload/uploads-page.tsx"), "UploadsPage") }),
  createRoute({
    ...underRoot,
    path: "/uploads/$upload",
    component: lazyPage(() => import("../features/upload/past-upload-page.tsx"), "PastUploadPage"),
  }),
  createRoute({
    ...underRoot,
    path: "/settings",
    component: lazyPage(() => import("../features/settings/settings-page.tsx"), "SettingsPage"),
  }),
  createRoute({
    ...underRoot,
    path: "/settings/$page",
    component: lazyPage(() => import("../features/settings/administration.tsx"), "AdministrationPage"),
  }),
  createRoute({
    ...underRoot,
    path: "/activity",
    component: lazyPage(() => import("../features/activity/activity-page.tsx"), "ActivityPage"),
  }),
  createRoute({
    ...underRoot,
    path: "/$collection/deleted",
    component: lazyPage(() => import("../features/deleted/deleted-page.tsx"), "DeletedPage"),
  }),
  createRoute({ ...underRoot, path: "/about", component: lazyPage(() => import("../features/settings/about-page.tsx"), "AboutPage") }),
  createRoute({ ...underRoot, path: "/$collection", component: ListPage }),
  createRoute({ ...underRoot, path: "/$collection/new", component: lazyPage(recordPage, "NewRecordPage") }),
  createRoute({
    ...underRoot,
    path: "/$collection/upload",
    component: lazyPage(() => import("../features/upload/upload-page.tsx"), "UploadPage"),
  }),
  createRoute({
    ...underRoot,
    path: "/$collection/dictionary",
    component: lazyPage(() => import("../features/dictionary/dictionary-page.tsx"), "DictionaryPage"),
  }),
  createRoute({ ...underRoot, path: "/$collection/$id", component: lazyPage(recordPage, "RecordPage") }),
]);

/** `basePath` is where index.html lies, so that one build runs under any path. */
export function createAppRouter(basePath: string) {
  return createRouter({
    routeTree: routes,
    basepath: basePath,
    defaultPreload: "intent",
    defaultErrorComponent: ErrorPage,
    scrollRestoration: true,
    // Search parameters are plain text: the router's own codec would turn ?q=0071 into a number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter((entry) => entry[1] !== undefined) as [string, string][];
      return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
    },
  });
}

type AppRouter = ReturnType<typeof createAppRouter>;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Offline, a request fails at once. The library's default would pause it and run it later without asking.
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: true, // "always" would turn it off
        staleTime: 5_000,
        // A 4xx stays one. Only a missing reply and a 5xx are worth a retry.
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
      },
    },
  });
}

interface AppProps {
  services: Services;
  router: AppRouter;
  queries: QueryClient;
}

export function App({ services, router, queries }: AppProps) {
  return (
    <QueryClientProvider client={queries}>
      <ServicesContext value={services}>
        <RequireSignIn router={router} />
      </ServicesContext>
    </QueryClientProvider>
  );
}

function RequireSignIn({ router }: { router: AppRouter }) {
  const { session, signOut } = useServices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const signingOut = useSyncExternalStore(signOut.subscribe, signOut.status);
  const [isWelcome, setWelcome] = useState(() => location.href.startsWith(`${document.baseURI}welcome#`));
  if (isWelcome) {
    const leave = (path = router.basepath) => {
      router.history.replace(path);
      setWelcome(false);
    };
    return <WelcomePage onDone={leave} />;
  }
  if (signingOut?.is === "running") return <SigningOutPage />;
  return state === "signedOut" ? <SignedOut /> : <RequireDictionary router={router} />;
}

/** Shows the sign-in form at once, and replaces it if the service turns out to be unreachable. */
function SignedOut() {
  const { client } = useServices();
  const { error, isFetching, refetch } = useQuery(reachabilityQuery(client));
  if (error instanceof UnreachableError) return <ServiceUnreachable error={error} retry={refetch} isTrying={isFetching} />;
  return <SignInPage />;
}

/** Every page is drawn from the dictionary, so nothing is drawn before it has arrived. */
function RequireDictionary({ router }: { router: AppRouter }) {
  const { client, session, signOut: signOutService } = useServices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const { data, error, isFetching, errorUpdateCount, refetch } = useQuery(dictionaryQuery(client));
  if (data) {
    return (
      <DictionaryContext value={data}>
        <RouterProvider router={router} />
      </DictionaryContext>
    );
  }
  const signOut = (
    <button type="button" className={buttonStyles.quiet} onClick={signOutService.leave}>
      {t("Sign out")}
    </button>
  );
  if (error instanceof UnreachableError) return <ServiceUnreachable error={error} retry={refetch} isTrying={isFetching} more={signOut} />;
  if (!error && state !== "expired") return <StartingPage />;
  if ((error as Partial<ApiError> | null)?.code === "PASSKEY_REQUIRED") return <SignInPage onPasskey={refetch} />;
  return (
    <main className={cardStyles.screen}>
      {error && (
        <div className={cardStyles.card}>
          <h1>{t("The app cannot start yet")}</h1>
          <ErrorRetry error={error} failures={errorUpdateCount} isTrying={isFetching} retry={refetch} />
          {signOut}
        </div>
      )}
      {state === "expired" && <SignInDialog />}
    </main>
  );
}

function HomeRedirect() {
  const { views } = useServices();
  const [first] = useDictionary().collections;
  return first && <Navigate to="/$collection" params={{ collection: first.name }} search={homeSearch(views.of(first))} replace />;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
