// Uploads that were cut off or stopped: how far each came, and how it goes on.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Collection } from "../../dictionary/collections.ts";
import { formatMoment, formatNumber } from "../ui/format.ts";
import { useDeps } from "./deps.ts";
import type { ListedUpload } from "./kept-uploads.ts";
import { useMayWrite } from "./may-write.ts";
import type { UploadDesk } from "./upload-desk.ts";

const UPLOADS_KEY = ["uploads"];

/** All uploads that this computer knows of; they live in the browser, so each look is a new one. */
export function useUploads(desk: UploadDesk) {
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: UPLOADS_KEY, queryFn: desk.uploads, retry: false, staleTime: 0, gcTime: 0 });
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
  const where = row === 0 ? "before its first row" : `at row ${formatNumber(row)} of ${formatNumber(job?.rowsTotal ?? row)}`;
  return (
    <section className="note doubt" aria-label={`${fileName}, unfinished`}>
      <b>
        <bdi>{fileName}</bdi> {isElsewhere ? "is being uploaded in another tab." : `stopped ${where}.`}
      </b>{" "}
      <span className="dim">Begun {formatMoment(new Date(startedAt).toISOString())}. Going on stores no row twice.</span>
      {!isElsewhere && (
        <div className="actions">
          {!mayWrite ? null : hasCopy ? (
            <button type="button" className="button primary" onClick={() => goOn()}>
              Continue
            </button>
          ) : (
            <label className="button primary">
              Continue: choose {fileName} again
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
            Discard
          </button>
        </div>
      )}
    </section>
  );
}
