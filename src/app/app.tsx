// Providers, routes, the sign-in check, and the page that is shown after an unexpected error.

import { type QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { ApiError } from "../../client/errors.ts";
import { t } from "../../core/i18n/translate.ts";
import { ListPage } from "../records/list/list-page.tsx";
import { dictionaryQuery } from "../service/dictionary.ts";
import { reachabilityQuery, UnreachableError } from "../service/reachability.ts";
import * as buttonStyles from "../ui/button.module.css";
import { afterPaint } from "../ui/focus/after-paint.ts";
import { AppLogo, AppTitle } from "../ui/primitives.tsx";
import * as cardStyles from "../ui/start-card.module.css";
import { CannotStartPage, StartingPage } from "../ui/start-page.tsx";
import { fetchTypeface } from "../ui/styles/typeface.ts";
import { lazyPage } from "./code/lazy-page.tsx";
import { NotFound } from "./navigation/not-found.tsx";
import type { RoutePath } from "./router/paths.ts";
import { createRouter, type Page, type Router } from "./router/router.ts";
import { RouterProvider } from "./router/router-context.tsx";
import { ServiceUnreachable } from "./service-unreachable.tsx";
import { ErrorRetry } from "./services/error-retry.tsx";
import { DictionaryContext, type Services, ServicesContext, useServices } from "./services/services.ts";
import { Layout } from "./shell/layout.tsx";
import { PAGE_CODE } from "./shell/page-code.ts";
import { ProofDialog, SignInDialog, SignInPage, WelcomePage } from "./shell/sign-in.tsx";
import { SigningOutPage } from "./shell/signing-out.tsx";

/** Replaces the page only: the sidebar stays. */
const ErrorPage = lazyPage(() => import("./error-page.tsx"), "ErrorPage");

const PAGES: Readonly<Record<RoutePath, Page>> = {
  "/": lazyPage(PAGE_CODE["/"], "HomePage"),
  "/uploads": lazyPage(PAGE_CODE["/uploads"], "UploadsPage"),
  "/uploads/$upload": lazyPage(PAGE_CODE["/uploads/$upload"], "PastUploadPage"),
  "/settings": lazyPage(PAGE_CODE["/settings"], "SettingsPage"),
  "/settings/$page": lazyPage(PAGE_CODE["/settings/$page"], "AdministrationPage"),
  "/activity": lazyPage(PAGE_CODE["/activity"], "ActivityPage"),
  "/recipes": lazyPage(PAGE_CODE["/recipes"], "RecipesPage"),
  "/about": lazyPage(PAGE_CODE["/about"], "AboutPage"),
  "/$collection": ListPage,
  "/$collection/new": lazyPage(PAGE_CODE["/$collection/new"], "NewRecordPage"),
  "/$collection/upload": lazyPage(PAGE_CODE["/$collection/upload"], "UploadPage"),
  "/$collection/dictionary": lazyPage(PAGE_CODE["/$collection/dictionary"], "DictionaryPage"),
  "/$collection/deleted": lazyPage(PAGE_CODE["/$collection/deleted"], "DeletedPage"),
  "/$collection/merge": lazyPage(PAGE_CODE["/$collection/merge"], "MergePage"),
  "/$collection/duplicates": lazyPage(PAGE_CODE["/$collection/duplicates"], "DuplicatesPage"),
  "/$collection/$id": lazyPage(PAGE_CODE["/$collection/$id"], "RecordPage"),
};

/** `basePath` is where index.html lies, so that one build runs under any path. */
export function createAppRouter(basePath: string): Router {
  return createRouter({ basePath, pages: PAGES, notFoundPage: NotFound, errorPage: ErrorPage });
}

interface AppProps {
  services: Services;
  router: Router;
  queries: QueryClient;
}

export function App({ services, router, queries }: AppProps) {
  const { organisation } = services;
  const { name, logo } = useSyncExternalStore(organisation.subscribe, organisation.current);
  return (
    <QueryClientProvider client={queries}>
      <ServicesContext value={services}>
        <AppTitle value={name}>
          <AppLogo value={logo}>
            <RequireSignIn router={router} />
            <Proof />
          </AppLogo>
        </AppTitle>
      </ServicesContext>
    </QueryClientProvider>
  );
}

/** Opens over whatever is on the page: the request that waits for it may be anybody's. */
function Proof() {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, session.isProving) && <ProofDialog />;
}

/** Fetches the typeface once the first page is on the screen, which is when a second frame begins. */
function useTypeface(isDrawn: boolean): void {
  useEffect(() => (isDrawn ? afterPaint(() => afterPaint(fetchTypeface)) : undefined), [isDrawn]);
}

function RequireSignIn({ router }: { router: Router }) {
  const { session, signOut } = useServices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const signingOut = useSyncExternalStore(signOut.subscribe, signOut.status);
  const [isWelcome, setWelcome] = useState(() => location.pathname === `${router.basePath}welcome`);
  useTypeface(isWelcome || state === "signedOut");
  if (isWelcome) {
    const leave = (path = router.basePath) => {
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
function RequireDictionary({ router }: { router: Router }) {
  const { client, session, signOut: signOutService } = useServices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const { data, error, isFetching, errorUpdateCount, refetch } = useQuery(dictionaryQuery(client));
  useTypeface(data !== undefined);
  if (data) {
    return (
      // With other rights every page is drawn anew: none keeps what it has read before.
      <DictionaryContext value={data} key={data.rights}>
        <RouterProvider router={router}>
          <Layout />
        </RouterProvider>
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
  const { code } = (error ?? {}) as Partial<ApiError>;
  if (code === "PASSKEY_REQUIRED") return <SignInPage onPasskey={refetch} />;
  if (code === "INSUFFICIENT_SCOPE") {
    return (
      <CannotStartPage title={t("You have no rights here yet")} retry={refetch} isTrying={isFetching} more={signOut}>
        <p>{t("Ask an administrator to give your account a role.")}</p>
      </CannotStartPage>
    );
  }
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
