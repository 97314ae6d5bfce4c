// Step 4: the progress of the upload.

import { t } from "../../../core/i18n/translate.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import * as textStyles from "../../ui/text.module.css";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { outcomeParts } from "./outcome-labels.ts";
import { FileLine, RunningProgress } from "./running-progress.tsx";
import type { SameFileProps } from "./same-file.tsx";

const SameFile = lazyPart<"SameFile", SameFileProps>(
  () => import("./same-file.tsx"),
  "SameFile",
  () => null,
);

export function PreparingStep({ state: { sameFile } }: { state: Extract<UploadState, { step: "preparing" }> }) {
  if (sameFile) return <SameFile runs={sameFile} />;
  return (
    <div className={outcomeStyles.figure}>
      <div className={outcomeStyles.headline}>
        {t("Preparing")} <small>{t("the file is copied in this browser, so that the upload can continue after a crash")}</small>
      </div>
    </div>
  );
}

export function SendingStep({ state, fileName }: { state: Extract<UploadState, { step: "sending" }>; fileName: string }) {
  return (
    <>
      <FileLine text={t("Uploading {name}")} fileName={fileName} />
      <RunningProgress progress={state} parts={outcomeParts(state.counts)} inWords={(n) => t("{n} % uploaded", { n })}>
        <span className={textStyles.note}>{t("You can work on other pages meanwhile. Keep this tab open.")}</span>
      </RunningProgress>
    </>
  );
}
