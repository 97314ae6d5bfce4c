// What stays around every page: the rail with the collections, the running upload's progress, sign-in over the page, toasts.

import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useParams } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { Brand } from "../ui/pieces.tsx";
import { ToastRegion } from "../ui/toasts.tsx";
import { useDeps, useDictionary } from "./deps.ts";
import { SignInDialog } from "./sign-in.tsx";

export function Frame() {
  const { session, toasts } = useDeps();
  const state = useSyncExternalStore(session.subscribe, session.state);
  return (
    <div className="frame">
      <a className="button skip" href={`${location.pathname}${location.search}#main`}>
        Skip to the content
      </a>
      <Rail />
      <Outlet />
      {state === "ended" && <SignInDialog />}
      <ToastRegion toasts={toasts} />
    </div>
  );
}

function Rail() {
  const { session, desk } = useDeps();
  const { title, collections } = useDictionary();
  const { collection: current } = useParams({ strict: false });
  const queries = useQueryClient();
  const progress = useUploadProgress();
  const isDictionary = useLocation({ select: ({ pathname }) => pathname.endsWith("/dictionary") });
  const dictionaryOf = current && collections.some(({ name }) => name === current) ? current : collections[0]?.name;

  function signOut(): void {
    desk.close();
    session.signOut();
    queries.clear();
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
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </nav>
    </header>
  );
}

/** Percent of the upload that is being sent. While there is one, closing the tab asks first. */
function useUploadProgress(): number | undefined {
  const { desk } = useDeps();
  const { upload } = useSyncExternalStore(desk.subscribe, desk.state);
  const isSending = upload?.step === "sending";
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isSending]);
  return isSending ? Math.floor((100 * upload.rowsDone) / Math.max(1, upload.rowsTotal)) : undefined;
}
