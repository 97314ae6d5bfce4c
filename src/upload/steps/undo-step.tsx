// Undo of an upload or a batch run: the confirmation, the progress, and the result.

import { useState } from "react";
import type { UndoCounts } from "../../../core/contract/history.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { message, t, tCount } from "../../../core/i18n/translate.ts";
import { countStored, type Outcomes, type Report } from "../../../pipeline/model/outcomes.ts";
import { isWhollyUndone, leftToUndo, type RunSizes } from "../../../pipeline/runs/undo-progress.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { Link } from "../../app/router/link.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useMayIn } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { Legend, OutcomeBar, type OutcomePart } from "../../values/outcome-bar.tsx";
import type { UndoTarget } from "../manager/upload-manager.ts";
import { FileLine, RunningProgress } from "./running-progress.tsx";
import { UndoObstacles } from "./undo-obstacles.tsx";
import { useMayBegin } from "./use-may-begin.tsx";

interface UndoButtonProps {
  upload: UndoTarget;
  collection: Collection;
  /** Undefined: it was made on another computer. */
  report?: Pick<Report, "counts" | "parents">;
  /** Holds the sizes as the service's history says; undefined while that is not known. */
  sizes?: RunSizes | undefined;
  /** The counts of an undo that was interrupted. */
  begun?: UndoCounts | undefined;
}

/** Says whether there is something to undo, of which the caller may do all. Without `counts` nobody knows what there is. */
export function useCanUndo(): (collection: string, counts?: Outcomes, begun?: UndoCounts) => boolean {
  const may = useMayIn();
  return (collection, counts, begun) => {
    if (may(collection, "update") === false) return false;
    if (!counts) return true;
    if (counts.created > 0 && may(collection, "delete") === false) return false;
    return countStored(counts) > 0 && (!begun || leftToUndo(counts, begun) > 0 || begun.failed > 0);
  };
}

/** Renders nothing when there is nothing to undo, or the caller may not do all of it. */
export function UndoButton({ upload, collection, report, sizes, begun }: UndoButtonProps) {
  const { uploadManager } = useServices();
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const { created, updated } = report?.counts ?? { created: 0, updated: 0 };
  const canUndo = useCanUndo();
  const mayBegin = useMayBegin();
  const left = report && begun ? leftToUndo(report.counts, begun) : undefined;
  if (!canUndo(collection.name, report?.counts, begun) || (sizes && isWhollyUndone(sizes))) return null;
  const effects = [
    created > 0 && count(created, "{n} record it created will be deleted", "{n} records it created will be deleted"),
    // Not records: several rows may have changed the same one.
    ...(report?.parents ?? []).map(
      ({ created }) =>
        created > 0 && count(created, "{n} record that was created first will go, too", "{n} records that were created first will go, too"),
    ),
    updated > 0 && count(updated, "{n} change it made will be taken back", "{n} changes it made will be taken back"),
  ].filter(Boolean);
  function undo(): void {
    setConfirming(false);
    uploadManager.undo(upload, collection);
    void navigate({ to: "/$collection/upload", params: { collection: collection.name } });
  }
  return (
    <>
      <button type="button" className={buttonStyles.quiet} onClick={() => setConfirming(mayBegin())}>
        {t("Undo")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t(upload.isBatchRun ? UNDO_RUN : UNDO_UPLOAD, { name: upload.fileName })}
          confirmLabel={upload.isBatchRun ? t("Undo the batch run") : t("Undo the upload")}
          onConfirm={undo}
          onCancel={() => setConfirming(false)}
        >
          {sentence(left === undefined ? effects.join("; ") : count(left, "{n} row is left to undo", "{n} rows are left to undo"))}
          {!report && sizes && sentence(describeSizes(sizes))}
          {t("Records that someone has changed since stay as they are.")}
        </ConfirmDialog>
      )}
    </>
  );
}

const UNDO_UPLOAD = message("Undo the upload of {name}?");
const UNDO_RUN = message("Undo the batch run {name}?");

/** The service says how many changes they are, and not of which sort. */
function describeSizes({ made, undone }: RunSizes): string {
  const effects = [
    count(
      made,
      "{n} change it made will be taken back: a record it created is deleted, one it changed gets its earlier values",
      "{n} changes it made will be taken back: records it created are deleted, those it changed get their earlier values",
    ),
    undone > 0 && count(undone, "{n} of them is undone already", "{n} of them are undone already"),
  ];
  return effects.filter(Boolean).join("; ");
}

function sentence(words: string): string {
  return words === "" ? "" : `${words}. `;
}

function undoParts({ reversed, kept, failed }: UndoCounts): OutcomePart[] {
  return [
    { outcome: "undone", label: t("Undone"), count: reversed },
    { outcome: "skipped", label: t("Left alone: changed since"), count: kept },
    { outcome: "failed", label: t("Could not be undone"), count: failed },
  ];
}

interface UndoingStepProps {
  state: Extract<UploadState, { step: "undoing" }>;
  upload: UndoTarget;
}

export function UndoingStep({ state, upload: { fileName, isBatchRun } }: UndoingStepProps) {
  return (
    <>
      <FileLine text={isBatchRun ? t("Undoing the batch run {name}") : t("Undoing the upload of {name}")} fileName={fileName} />
      <RunningProgress progress={state} parts={undoParts(state.counts)} inWords={(n) => t("{n} % undone", { n })} />
    </>
  );
}

interface UndoneStepProps {
  state: Extract<UploadState, { step: "undone" }>;
  collection: Collection;
  upload: UndoTarget;
}

export function UndoneStep({ state, collection, upload }: UndoneStepProps) {
  const { counts, others, already, obstacles, rowsTotal, ended, why } = state;
  const { id, fileName, isBatchRun } = upload;
  const { uploadManager } = useServices();
  const { file, choices } = uploadManager.state();
  const navigate = useNavigate();
  const now = counts.reversed - already;
  const before: OutcomePart = { outcome: "unchanged", label: t("Undone before"), count: already };
  const parts = [...undoParts({ ...counts, reversed: now }), ...(already > 0 ? [before] : [])];
  const whole = count(rowsTotal, "{n} row", "{n} rows");
  const isPart = ended !== "done";
  function leave(): void {
    uploadManager.close();
    if (isBatchRun) void navigate({ to: "/uploads/$upload", params: { upload: id } });
  }
  return (
    <>
      <FileLine text={isBatchRun ? t("The batch run {name}") : t("The upload of {name}")} fileName={fileName} />
      <div className={outcomeStyles.figure}>
        <div className={outcomeStyles.headline}>
          {now === 0 && already > 0
            ? t("This undo took back {n} of {whole}", { n: formatNumber(now), whole })
            : tCount(counts.reversed, "{n} of {whole} is undone", "{n} of {whole} are undone", { n: formatNumber(counts.reversed), whole })}
        </div>
        <OutcomeBar parts={parts} whole={rowsTotal} />
        <Legend parts={parts} all />
      </div>
      {rowsTotal === 0 && !isPart && (
        <Notice tone="doubt">{t("The service’s history has no changes of it, so nothing was undone.")}</Notice>
      )}
      {isPart && (
        <Notice tone="doubt">
          <b>{ended === "cancelled" ? t("You cancelled this undo.") : t("The undo stopped early.")}</b> {why}{" "}
          {t("The rest can be undone later.")}
          <div className={noticeStyles.actions}>
            <button type="button" className={buttonStyles.primary} onClick={() => uploadManager.undo(upload, collection)}>
              {t("Continue")}
            </button>
          </div>
        </Notice>
      )}
      {already > 0 && (
        <p className={textStyles.dim}>
          {count(
            already,
            "{n} change had been undone before, or its record deleted; this undo did not touch it.",
            "{n} changes had been undone before, or their records deleted; this undo did not touch them.",
          )}
        </p>
      )}
      {counts.kept > 0 && (
        <p className={textStyles.dim}>
          {count(
            counts.kept,
            "One record was changed, deleted or brought back by someone since; it stays as it is.",
            "{n} records were changed, deleted or brought back by someone since; they stay as they are.",
          )}
        </p>
      )}
      {others && others.reversed > 0 && (
        <p className={textStyles.dim}>
          {count(
            others.reversed,
            "{n} change in another collection, made along with these, is undone, too.",
            "{n} changes in other collections, made along with these, are undone, too.",
          )}
        </p>
      )}
      <UndoObstacles obstacles={obstacles} collection={collection} />
      <div className={formStyles.savebar} data-savebar="">
        <Link className={isPart ? "button" : buttonStyles.primary} to="/$collection" params={{ collection: collection.name }}>
          {t("Open the list")}
        </Link>
        {obstacles.length > 0 && (
          <button type="button" onClick={() => uploadManager.undo(upload, collection)}>
            {t("Undo again")}
          </button>
        )}
        {file && (
          <button type="button" onClick={() => uploadManager.inspect(file, collection, choices)}>
            {t("Upload the file again")}
          </button>
        )}
        <button type="button" className={buttonStyles.quiet} onClick={leave}>
          {isBatchRun ? t("Back to the batch run") : t("Choose another file")}
        </button>
      </div>
    </>
  );
}
