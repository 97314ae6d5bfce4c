// Counts the rows that check and preview find ready. Headline, bar, button and what is read aloud all go by it.

import { ADVISED_BATCH } from "../../../core/contract/limits.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { Preview } from "../../../pipeline/correction/correction-state.ts";
import { formatSeconds } from "../../values/bytes-and-seconds.ts";
import { count, formatNumber } from "../../values/format.ts";

export interface Tally {
  /** Rows that pass the check, and that the service has not refused in the preview. */
  ready: number;
  /** Rows that pass the check, and that the service would refuse. */
  refused: number;
  /** Rows that do not pass the check. */
  wrong: number;
  /** Rows of which rules warn, and that nothing else keeps from being stored. */
  warned: number;
  /** The upload would change no record at all. */
  isIdle: boolean;
}

export function tally({ rowsRead, ready, leftOut, warned }: CheckSummary, preview: Preview): Tally {
  const { failed, unchanged, warned: asked } = "counts" in preview ? preview.counts : { failed: 0, unchanged: 0, warned: 0 };
  return {
    ready: ready - failed,
    refused: failed - asked,
    wrong: rowsRead - ready - leftOut - warned,
    warned: warned + asked,
    isIdle: ready > 0 && unchanged + failed - asked === ready,
  };
}

export function describeTally({ ready, refused, wrong, warned }: Tally): string {
  const rows = count(ready, "{n} row ready, {wrong} with problems", "{n} rows ready, {wrong} with problems", {
    wrong: formatNumber(wrong + refused),
  });
  return warned > 0 ? `${rows}, ${count(warned, "{n} to be confirmed", "{n} to be confirmed")}` : rows;
}

/** Tells the time, if the preview has measured the speed, and the number of requests, if there are several. */
export function describeCost(ready: number, preview: Preview): string {
  const calls = Math.ceil(ready / ADVISED_BATCH);
  const time = timeOf(ready, "rowsPerSecond" in preview ? preview.rowsPerSecond : 0);
  return calls > 1 ? `${time} ${t("That is about {n} calls to the service.", { n: formatNumber(calls) })}` : time;
}

function timeOf(ready: number, speed: number): string {
  if (speed === 0) return count(ready, "{n} row will be uploaded.", "{n} rows will be uploaded.");
  const seconds = ready / speed;
  if (seconds < 2) return count(ready, "Uploading {n} row takes a moment.", "Uploading {n} rows takes a moment.");
  const time = formatSeconds(seconds);
  return count(ready, "Uploading {n} row takes about {time}.", "Uploading {n} rows takes about {time}.", { time });
}
