// Sizes and durations in the user’s locale. Separate from format.ts, because a list needs neither.

import { t } from "../../core/i18n/translate.ts";
import { currentLocale, formatNumber } from "./format.ts";

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  let [n, unit] = [bytes, 0];
  while (n >= 1000 && unit < UNITS.length - 1) [n, unit] = [n / 1000, unit + 1];
  const amount = n.toLocaleString(currentLocale(), { maximumFractionDigits: n < 10 && unit > 0 ? 1 : 0 });
  return unit === 0 ? t("{n} bytes", { n: amount }) : `${amount} ${UNITS[unit]}`;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 1) return t("less than a second");
  if (seconds < 90) return t("{n} s", { n: Math.round(seconds) });
  return t("{n} min", { n: formatNumber(Math.round(seconds / 60)) });
}
