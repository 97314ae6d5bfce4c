// The files that were chosen together: what each is, what became of it, and which comes next.

import { useEffect, useSyncExternalStore } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { LiveRegion } from "../../ui/live-region.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatBytes } from "../../values/bytes-and-seconds.ts";
import { count, formatNumber } from "../../values/format.ts";
import { type FileQueueActions, fileQueueOf, isFree } from "../manager/file-queue.ts";
import type { QueuedFile } from "../manager/queued-files.ts";
import { ACCEPTED_FILES } from "./accepted-files.ts";
import { FileState } from "./file-state.tsx";
import * as styles from "./queue-panel.module.css";

export function QueuePanel({ collection }: { collection: Collection }) {
  const { uploadManager } = useServices();
  const { queue, upload } = useSyncExternalStore(uploadManager.subscribe, uploadManager.state);
  const waiting = queue?.files.filter(({ is, id }) => is !== "done" && is !== "refused" && is !== "absent" && id !== queue.openId) ?? [];
  usePreventClose(waiting.some(({ copy }) => copy !== "kept"));
  if (!queue || queue.collection.name !== collection.name) return null;
  const { files, openId, isAutomatic } = queue;
  const actions = fileQueueOf(uploadManager);
  const isIdle = !upload || isFree(upload);
  const next = isIdle ? files.find(({ is, id }) => is === "waiting" && id !== openId) : undefined;
  const done = files.filter(({ is }) => is === "done").length;
  const progress = t("{done} of {n} files uploaded", { done: formatNumber(done), n: formatNumber(files.length) });
  return (
    <section className={styles.queue} aria-label={t("Files")}>
      <div className={styles.head}>
        <b>{progress}</b>
        <LiveRegion>{done > 0 ? progress : ""}</LiveRegion>
        <label className={formStyles.choice}>
          <input type="checkbox" checked={isAutomatic} onChange={({ target }) => actions.setAutomatic(target.checked)} />
          <span>
            {t("Upload the next files automatically")}{" "}
            <span className={textStyles.note}>
              {t("if their columns are the same and all their rows are ready; it stops at any other file")}
            </span>
          </span>
        </label>
        {next && (
          <button type="button" className={buttonStyles.primary} onClick={() => actions.open(next.id)}>
            {t("Open {name}", { name: next.name })}
          </button>
        )}
      </div>
      <ScrollArea label={t("Chosen files")}>
        <ol className={styles.files}>
          {files.map((one) => (
            <li key={one.id} aria-current={one.id === openId || undefined}>
              <span className={styles.name} dir="auto">
                {one.name}
              </span>
              <span className={styles.size}>{formatBytes(one.size)}</span>
              <span className={styles.state}>
                <FileState queue={queue} one={one} upload={one.id === openId ? upload : undefined} />
              </span>
              {one.id !== openId && <RowActions one={one} actions={actions} canOpen={isIdle} />}
            </li>
          ))}
        </ol>
      </ScrollArea>
      <WhatIsKept waiting={waiting} />
    </section>
  );
}

/** Is said once it is known of every file that waits. */
function WhatIsKept({ waiting }: { waiting: readonly QueuedFile[] }) {
  const without = waiting.filter(({ copy }) => copy === "none").length;
  if (waiting.length === 0 || waiting.some(({ copy }) => copy === undefined)) return null;
  return (
    <p className={textStyles.note}>
      {without === 0
        ? t("Files that wait are kept on this computer until they are uploaded, for 7 days at most.")
        : count(
            without,
            "This browser keeps no copy of {n} file. It must be chosen again after a reload.",
            "This browser keeps no copies of {n} files. They must be chosen again after a reload.",
          )}
    </p>
  );
}

function RowActions({ one, actions, canOpen }: { one: QueuedFile; actions: FileQueueActions; canOpen: boolean }) {
  const { name } = one;
  return (
    <div className={styles.actions}>
      {one.is === "absent" && (
        <label className={buttonStyles.quiet}>
          {t("Choose again")}
          <input
            type="file"
            className={textStyles.hidden}
            aria-label={t("Choose {name} again", { name })}
            accept={ACCEPTED_FILES}
            onChange={({ target }) => target.files?.[0] && actions.chooseAgain(one.id, target.files[0])}
          />
        </label>
      )}
      {canOpen && one.file && one.is !== "done" && (
        <button type="button" className={buttonStyles.quiet} aria-label={t("Open {name}", { name })} onClick={() => actions.open(one.id)}>
          {t("Open")}
        </button>
      )}
      <button type="button" className={buttonStyles.quiet} aria-label={t("Remove {name}", { name })} onClick={() => actions.remove(one.id)}>
        {t("Remove")}
      </button>
    </div>
  );
}

/** Files of which there is no copy are in this tab only: closing it asks first. */
function usePreventClose(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const preventClose = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventClose);
    return () => window.removeEventListener("beforeunload", preventClose);
  }, [isActive]);
}
