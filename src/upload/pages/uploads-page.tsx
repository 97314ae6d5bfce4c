// The upload that runs in this tab, unfinished uploads, and the history of uploads on this computer.

import { useInfiniteQuery } from "@tanstack/react-query";
import { FileUp } from "lucide";
import { useSyncExternalStore } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useMayUpload } from "../../app/services/permissions.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { runsQuery } from "../../service/runs.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useKeptFocus } from "../../ui/focus/kept-focus.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Icon, Notice, PageTitle } from "../../ui/primitives.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatRelativeTime } from "../../values/format.ts";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { Legend, OutcomeBar } from "../../values/outcome-bar.tsx";
import { nounsOf } from "../../values/record-name.ts";
import type { ListedUpload } from "../manager/upload-history.ts";
import { outcomeParts, partsAfterUndo } from "../steps/outcome-labels.ts";
import { UndoButton } from "../steps/undo-step.tsx";
import { OthersUploads } from "./others-uploads.tsx";
import { RemoveUpload, RemoveUploads } from "./remove-uploads.tsx";
import { RunsElsewhere } from "./runs-elsewhere.tsx";
import { undoOf } from "./undo-of-run.ts";
import { isUnfinished, UnfinishedUpload, useUploads } from "./unfinished-uploads.tsx";
import * as styles from "./uploads-page.module.css";

export function UploadsPage() {
  const { client, uploadManager } = useServices();
  const { collections } = useDictionary();
  const { collection, fileName, upload } = useSyncExternalStore(uploadManager.subscribe, uploadManager.state);
  const { uploads: stored, error, refresh: inspectAgain, fail } = useUploads(uploadManager);
  // It lists nothing of a collection that this person may read no more.
  const uploads = stored?.filter((one) => collections.some(({ name }) => name === one.collection));
  const isOpen = collection && upload && upload.step !== "report" && upload.step !== "undone";
  const { data: runs } = useInfiniteQuery({ ...runsQuery(client), retry: false });
  const known = runs?.pages.flatMap((page) => page.runs) ?? [];
  useKeptFocus();
  const isEmpty = uploads?.length === 0 && !isOpen;
  const begin = collections.map((one, i) => (
    <UploadLink key={one.name} collection={one} isFirst={i === 0} isOnly={collections.length === 1} />
  ));
  const hasBegin = (uploads || error) && !isEmpty;
  const past = uploads?.filter((one) => one.report && !isUnfinished(one));
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("Uploads")}</PageTitle>
        {past && past.length > 0 && (
          <RemoveUploads
            uploads={past}
            label={t("Clear this list")}
            question={t("Clear this list?")}
            className={styles.clear}
            onRemove={() => uploadManager.clear().then(inspectAgain, fail)}
          />
        )}
        <Link className={isEmpty ? buttonStyles.quietEnd : buttonStyles.quiet} to="/recipes">
          {t("Recipes")}
        </Link>
        {hasBegin && collections.length === 1 && begin}
      </div>
      {hasBegin && collections.length > 1 && <div className={pageStyles.tools}>{begin}</div>}
      {error && <Failure error={error} retry={inspectAgain} />}
      {isOpen && (
        <Notice>
          <RichText text={t("{b}{name}{/b} is open in this tab.")} parts={{ b: (name) => <b>{name}</b> }} values={{ name: fileName }} />{" "}
          <Link to="/$collection/upload" params={{ collection: collection.name }}>
            {t("Open it")}
          </Link>
        </Notice>
      )}
      {uploads?.filter(isUnfinished).map((one) => {
        const its = collections.find(({ name }) => name === one.collection);
        return its && <UnfinishedUpload key={one.id} upload={one} collection={its} />;
      })}
      <OthersUploads />
      {isEmpty && (
        <div className={pageStyles.empty}>
          <Icon of={FileUp} isLarge />
          <b>{known.length > 0 ? t("No uploads from this computer") : t("No uploads yet")}</b>
          <span className={textStyles.dim}>{t("The report of each upload is kept here, for everybody who may read the collection.")}</span>
          <div>{begin}</div>
        </div>
      )}
      {past?.map((one) => (
        <PastUpload key={one.id} upload={one} takenBack={known.find(({ id }) => id === one.id)?.takenBack} />
      ))}
      {(uploads || error) && <RunsElsewhere here={new Set(uploads?.map(({ id }) => id))} />}
    </main>
  );
}

/** Draws the main button of the page; of several, the first. */
function UploadLink({ collection, isFirst, isOnly }: { collection: Collection; isFirst: boolean; isOnly: boolean }) {
  if (useMayUpload(collection) === false) return null;
  return (
    <Link className={isFirst ? buttonStyles.primary : "button"} to="/$collection/upload" params={{ collection: collection.name }}>
      {isOnly ? t("Upload a file") : t("Upload a file of {nouns}", nounsOf(collection))}
    </Link>
  );
}

/** `takenBack`: how many changes were taken back since, also in another browser. */
function PastUpload({ upload, takenBack }: { upload: ListedUpload; takenBack: number | undefined }) {
  const { uploadManager } = useServices();
  const { refresh: inspectAgain, fail } = useUploads(uploadManager);
  const { collections } = useDictionary();
  const collection = collections.find(({ name }) => name === upload.collection);
  if (!upload.report) return null;
  const { counts, rowsRead, ended } = upload.report;
  const { undo } = upload;
  const shown = undo ?? undoOf(counts, takenBack);
  const parts = shown ? partsAfterUndo(counts, shown) : outcomeParts(counts);
  return (
    <section className={outcomeStyles.figure} aria-label={upload.fileName}>
      <div className={`${pageStyles.head} ${styles.uploadHead}`}>
        <h2 dir="auto">
          <Link to="/uploads/$upload" params={{ upload: upload.again?.run ?? upload.id }}>
            {upload.fileName}
          </Link>
        </h2>
        <span className={textStyles.note}>
          {collection?.title ?? upload.collection} · {upload.again && `${t("rows sent again")} · `}
          {count(rowsRead, "{n} row", "{n} rows")}
          {ended === "done" ? "" : ` · ${ended === "cancelled" ? t("cancelled") : t("stopped early")}`}
          {` · ${formatRelativeTime(new Date(upload.endedAt ?? upload.startedAt).toISOString())}`}
        </span>
        <span className={pageStyles.end} />
        {collection && !upload.isElsewhere && !upload.again && (
          <UndoButton upload={upload} collection={collection} report={upload.report} begun={undo} />
        )}
        <RemoveUpload upload={upload} onRemove={() => uploadManager.drop(upload.id).then(inspectAgain, fail)} />
      </div>
      <OutcomeBar parts={parts} whole={rowsRead} />
      <Legend parts={parts} />
    </section>
  );
}
