// Says which rows are meant: the first ranges, and how many more there are.

import { t } from "../../../core/i18n/translate.ts";
import { formatNumber } from "../../values/format.ts";

interface Ranges {
  ranges: readonly (readonly [from: number, to: number])[];
  count: number;
}

const SHOWN_RANGES = 6;

export function rangesInWords({ ranges, count }: Ranges): string {
  const shown = ranges.slice(0, SHOWN_RANGES);
  const more = count - shown.reduce((rows, [from, to]) => rows + to - from + 1, 0);
  const words = shown.map(([from, to]) => (from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`)).join(", ");
  return more > 0 ? t("{list} and {n} more", { list: words, n: formatNumber(more) }) : words;
}
