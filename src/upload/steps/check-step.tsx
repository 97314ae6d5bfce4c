// Step 3: the running check, then its result: rows ready, the preview, and the rows to correct.

import { useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { RowFilter } from "../../../pipeline/correction/correction-state.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { LiveRegion } from "../../ui/live-region.tsx";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatBytes } from "../../values/bytes-and-seconds.ts";
import { count, formatNumber } from "../../values/format.ts";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { Legend, OutcomeBar, type OutcomePart } from "../../values/outcome-bar.tsx";
import { ProblemGrid } from "../grid/lazy-problem-grid.tsx";
import type { UploadManagerState } from "../manager/upload-manager.ts";
import { ProblemGroups } from "../problems/problem-groups.tsx";
import { SimilarOffer } from "../problems/similar-offer.tsx";
import { usePendingValues } from "../problems/use-pending-values.tsx";
import { SaveRecipe } from "../recipes/lazy-recipes.tsx";
import { ChooseAnotherFile } from "./choose-another-file.tsx";
import { DamageNote, SheetNotes, StrayQuotesNote } from "./file-notes.tsx";
import { Headline, OtherMode } from "./headline.tsx";
import { PreviewDetail, previewParts } from "./preview.tsx";
import { Milestones } from "./running-progress.tsx";
import { describeCost, describeTally, tally } from "./tally.ts";

export function CheckingStep({ state }: { state: Extract<UploadState, { step: "checking" }> }) {
  const { uploadManager } = useServices();
  const { rowsRead, bytesRead, bytesTotal } = state;
  const parts: OutcomePart[] = [{ outcome: "ready", label: "", count: bytesRead }];
  return (
    <div className={outcomeStyles.figure}>
      <div className={outcomeStyles.headline}>
        {formatNumber(rowsRead)}{" "}
        <small>{t("rows checked · {done} of {whole}", { done: formatBytes(bytesRead), whole: formatBytes(bytesTotal) })}</small>
      </div>
      <OutcomeBar parts={parts} whole={bytesTotal} />
      <Milestones done={bytesRead} whole={bytesTotal} inWords={(n) => t("{n} % checked", { n })} />
      <div className={formStyles.savebar}>
        <button type="button" onClick={uploadManager.cancel}>
          {t("Cancel")}
        </button>
      </div>
    </div>
  );
}

interface CheckedStepProps {
  collection: Collection;
  state: UploadManagerState;
  checked: Extract<UploadState, { step: "checked" }>;
}

export function CheckedStep({ collection, state, checked }: CheckedStepProps) {
  const { uploadManager } = useServices();
  const { check, corrections } = checked;
  const { rowsRead, ready, listed } = check;
  const found = tally(check, corrections.preview);
  const { isIdle } = found;
  const others = found.wrong + found.refused;
  const pending = usePendingValues();
  const [filter, setFilter] = useState<RowFilter>({});
  const [asked, setAsked] = useState(0);
  function showGroup(group: string | undefined): void {
    setFilter({ group });
    if (group !== undefined) setAsked(asked + 1);
  }
  const parts = previewParts(check, corrections.preview, check.matchedBy);
  return (
    <>
      <div className={outcomeStyles.figure}>
        <Headline collection={collection} check={check} preview={corrections.preview} />
        <LiveRegion>{corrections.revision > 0 && corrections.preview.is !== "counting" ? describeTally(found) : ""}</LiveRegion>
        <OutcomeBar parts={parts} whole={rowsRead} />
        <Legend parts={parts} />
        <PreviewDetail collection={collection} corrections={corrections} check={check} />
        {state.plan && <SimilarOffer collection={collection} corrections={corrections} check={check} mode={state.plan.mode} />}
        {state.plan && (
          <OtherMode collection={collection} check={check} preview={corrections.preview} plan={state.plan} leave={pending.askFirst} />
        )}
      </div>
      {check.strayQuotes && <StrayQuotesNote strayQuotes={check.strayQuotes} />}
      <SheetNotes notes={check.notes} />
      <DamageNote damage={check.damage} />
      <ProblemGroups
        collection={collection}
        check={check}
        corrections={corrections}
        group={filter.group}
        onGroup={showGroup}
        onPending={pending.onPending}
        plan={state.plan}
        leave={pending.askFirst}
      />
      {(listed > 0 || corrections.canUndo || corrections.canRedo) && state.plan && (
        <ProblemGrid
          collection={collection}
          columns={state.plan.columns}
          check={check}
          corrections={corrections}
          filter={filter}
          onFilter={setFilter}
          asked={asked}
        />
      )}
      {ready === 0 && (
        <Notice tone="doubt">
          {t(
            "There is nothing to upload. Correct the rows here or in the file, or go back and check that each column has the right field.",
          )}
        </Notice>
      )}
      <div className={ready > 0 ? formStyles.longSavebar : formStyles.savebar}>
        {ready > 0 && (
          <button
            type="button"
            className={isIdle ? undefined : buttonStyles.primary}
            aria-disabled={state.isReading}
            onClick={() => state.isReading || pending.askFirst(uploadManager.upload)}
          >
            {isIdle ? t("Upload anyway") : count(found.ready, "Upload {n} row", "Upload {n} rows")}
          </button>
        )}
        <button
          type="button"
          className={ready > 0 ? buttonStyles.quiet : undefined}
          onClick={() => pending.askFirst(() => uploadManager.inspectAgain(state.choices))}
        >
          {t("Back to columns")}
        </button>
        {state.plan && <SaveRecipe collection={collection} fileName={state.fileName ?? ""} plan={state.plan} choices={state.choices} />}
        <ChooseAnotherFile loses={(corrections.canUndo && !checked.isKept) || pending.rows > 0} />
        {corrections.canUndo && checked.isKept && (
          <span className={textStyles.note}>{t("Your corrections are kept on this computer.")}</span>
        )}
        {ready > 0 && (
          <span className={textStyles.note}>
            {!isIdle && describeCost(found.ready, corrections.preview)}
            {others > 0 &&
              ` ${count(others, "The other one is not stored; the report lists it.", "The {n} others are not stored; the report lists them.")}`}
          </span>
        )}
        {pending.dialog}
      </div>
    </>
  );
}
