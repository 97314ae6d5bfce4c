// What stays around every page: the rail with the collections, the running upload's progress, sign-in over the page, toasts.

import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { homeSearch } from "../list/views.ts";
import { count, formatNumber } from "../ui/format.ts";
import { Brand } from "../ui/pieces.tsx";
import { ToastRegion } from "../ui/toasts.tsx";
import type { Report } from "../upload/report.ts";
import { useDeps, useDictionary } from "./deps.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { ListPlacesContext, useListPlaces } from "./list-place.ts";
import { SignInDialog } from "./sign-in.tsx";
import { UnsavedContext, useUnsaved } from "./unsaved.ts";
import { storedRows } from "./upload-outcomes.ts";

export function Frame() {
  const { session, toasts } = useDeps();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const places = useListPlaces(useParams({ strict: false }).collection);
  const unsaved = useRef(false);
  useEndOfUpload();
  return (
    <div className="frame">
      <a className="button skip" href={`${location.pathname}${location.search}#main`}>
        Skip to the content
      </a>
      <UnsavedContext value={unsaved}>
        <Rail />
        <ListPlacesContext value={places}>
          <Outlet />
        </ListPlacesContext>
      </UnsavedContext>
      {state === "ended" && <SignInDialog />}
      <ToastRegion toasts={toasts} />
    </div>
  );
}

function Rail() {
  const { title, collections } = useDictionary();
  const { session, desk, views } = useDeps();
  useSyncExternalStore(views.subscribe, () => JSON.stringify(collections.map(views.of)));
  const [isAsking, setAsking] = useState(false);
  const { collection: current } = useParams({ strict: false });
  const queries = useQueryClient();
  const progress = useUploadProgress();
  const isDictionary = useLocation({ select: ({ pathname }) => pathname.endsWith("/dictionary") });
  const unsaved = useUnsaved();
  const [isAskingUnsaved, setAskingUnsaved] = useState(false);
  const dictionaryOf = current && collections.some(({ name }) => name === current) ? current : collections[0]?.name;

  async function signOut(): Promise<void> {
    await desk.stop();
    session.signOut();
    queries.clear();
  }

  function ask(): void {
    if (progress !== undefined) setAsking(true);
    else if (unsaved.current) setAskingUnsaved(true);
    else signOut();
  }

  return (
    <header className="rail">
      <nav aria-label="Main">
        <Brand title={title} />
        {collections.map((collection) => (
          <Link
            key={collection.name}
            to="/$collection"
            params={{ collection: collection.name }}
            search={homeSearch(views.of(collection))}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={collection.name === current && !isDictionary ? "page" : undefined}
          >
            {collection.title}
          </Link>
        ))}
        <small>Files</small>
        <Link to="/uploads">Uploads {progress !== undefined && <span>{progress} %</span>}</Link>
        {dictionaryOf && (
          <Link to="/$collection/dictionary" params={{ collection: dictionaryOf }}>
            Data dictionary
          </Link>
        )}
        <div className="foot" />
        <button type="button" onClick={ask}>
          Sign out
        </button>
        {isAsking && (
          <LeaveDialog title="Stop the upload and sign out?" leave="Stop and sign out" onLeave={signOut} onStay={() => setAsking(false)}>
            {progress !== undefined && `The upload is at ${progress} %. `}Rows that are stored stay stored, and its report stays under
            Uploads.
          </LeaveDialog>
        )}
        {isAskingUnsaved && (
          <LeaveDialog title="Sign out without saving?" leave="Sign out" onLeave={signOut} onStay={() => setAskingUnsaved(false)}>
            What you typed here is not saved yet, and signing out takes it off this computer.
          </LeaveDialog>
        )}
      </nav>
    </header>
  );
}

/** Percent of the upload that is being sent, also in the tab's title. While there is one, closing the tab asks first. */
function useUploadProgress(): number | undefined {
  const { desk } = useDeps();
  const { upload } = useSyncExternalStore(desk.subscribe, desk.state);
  const isSending = upload?.step === "sending" || upload?.step === "undoing";
  const percent = isSending ? Math.floor((100 * upload.rowsDone) / Math.max(1, upload.rowsTotal)) : undefined;
  useEffect(() => {
    const title = document.title.replace(/^[0-9]+ % · /, "");
    document.title = percent === undefined ? title : `${percent} % · ${title}`;
  }, [percent]);
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isSending]);
  return percent;
}

/** Whoever works on another page when an upload ends hears of it there. */
function useEndOfUpload(): void {
  const { desk, toasts } = useDeps();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { collection, fileName, upload } = useSyncExternalStore(desk.subscribe, desk.state);
  const report = upload?.step === "report" ? upload.report : undefined;
  const isElsewhere = !pathname.endsWith("/upload");
  const told = useRef<Report>(undefined);
  useEffect(() => {
    if (!report || told.current === report) return;
    told.current = report;
    if (!isElsewhere || !collection) return;
    toasts.show({
      message: `${fileName}: ${formatNumber(storedRows(report.counts))} of ${count(report.rowsRead, "row")} stored.`,
      action: { label: "Report", run: () => navigate({ to: "/$collection/upload", params: { collection: collection.name } }) },
    });
  }, [report, isElsewhere, collection, fileName, toasts, navigate]);
}
