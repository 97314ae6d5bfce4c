// Draws what surrounds every page: the sidebar, sign-in over the page, toasts.

import { useEffect, useRef, useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { VIEW_OF } from "../../browser/person.ts";
import { ToastRegion } from "../../ui/toasts.tsx";
import { UploadEndToast } from "../../upload/pages/lazy-upload-end-toast.tsx";
import { whenAtRest } from "../code/at-rest.ts";
import { later, lazyPart, nothing } from "../code/lazy-page.tsx";
import { LastListUrlsContext, useTrackListUrls } from "../navigation/last-list-urls.ts";
import { UnsavedChangesContext } from "../navigation/unsaved-changes.ts";
import { Outlet, useParams, useRouter } from "../router/router-context.tsx";
import { useRefreshPermissions } from "../services/permissions.ts";
import { useServices } from "../services/services.ts";
import * as styles from "./layout.module.css";
import { Sidebar } from "./sidebar.tsx";
import { SignInDialog } from "./sign-in.tsx";

/** Is read a moment after the first page, which must not wait for it. In a view it is urgent: it says so, and changes what signing out is. */
const SecurityNotices = lazyPart<"SecurityNotices", { isUrgent?: boolean }>(
  later(() => import("./security-notices.tsx")),
  "SecurityNotices",
  nothing,
);

const PrintLine = lazyPart(
  later(() => import("./print-line.tsx")),
  "PrintLine",
  nothing,
);

export function Layout() {
  const { session, toasts, keys, uploadManager } = useServices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const places = useTrackListUrls(useParams().collection);
  const unsaved = useRef(false);
  const hasUpload = useSyncExternalStore(uploadManager.subscribe, () => uploadManager.state().upload !== undefined);
  usePreload();
  useRefreshPermissions();
  const lock = state === "expired" ? styles.locked : "";
  return (
    <div className={`layout ${lock}`}>
      <a className={`button ${styles.skip}`} href={`${location.pathname}${location.search}#main`}>
        {t("Skip to the content")}
      </a>
      <UnsavedChangesContext value={unsaved}>
        <SecurityNotices isUrgent={session.owner().startsWith(VIEW_OF)} />
        {hasUpload && <UploadEndToast />}
        <Sidebar />
        {/* It stands before the page: from its heading, which has the focus, Shift+Tab reaches the button, however long the list is. */}
        <ToastRegion toasts={toasts} keys={keys} />
        <PrintLine />
        <LastListUrlsContext value={places}>
          <Outlet />
        </LastListUrlsContext>
      </UnsavedChangesContext>
      {state === "expired" && <SignInDialog />}
    </div>
  );
}

/** Fetches the code of the pages that people open from a list, so that the first one opens at once. */
function usePreload(): void {
  const router = useRouter();
  useEffect(() => whenAtRest(...OPENED_NEXT.map((to) => () => router.preload({ to }))), [router]);
}

const OPENED_NEXT = ["/$collection/$id", "/$collection/new", "/$collection/upload"] as const;
