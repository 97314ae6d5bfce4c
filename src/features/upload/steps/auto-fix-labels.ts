// The label of each automatic fix. Not in pipeline/, because the worker does not need them.

import { message } from "../../../../core/i18n/translate.ts";
import type { AutoFixName } from "../../../../pipeline/model/value-fixes.ts";

export const AUTO_FIX_LABELS: Readonly<Record<AutoFixName, string>> = {
  hidden: message("Take off hidden characters"),
  empty: message("Leave these cells empty"),
  trailingZero: message("Take off “.0”"),
  groupSpace: message("Take the spaces out"),
  decimalComma: message("Read the comma as the decimal sign"),
  decimalPoint: message("Read the comma as a thousands sign"),
  yesNo: message("Read as true and false"),
  yearFirst: message("Write as year-month-day"),
  dayFirst: message("Read as day, month, year"),
  monthFirst: message("Read as month, day, year"),
  midnight: message("Take off the time 00:00"),
  enumCase: message("Write as in the list"),
};
