// Step 4: the progress of the upload.

import { t } from "../../../../core/i18n/translate.ts";
import type { UploadState } from "../../../../pipeline/runs/upload-state.ts";
import { outcomeParts } from "./outcome-labels.ts";
import { FileLine, RunningProgress } from "./running-progress.tsx";

export function PreparingStep() {
  return (
    <div className="figure">
      <div className="big">
        {t("Making ready")} <small>{t("a copy is kept in this browser, so that the upload can go on after a crash")}</small>
      </div>
    </div>
  );
}

export function SendingStep({ state, fileName }: { state: Extract<UploadState, { step: "sending" }>; fileName: string }) {
  return (
    <>
      <FileLine text={t("Uploading {name}")} fileName={fileName} />
      <RunningProgress progress={state} parts={outcomeParts(state.counts)} inWords={(n) => t("{n} % uploaded", { n })}>
        <span className="dim small">{t("You may go on working on other pages meanwhile; keep this tab open.")}</span>
      </RunningProgress>
    </>
  );
}
