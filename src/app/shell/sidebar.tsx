// The organisation, links to every part of the app, and the person who is signed in; on a phone one row with a menu.

import { Activity, FileUp, Home, Menu, PanelLeft, Search, SlidersHorizontal, TableProperties } from "lucide";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { hasDrafts } from "../../records/drafts/delete-drafts.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { afterPaint } from "../../ui/focus/after-paint.ts";
import { keyName } from "../../ui/keyboard/key-name.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import { Brand, Icon } from "../../ui/primitives.tsx";
import { openedPart } from "../code/lazy-page.tsx";
import { useUnsavedChanges } from "../navigation/unsaved-changes.ts";
import { Link } from "../router/link.tsx";
import { useLocation, useParams } from "../router/router-context.tsx";
import { useDictionary, useServices } from "../services/services.ts";
import { CollectionLinks } from "./collection-links.tsx";
import { PersonButton } from "./person-button.tsx";
import * as styles from "./sidebar.module.css";
import { useOverlay } from "./use-overlay.tsx";

const SignOutDialog = openedPart(() => import("./sign-out-dialog.tsx"), "SignOutDialog");

export function Sidebar() {
  const { title, collections } = useDictionary();
  const { signOut, keys, uploadManager, settings } = useServices();
  const isFolded = useSyncExternalStore(settings.subscribe, settings.current).sidebar === "folded";
  const [asking, setAsking] = useState<"upload" | "unsaved">();
  const { collection: current } = useParams();
  const overlay = useOverlay();
  const progress = useUploadProgress();
  const links = useLinks();
  const unsaved = useUnsavedChanges();
  const dictionaryOf = current && collections.some(({ name }) => name === current) ? current : collections[0]?.name;
  const fold = () => settings.change({ sidebar: isFolded ? "open" : "folded" });

  async function confirmSignOut(): Promise<void> {
    if (progress !== undefined) setAsking("upload");
    else if (unsaved.current || (await hasDrafts(uploadManager.person()))) setAsking("unsaved");
    else signOut.leave();
  }

  useShortcuts(keys, { palette: overlay.palette, help: overlay.help, signOut: confirmSignOut, foldSidebar: fold });

  return (
    <header className="sidebar">
      <nav className={styles.bar} aria-label={t("Main")}>
        <button
          type="button"
          className={`${buttonStyles.bare} ${styles.tool} ${styles.menu}`}
          popoverTarget="main-links"
          aria-label={t("Menu")}
        >
          <Icon of={Menu} />
        </button>
        <Brand title={title} />
        <button
          type="button"
          className={`${buttonStyles.bare} ${styles.tool} ${styles.fold}`}
          aria-keyshortcuts="Control+B Meta+B"
          aria-label={isFolded ? t("Unfold the sidebar") : t("Fold the sidebar")}
          title={keyName("Mod+b")}
          onClick={fold}
        >
          <Icon of={PanelLeft} />
        </button>
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
        <div className={styles.links} id="main-links" popover="auto" ref={links}>
          <Link to="/" current="page">
            <Icon of={Home} />
            <span>{t("Start")}</span>
          </Link>
          <CollectionLinks />
          <small>{t("Files")}</small>
          <Link to="/uploads" current="section">
            <Icon of={FileUp} />
            <span>{t("Uploads")}</span> {progress !== undefined && <em>{progress}&nbsp;%</em>}
          </Link>
          {dictionaryOf && (
            <Link to="/$collection/dictionary" params={{ collection: dictionaryOf }} current="section">
              <Icon of={TableProperties} />
              <span>{t("Data dictionary")}</span>
            </Link>
          )}
          <Link to="/activity" current="section">
            <Icon of={Activity} />
            <span>{t("Activity")}</span>
          </Link>
          <div className={styles.last}>
            <Link to="/settings" current="section">
              <Icon of={SlidersHorizontal} />
              <span>{t("Settings")}</span>
            </Link>
          </div>
        </div>
        <PersonButton onSignOut={confirmSignOut} />
      </nav>
      {asking && <SignOutDialog asking={asking} progress={progress} onConfirm={signOut.leave} onCancel={() => setAsking(undefined)} />}
      {overlay.shown}
    </header>
  );
}

/** Draws the links, in a column that scrolls to the current one. Where they are a menu, it closes when one is followed and when the window grows. */
function useLinks() {
  const links = useRef<HTMLDivElement>(null);
  const { key, pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is the current one at another address
  useEffect(() => {
    links.current?.hidePopover?.();
    return afterPaint(() => links.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }));
  }, [key, pathname]);
  useEffect(() => {
    const close = () => links.current?.hidePopover?.();
    window.addEventListener("resize", close);
    return () => window.removeEventListener("resize", close);
  }, []);
  return links;
}

/** Returns the percent of the running upload, also shown in the tab's title. While one runs, closing the tab asks first. */
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
