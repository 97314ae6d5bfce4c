// Uploads that were cut off or stopped: how far each came, and how it goes on.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { fill, say } from "../../../core/i18n/translate.ts";
import { useMayWrite } from "../../context/permissions.ts";
import { useDeps } from "../../context/services.ts";
import { formatMoment, formatNumber } from "../../fields/format.ts";
import { Named } from "../../fields/record-name-text.tsx";
import type { ListedUpload } from "../../state/upload-history.ts";
import type { UploadDesk } from "../../state/upload-manager.ts";

const UPLOADS_KEY = ["uploads"];
const LOOK_AGAIN = 2_000; // ms

/** All uploads that this computer knows of; they live in the browser, so each look is a new one. */
export function useUploads(desk: UploadDesk) {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: UPLOADS_KEY,
    queryFn: desk.uploads,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => state.data?.some(({ isElsewhere }) => isElsewhere) && LOOK_AGAIN, // the other tab may be closed any time
  });
  return { uploads: data, error, lookAgain: () => queries.invalidateQueries({ queryKey: UPLOADS_KEY }) };
}

export function isUnfinished({ job, endedAt }: ListedUpload): boolean {
  return job !== undefined && endedAt === undefined;
}

/** Those of one collection. */
export function Unfinished({ collection }: { collection: Collection }) {
  const { desk } = useDeps();
  const { uploads = [] } = useUploads(desk);
  return uploads
    .filter((upload) => isUnfinished(upload) && upload.collection === collection.name)
    .map((upload) => <UnfinishedUpload key={upload.id} upload={upload} collection={collection} />);
}

export function UnfinishedUpload({ upload, collection }: { upload: ListedUpload; collection: Collection }) {
  const { desk } = useDeps();
  const { lookAgain } = useUploads(desk);
  const mayWrite = useMayWrite(collection);
  const navigate = useNavigate();
  const { fileName, row, job, isElsewhere, hasCopy, startedAt } = upload;
  function goOn(file?: File): void {
    desk.goOn(upload, collection, file);
    void navigate({ to: "/$collection/upload", params: { collection: collection.name } });
  }
  const stopped =
    row === 0
      ? say("{name} stopped before its first row.")
      : fill(say("{name} stopped at row {row} of {whole}."), { row: formatNumber(row), whole: formatNumber(job?.rowsTotal ?? row) });
  return (
    <section className="note doubt" aria-label={say("{name}, unfinished", { name: fileName })}>
      <b>
        <Named name={fileName} text={isElsewhere ? say("{name} is being uploaded in another tab.") : stopped} />
      </b>{" "}
      <span className="dim">
        {say("Begun {when}. Going on stores no row twice.", { when: formatMoment(new Date(startedAt).toISOString()) })}
      </span>
      {!isElsewhere && (
        <div className="actions">
          {!mayWrite ? null : hasCopy ? (
            <button type="button" className="button primary" onClick={() => goOn()}>
              {say("Continue")}
            </button>
          ) : (
            <label className="button primary">
              {say("Continue: choose {name} again", { name: fileName })}
              <input
                type="file"
                className="hidden"
                accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
                onChange={(event) => {
                  const file = event.target.files?.[0];
                  event.target.value = "";
                  if (file) goOn(file);
                }}
              />
            </label>
          )}
          <button type="button" className="button quiet" onClick={() => desk.drop(upload.id).then(lookAgain)}>
            {say("Discard")}
          </button>
        </div>
      )}
    </section>
  );
}
