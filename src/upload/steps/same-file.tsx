// Asks whether to upload a file that somebody else uploads or has just uploaded, before its first row is sent.

import type { SameFile as SameFileRun } from "../../../core/contract/runs.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";

export interface SameFileProps {
  runs: readonly SameFileRun[];
}

export function SameFile({ runs }: SameFileProps) {
  const { uploadManager } = useServices();
  return (
    <Notice tone="doubt">
      <b>{t("The same file is uploaded elsewhere.")}</b> {t("Nothing is sent yet. Rows that name no stored record would be stored twice.")}
      <ul>
        {runs.map(({ id, by, at, state }) => (
          <li key={id}>
            <NameInSentence
              name={by?.name ?? t("somebody")}
              text={state === "running" ? t("{name} is uploading it, or has not ended it.") : t("{name} has uploaded it.")}
            />{" "}
            {formatRelativeTime(at)}
          </li>
        ))}
      </ul>
      <div className={noticeStyles.actions}>
        <button type="button" className={buttonStyles.primary} onClick={uploadManager.cancel}>
          {t("Do not upload it")}
        </button>
        <button type="button" onClick={uploadManager.anyway}>
          {t("Upload it all the same")}
        </button>
      </div>
    </Notice>
  );
}
