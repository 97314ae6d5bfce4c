// The label of each automatic fix. Not in pipeline/, because the worker does not need them.

import { message } from "../../../../core/i18n/translate.ts";
import type { AutoFixName } from "../../../../pipeline/model/value-fixes.ts";

export const AUTO_FIX_LABELS: Readonly<Record<AutoFixName, string>> = {
  hidden: message("Remove hidden characters"),
  empty: message("Leave these cells empty"),
  trailingZero: message("Remove “.0”"),
  groupSpace: message("Remove spaces"),
  decimalComma: message("Read the comma as the decimal separator"),
  decimalPoint: message("Read the comma as a thousands separator"),
  yesNo: message("Read as yes or no"),
  yearFirst: message("Write as year-month-day"),
  dayFirst: message("Read as day, month, year"),
  monthFirst: message("Read as month, day, year"),
  midnight: message("Remove the time 00:00"),
  enumCase: message("Use the spelling of the allowed value"),
};
