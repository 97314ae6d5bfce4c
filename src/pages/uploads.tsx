// Uploads: the one that runs in this tab, and those that ended on this computer, each with its outcome bar.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { count, formatMoment } from "../ui/format.ts";
import { Legend, OutcomeBar } from "../ui/outcome-bar.tsx";
import { Notice, PageTitle } from "../ui/pieces.tsx";
import type { PastUpload } from "../upload/history.ts";
import { useDeps, useDictionary } from "./deps.ts";
import { outcomeParts } from "./upload-outcomes.ts";

const HISTORY_KEY = ["uploads"];

export function UploadsPage() {
  const { desk } = useDeps();
  const { collections } = useDictionary();
  const { collection, file, upload } = useSyncExternalStore(desk.subscribe, desk.state);
  const queries = useQueryClient();
  const { data: past } = useQuery({ queryKey: HISTORY_KEY, queryFn: desk.history, staleTime: 0, gcTime: 0 });
  const isOpen = collection && upload && upload.step !== "report";
  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>Uploads</PageTitle>
        {past && past.length > 0 && (
          <button
            type="button"
            className="button quiet"
            onClick={() => desk.forgetHistory().then(() => queries.invalidateQueries({ queryKey: HISTORY_KEY }))}
          >
            Clear this list
          </button>
        )}
        {collections.map(({ name, title }) => (
          <Link key={name} className="button primary" to="/$collection/upload" params={{ collection: name }}>
            {collections.length > 1 ? `Upload a file of ${title.toLowerCase()}` : "Upload a file"}
          </Link>
        ))}
      </div>
      {isOpen && (
        <Notice>
          <b>{file?.name}</b> is open in this tab.{" "}
          <Link to="/$collection/upload" params={{ collection: collection.name }}>
            Go on with it
          </Link>
        </Notice>
      )}
      {past?.length === 0 && !isOpen && (
        <div className="empty">
          <b>No uploads yet</b>
          <span className="dim">Each upload leaves its report here, on this computer.</span>
        </div>
      )}
      {past?.map((one) => (
        <Past key={one.id} upload={one} title={collections.find(({ name }) => name === one.collection)?.title ?? one.collection} />
      ))}
    </main>
  );
}

function Past({ upload, title }: { upload: PastUpload; title: string }) {
  const { counts, rowsRead, ended } = upload.report;
  const parts = outcomeParts(counts);
  return (
    <section className="figure" aria-label={upload.fileName}>
      <div className="head">
        <h2 dir="auto">{upload.fileName}</h2>
        <span className="dim small">
          {title} · {count(rowsRead, "row")}
          {ended === "done" ? "" : ended === "cancelled" ? " · cancelled" : " · stopped early"}
        </span>
        <span className="dim small end">{formatMoment(new Date(upload.endedAt).toISOString())}</span>
      </div>
      <OutcomeBar parts={parts} whole={rowsRead} />
      <Legend parts={parts} />
    </section>
  );
}
