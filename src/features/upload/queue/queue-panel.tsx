// The files that were chosen together: what each is, what became of it, and which comes next.

import { useEffect, useSyncExternalStore } from "react";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import { t } from "../../../../core/i18n/translate.ts";
import * as buttonStyles from "../../../components/button.module.css";
import * as formStyles from "../../../components/form.module.css";
import { LiveRegion } from "../../../components/live-region.tsx";
import { ScrollArea } from "../../../components/scroll-area.tsx";
import * as textStyles from "../../../components/text.module.css";
import { useServices } from "../../../context/services.ts";
import { formatBytes } from "../../../fields/bytes-and-seconds.ts";
import { formatNumber } from "../../../fields/format.ts";
import { type FileQueueActions, fileQueueOf, isFree, type QueuedFile } from "../../../state/file-queue.ts";
import { FileState } from "./file-state.tsx";
import * as styles from "./queue-panel.module.css";

export function QueuePanel({ collection }: { collection: Collection }) {
  const { uploadManager } = useServices();
  const { queue, upload } = useSyncExternalStore(uploadManager.subscribe, uploadManager.state);
  const waits = queue?.files.some(({ is, id }) => is !== "done" && is !== "refused" && id !== queue.openId) ?? false;
  usePreventClose(waits);
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
            {t("Go on by itself")}{" "}
            <span className={textStyles.note}>
              {t("with files whose columns are the same and whose rows are all ready; it stops at any other")}
            </span>
          </span>
        </label>
        {next && (
          <button type="button" className={buttonStyles.primary} onClick={() => actions.open(next.id)}>
            {t("Open {name}", { name: next.file.name })}
          </button>
        )}
      </div>
      <ScrollArea label={t("Chosen files")}>
        <ol className={styles.files}>
          {files.map((one) => (
            <li key={one.id} aria-current={one.id === openId || undefined}>
              <span className={styles.name} dir="auto">
                {one.file.name}
              </span>
              <span className={styles.size}>{formatBytes(one.file.size)}</span>
              <span className={styles.state}>
                <FileState queue={queue} one={one} upload={one.id === openId ? upload : undefined} />
              </span>
              {one.id !== openId && <RowActions one={one} actions={actions} canOpen={isIdle} />}
            </li>
          ))}
        </ol>
      </ScrollArea>
    </section>
  );
}

function RowActions({ one, actions, canOpen }: { one: QueuedFile; actions: FileQueueActions; canOpen: boolean }) {
  const { name } = one.file;
  return (
    <div className={styles.actions}>
      {canOpen && one.is !== "done" && (
        <button type="button" className={buttonStyles.quiet} aria-label={t("Open {name}", { name })} onClick={() => actions.open(one.id)}>
          {t("Open")}
        </button>
      )}
      <button
        type="button"
        className={buttonStyles.quiet}
        aria-label={t("Take off {name}", { name })}
        onClick={() => actions.remove(one.id)}
      >
        {t("Take off")}
      </button>
    </div>
  );
}

/** Files that wait are in this tab only: closing it asks first. */
function usePreventClose(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const preventClose = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventClose);
    return () => window.removeEventListener("beforeunload", preventClose);
  }, [isActive]);
}
