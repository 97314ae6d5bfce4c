// The router for React: its context, its hooks and the place where the page is drawn.

import { Component, createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import type { Params } from "./paths.ts";
import type { Location, Router } from "./router.ts";

const RouterContext = createContext<Router | undefined>(undefined);

export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (!router) throw new Error("There is no RouterProvider");
  return router;
}

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const shown = useSyncExternalStore(router.subscribe, router.shown);
  // It runs after the effects of the page, whose heading may take the focus.
  useEffect(() => router.scroll.arrive(shown.key, shown.hash), [router, shown]);
  return (
    <RouterContext value={router}>
      <PageErrors router={router} at={shown}>
        {children}
      </PageErrors>
    </RouterContext>
  );
}

/** Draws the page of the current address. An error replaces only the page, until the user goes elsewhere. */
export function Outlet() {
  const router = useRouter();
  const shown = useSyncExternalStore(router.subscribe, router.shown);
  const Shown = router.pageOf(shown) ?? router.notFoundPage;
  return (
    <PageErrors router={router} at={shown}>
      <Shown />
    </PageErrors>
  );
}

/** Returns the place to which the app is going: ahead of the page that is shown while that page's code is loading. */
export function useLocation(): Location {
  const router = useRouter();
  return useSyncExternalStore(router.subscribe, router.latest);
}

export function useParams(): Params {
  const router = useRouter();
  return useSyncExternalStore(router.subscribe, router.shown).params;
}

/** Returns the search parameters of the page that is shown: the same object while they are the same. */
export function useSearch(): Location["search"] {
  const router = useRouter();
  return useSyncExternalStore(router.subscribe, () => router.shown().search);
}

/** Returns the same function in every rendering. */
export function useNavigate(): Router["navigate"] {
  return useRouter().navigate;
}

interface PageErrorsProps {
  router: Router;
  at: Location;
  children: ReactNode;
}

interface PageErrorsState {
  failure: { error: unknown } | undefined;
  at: Location;
}

class PageErrors extends Component<PageErrorsProps, PageErrorsState> {
  override state: PageErrorsState = { failure: undefined, at: this.props.at };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ at }: PageErrorsProps, state: PageErrorsState) {
    return at === state.at ? null : { failure: undefined, at };
  }

  override render() {
    const { failure } = this.state;
    const { errorPage: ErrorPage } = this.props.router;
    if (!failure) return this.props.children;
    return <ErrorPage error={failure.error} reset={() => this.setState({ failure: undefined })} />;
  }
}
