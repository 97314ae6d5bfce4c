// The result of an undo: what was taken back, what was not, and why.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { Link } from "../../app/router/link.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useDictionary, useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { Legend, OutcomeBar, type OutcomePart } from "../../values/outcome-bar.tsx";
import type { UndoTarget } from "../manager/upload-manager.ts";
import { ReportedParents } from "./lazy-reported-parents.tsx";
import { FileLine } from "./running-progress.tsx";
import { UndoObstacles } from "./undo-obstacles.tsx";
import { undoParts } from "./undo-step.tsx";

export interface UndoneStepProps {
  state: Extract<UploadState, { step: "undone" }>;
  collection: Collection;
  upload: UndoTarget;
}

export function UndoneStep({ state, collection, upload }: UndoneStepProps) {
  const { counts, others, already, obstacles, rowsTotal, ended, why } = state;
  const { id, fileName, isBatchRun } = upload;
  const { uploadManager } = useServices();
  const { collections } = useDictionary();
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
            <button type="button" className={buttonStyles.primary} onClick={() => uploadManager.undo(upload, collection, collections)}>
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
      {others && <ReportedParents others={others} />}
      <UndoObstacles obstacles={obstacles} collection={collection} />
      <div className={formStyles.savebar} data-savebar="">
        <Link className={isPart ? "button" : buttonStyles.primary} to="/$collection" params={{ collection: collection.name }}>
          {t("Open the list")}
        </Link>
        {obstacles.length > 0 && (
          <button type="button" onClick={() => uploadManager.undo(upload, collection, collections)}>
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
