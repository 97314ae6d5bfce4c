// Finds an upload again that its tab has left: to continue it, or to end it for good.

import { t } from "../../core/i18n/translate.ts";
import { howItDiffers, takeFingerprint } from "../reading/fingerprint.ts";
import type { StoredUpload } from "../sending/journal.ts";
import type { OpenedUpload, UploadStorage } from "./resumable-run.ts";
import type { UploadState } from "./upload-state.ts";

/**
 * Reopens an upload that was interrupted or stopped: rows keep their outcomes, batches without a response are sent again under their
 * keys, and the rest follows. Uses the copy unless `given`. Returns "refused" when the file is not the same.
 */
export async function reopenUpload(
  id: string,
  given: File | undefined,
  { journal, copies }: UploadStorage,
): Promise<OpenedUpload | Extract<UploadState, { step: "refused" }>> {
  const upload = await journal.get(id);
  if (!upload?.job) {
    return refused(
      t("This upload can no longer be continued."),
      t("Its stored data was deleted. Upload the file again, with “Add new ones and update existing ones”."),
    );
  }
  const { fingerprint } = upload.job;
  const found = given ?? (await copies.find(id, fingerprint.size));
  if (!found) return refused(t("Choose {name} again.", { name: upload.fileName }), t("This browser has no copy of it."));
  const file = new File([found], upload.fileName); // read from now on, so that a change during the upload is noticed
  const now = await takeFingerprint(file).catch(() => undefined);
  const difference = now ? howItDiffers(fingerprint, now) : t("It can no longer be read.");
  if (difference) {
    return refused(
      t("This is not the same {name} as before.", { name: upload.fileName }),
      `${difference} ${t("Choose the original file, or discard this upload and start again.")}`,
    );
  }
  return { upload, file, log: journal.batches(id), isCopy: !given };
}

/**
 * Ends a stopped upload for good, because what is undone must not be sent later. Returns "refused" while some rows have no
 * response: only continuing finds out whether they are stored.
 */
export async function endForUndo(
  upload: StoredUpload,
  { journal, copies }: UploadStorage,
  now = Date.now(),
): Promise<Extract<UploadState, { step: "refused" }> | undefined> {
  if (!upload.job) return undefined;
  const log = journal.batches(upload.id);
  for (let sent = await log.from(1); sent; sent = await log.from(sent.last + 1)) {
    if (sent.result) continue;
    return refused(
      t("Continue {name} first.", { name: upload.fileName }),
      t("Some rows got no reply. Continue the upload to find out; then it can be undone."),
    );
  }
  const { job: _, ...ended } = upload;
  await journal.put({ ...ended, endedAt: now });
  await copies.drop(upload.id).catch(() => undefined);
  return undefined;
}

function refused(title: string, detail: string): Extract<UploadState, { step: "refused" }> {
  return { step: "refused", title, detail };
}
