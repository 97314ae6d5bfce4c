// What each remedy does, on its button. Beside the page and not in upload/, whose worker counts its bytes.

import { toSay } from "../../../../core/i18n/translate.ts";
import type { RemedyName } from "../../../../pipeline/model/value-fixes.ts";

export const REMEDY_WORDS: Readonly<Record<RemedyName, string>> = {
  hidden: toSay("Take off hidden characters"),
  empty: toSay("Leave these cells empty"),
  trailingZero: toSay("Take off “.0”"),
  groupSpace: toSay("Take the spaces out"),
  decimalComma: toSay("Read the comma as the decimal sign"),
  decimalPoint: toSay("Read the comma as a thousands sign"),
  yesNo: toSay("Read as true and false"),
  yearFirst: toSay("Write as year-month-day"),
  dayFirst: toSay("Read as day, month, year"),
  monthFirst: toSay("Read as month, day, year"),
  midnight: toSay("Take off the time 00:00"),
  enumCase: toSay("Write as in the list"),
};
