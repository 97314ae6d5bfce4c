// Says what is known of a queued file, in words.

import { t } from "../../../core/i18n/translate.ts";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { Link } from "../../app/router/link.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { isLike } from "../manager/file-queue.ts";
import type { FileQueue, QueuedFile } from "../manager/queued-files.ts";
import { storedRows } from "../manager/stored-rows.ts";

interface FileStateProps {
  queue: FileQueue;
  one: QueuedFile;
  /** Is the state of the file that is open, if it is this one. */
  upload: UploadState | undefined;
}

export function FileState({ queue, one, upload }: FileStateProps) {
  if (one.report) return <Stored report={one.report} uploadId={one.uploadId ?? ""} />;
  if (one.is === "refused")
    return (
      <>
        {one.title} <span className={textStyles.dim}>{one.detail}</span>
      </>
    );
  if (upload) return <b>{stepOf(upload)}</b>;
  if (one.is === "absent") return <>{t("Must be chosen again: this browser kept no copy of it.")}</>;
  if (one.is === "unread") return <span className={textStyles.dim}>{t("Reading its headings…")}</span>;
  return (
    <span className={textStyles.dim}>
      {t("Waits")}
      {one.copy === "none" && ` · ${t("not kept on this computer")}`}
      {queue.decided &&
        ` · ${
          isLike(queue.decided, one.header)
            ? t("columns and corrections as in {name}", { name: queue.decided.fileName })
            : t("other columns than {name}", { name: queue.decided.fileName })
        }`}
    </span>
  );
}

function Stored({ report, uploadId }: { report: Report; uploadId: string }) {
  const { counts, rowsRead, ended } = report;
  const stored = formatNumber(storedRows(counts));
  return (
    <>
      <Link to="/uploads/$upload" params={{ upload: uploadId }}>
        {count(rowsRead, "{stored} of {n} row stored", "{stored} of {n} rows stored", { stored })}
      </Link>
      {ended !== "done" && ` · ${ended === "cancelled" ? t("cancelled") : t("stopped early")}`}
    </>
  );
}

function stepOf(upload: UploadState): string {
  switch (upload.step) {
    case "columns":
      return t("Open: columns");
    case "checking":
      return t("Open: being checked");
    case "checked":
      return t("Open: checked");
    case "preparing":
      return t("Being uploaded");
    case "sending":
      return t("Being uploaded: {n} %", { n: Math.floor((100 * upload.rowsDone) / Math.max(1, upload.rowsTotal)) });
    case "refused":
    case "report":
    case "undoing":
    case "undone":
      return "";
  }
}
