// Links to every part of the app, and signing out, which asks first when work would be lost.

import { Activity, FileUp, Info, LogOut, Rows3, Search, SlidersHorizontal, TableProperties } from "lucide";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { hasDrafts } from "../../records/drafts/delete-drafts.ts";
import { homeSearch } from "../../records/query/views.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useCurrentInSight } from "../../ui/focus/current-in-sight.ts";
import { keyName } from "../../ui/keyboard/key-name.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import { Brand, Icon } from "../../ui/primitives.tsx";
import * as tabStyles from "../../ui/tabs.module.css";
import { openedPart } from "../code/lazy-page.tsx";
import { useUnsavedChanges } from "../navigation/unsaved-changes.ts";
import { Link } from "../router/link.tsx";
import { useLocation, useParams } from "../router/router-context.tsx";
import { useDictionary, useServices } from "../services/services.ts";
import * as styles from "./sidebar.module.css";
import { useOverlay } from "./use-overlay.tsx";

const SignOutDialog = openedPart(() => import("./sign-out-dialog.tsx"), "SignOutDialog");

export function Sidebar() {
  const { title, collections } = useDictionary();
  const { signOut, views, keys, uploadManager } = useServices();
  useSyncExternalStore(views.subscribe, () => JSON.stringify(collections.map(views.of)));
  const [asking, setAsking] = useState<"upload" | "unsaved">();
  const { collection: current } = useParams();
  const overlay = useOverlay();
  const progress = useUploadProgress();
  const { pathname } = useLocation();
  const isDictionary = pathname.endsWith("/dictionary");
  const pages = useRef<HTMLDivElement>(null);
  useCurrentInSight(pages, pathname);
  const unsaved = useUnsavedChanges();
  const dictionaryOf = current && collections.some(({ name }) => name === current) ? current : collections[0]?.name;

  async function confirmSignOut(): Promise<void> {
    if (progress !== undefined) setAsking("upload");
    else if (unsaved.current || (await hasDrafts(uploadManager.person()))) setAsking("unsaved");
    else signOut.leave();
  }

  useShortcuts(keys, { palette: overlay.palette, help: overlay.help, signOut: confirmSignOut });

  return (
    <header className="sidebar">
      <nav className={styles.links} aria-label={t("Main")}>
        <Brand title={title} />
        <button
          type="button"
          className={`${buttonStyles.bare} ${styles.find}`}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={overlay.palette}
        >
          <Icon of={Search} />
          <span>{t("Find or go to…")}</span>
          <kbd>{keyName("Mod+k")}</kbd>
        </button>
        <div className={`${tabStyles.sideways} ${styles.pages}`} ref={pages}>
          {collections.map((collection) => (
            <Link
              key={collection.name}
              to="/$collection"
              params={{ collection: collection.name }}
              search={homeSearch(views.of(collection))}
              aria-current={collection.name === current && !isDictionary ? "page" : undefined}
            >
              <Icon of={Rows3} />
              {collection.title}
            </Link>
          ))}
          <Link to="/activity" current="section">
            <Icon of={Activity} />
            {t("Activity")}
          </Link>
          <small>{t("Files")}</small>
          <Link to="/uploads" current="section">
            <Icon of={FileUp} />
            {t("Uploads")} {progress !== undefined && <span>{progress}&nbsp;%</span>}
          </Link>
          {dictionaryOf && (
            <Link to="/$collection/dictionary" params={{ collection: dictionaryOf }} current="section">
              <Icon of={TableProperties} />
              {t("Data dictionary")}
            </Link>
          )}
        </div>
        <div className={styles.foot} />
        <Link to="/settings" current="section" className={styles.last}>
          <Icon of={SlidersHorizontal} />
          <span>{t("Settings")}</span>
        </Link>
        <Link to="/about" current="section" className={styles.about}>
          <Icon of={Info} />
          {t("About")}
        </Link>
        <button type="button" className={`${buttonStyles.bare} ${styles.last}`} onClick={confirmSignOut}>
          <Icon of={LogOut} />
          <span>{t("Sign out")}</span>
        </button>
      </nav>
      {asking && <SignOutDialog asking={asking} progress={progress} onConfirm={signOut.leave} onCancel={() => setAsking(undefined)} />}
      {overlay.shown}
    </header>
  );
}

/** Percent of the running upload, also shown in the tab's title. While one runs, closing the tab asks first. */
function useUploadProgress(): number | undefined {
  const { uploadManager } = useServices();
  const { upload } = useSyncExternalStore(uploadManager.subscribe, uploadManager.state);
  const isSending = upload?.step === "sending" || upload?.step === "undoing";
  const percent = isSending ? Math.floor((100 * upload.rowsDone) / Math.max(1, upload.rowsTotal)) : undefined;
  useEffect(() => {
    const title = document.title.replace(/^[0-9]+ % · /, "");
    document.title = percent === undefined ? title : `${percent} % · ${title}`;
  }, [percent]);
  useEffect(() => {
    if (!isSending) return;
    const preventClose = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventClose);
    return () => window.removeEventListener("beforeunload", preventClose);
  }, [isSending]);
  return percent;
}
