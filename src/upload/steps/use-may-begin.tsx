// Only one thing runs at a time in a tab: what begins would stop it without a word.

import { t } from "../../../core/i18n/translate.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { useServices } from "../../app/services/services.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { hasEnded } from "../manager/upload-manager.ts";

const RUNNING: readonly (UploadState["step"] | undefined)[] = ["preparing", "sending", "undoing"];

/** Says whether an upload or undo may begin. If not, it says what runs. `isFile`: a file would take the place of the one that is open. */
export function useMayBegin(isFile = false): () => boolean {
  const { uploadManager, toasts } = useServices();
  return () => {
    const { upload, broken, fileName = "" } = uploadManager.state();
    const isOpen = RUNNING.includes(upload?.step) || (isFile && upload !== undefined && !hasEnded(upload));
    if (broken !== undefined || !isOpen) return true;
    const text = t("{name} is still being worked on in this tab. Wait until it has ended, or cancel it first.");
    toasts.show({ message: <NameInSentence name={fileName} text={text} /> });
    return false;
  };
}
