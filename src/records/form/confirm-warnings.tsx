// Asks above the fields whether what rules warn of is meant so.

import { t } from "../../../core/i18n/translate.ts";
import * as formStyles from "../../ui/form.module.css";
import type { Warning } from "./use-warnings.ts";

export interface ConfirmWarningsProps {
  warnings: readonly Warning[];
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

export function ConfirmWarnings({ warnings, isConfirmed, onConfirm }: ConfirmWarningsProps) {
  return (
    <>
      <b>{t("This is not saved yet: please look once more.")}</b>
      <ul>
        {warnings.map(({ rule = "", message }) => (
          <li key={rule}>{message}</li>
        ))}
      </ul>
      <label className={formStyles.choice}>
        <input type="checkbox" checked={isConfirmed} onChange={({ target }) => onConfirm(target.checked)} />
        {t("Save anyway: it is meant so.")}
      </label>
    </>
  );
}
