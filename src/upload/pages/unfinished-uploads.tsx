// Uploads that were interrupted or stopped: how far each came, and how to continue it.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { fill, t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useMayUpload } from "../../app/services/permissions.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatNumber, formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import type { ListedUpload } from "../manager/upload-history.ts";
import type { UploadManager } from "../manager/upload-manager.ts";
import { ACCEPTED_FILES } from "../queue/accepted-files.ts";
import { useMayBegin } from "../steps/use-may-begin.tsx";

const UPLOADS_KEY = ["uploads"];
const REFRESH_EVERY = 2_000; // ms

/** Lists the uploads that this browser stores. They are never cached, because other tabs change them. `fail` says why some could not be removed. */
export function useUploads(uploadManager: UploadManager) {
  const { toasts } = useServices();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: UPLOADS_KEY,
    queryFn: uploadManager.uploads,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => state.data?.some(({ isElsewhere }) => isElsewhere) && REFRESH_EVERY, // the other tab may be closed at any time
  });
  const fail = ({ message }: Error) => toasts.show({ message });
  return { uploads: data, error, refresh: () => queries.invalidateQueries({ queryKey: UPLOADS_KEY }), fail };
}

export function isUnfinished({ job, endedAt }: ListedUpload): boolean {
  return job !== undefined && endedAt === undefined;
}

/** `file`: only the uploads of this file, so that nobody stores its rows twice. Name and size tell; reading all of it would take long. */
export function UnfinishedUploads({ collection, file }: { collection: Collection; file?: File }) {
  const { uploadManager } = useServices();
  const { uploads = [] } = useUploads(uploadManager);
  return uploads
    .filter((upload) => isUnfinished(upload) && upload.collection === collection.name)
    .filter(({ fileName, job }) => !file || (fileName === file.name && job?.fingerprint.size === file.size))
    .map((upload) => <UnfinishedUpload key={upload.id} upload={upload} collection={collection} />);
}

export function UnfinishedUpload({ upload, collection }: { upload: ListedUpload; collection: Collection }) {
  const { uploadManager } = useServices();
  const { refresh, fail } = useUploads(uploadManager);
  const mayUpload = useMayUpload(collection);
  const { id, fileName, isElsewhere, startedAt } = upload;
  const discard = () => void uploadManager.drop(id).then(refresh, fail);
  // Who may no longer write there is not shown what they once read from a file.
  if (mayUpload === false) {
    return (
      <section className={noticeStyles.notice} data-tone="doubt">
        <p>{t("An upload to {collection} is unfinished, and you may not write there any more.", { collection: collection.title })}</p>
        {!isElsewhere && <DiscardButton upload={upload} isNamed={false} onDiscard={discard} />}
      </section>
    );
  }
  return (
    <section className={noticeStyles.notice} data-tone="doubt" aria-label={t("{name}, unfinished", { name: fileName })}>
      <b>
        <NameInSentence name={fileName} text={describeUnfinished(upload)} />
      </b>{" "}
      <span className={textStyles.dim}>
        {fill(
          upload.unsent ? t("Corrected {when}; kept on this computer for 7 days.") : t("Started {when}. Continuing stores no row twice."),
          {
            when: formatRelativeTime(new Date(startedAt).toISOString()),
          },
        )}
      </span>
      {!isElsewhere && (
        <div className={noticeStyles.actions}>
          <ContinueUpload upload={upload} collection={collection} />
          <DiscardButton upload={upload} onDiscard={discard} />
        </div>
      )}
    </section>
  );
}

/** Returns a sentence with {name}, the name of the file, still to be filled. */
export function describeUnfinished({ unsent, isElsewhere, lastRow: row, job }: ListedUpload): string {
  if (unsent) return isElsewhere ? t("{name} is being corrected in another tab.") : t("{name} is corrected and not uploaded yet.");
  if (isElsewhere) return t("{name} is being uploaded in another tab.");
  if (row === 0) return t("{name} stopped before its first row.");
  return fill(t("{name} stopped at row {row} of {whole}."), { row: formatNumber(row), whole: formatNumber(job?.rowsTotal ?? row) });
}

/** Goes on with the upload. Where this browser has no copy of the file, it must be chosen again. */
export function ContinueUpload({ upload, collection, className = buttonStyles.primary }: ContinueUploadProps) {
  const { uploadManager } = useServices();
  const { collections } = useDictionary();
  const navigate = useNavigate();
  const mayBegin = useMayBegin();
  function goOn(file?: File): void {
    if (!mayBegin()) return;
    uploadManager.continueUpload(upload, collection, collections, file);
    void navigate({ to: "/$collection/upload", params: { collection: collection.name } });
  }
  if (upload.hasCopy) {
    return (
      <button type="button" className={className} onClick={() => goOn()}>
        {t("Continue")}
      </button>
    );
  }
  return (
    <label className={className}>
      <NameInSentence name={upload.fileName} text={t("Continue: choose {name} again")} />
      <input
        type="file"
        className={textStyles.hidden}
        accept={ACCEPTED_FILES}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) goOn(file);
        }}
      />
    </label>
  );
}

interface ContinueUploadProps {
  upload: ListedUpload;
  collection: Collection;
  /** The look of the button; that of a page's main one unless given. */
  className?: string;
}

/** Draws a button that asks first, because nothing brings back what it removes. */
function DiscardButton({ upload, isNamed = true, onDiscard }: { upload: ListedUpload; isNamed?: boolean; onDiscard: () => void }) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <button type="button" className={buttonStyles.quiet} onClick={() => setConfirming(true)}>
        {t("Discard")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={isNamed ? <NameInSentence name={upload.fileName} text={t("Discard {name}?")} /> : t("Discard this upload?")}
          confirmLabel={t("Discard")}
          onConfirm={() => {
            setConfirming(false);
            onDiscard();
          }}
          onCancel={() => setConfirming(false)}
        >
          {upload.unsent
            ? t("Your corrections will be lost. The file from which you began is not changed.")
            : t("Rows that are stored stay, and can be undone under Activity. The other rows will not be stored.")}
        </ConfirmDialog>
      )}
    </>
  );
}
