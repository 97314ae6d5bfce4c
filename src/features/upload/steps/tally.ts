// How many rows are ready, as far as check and preview know. Headline, bar, button and what is read aloud all count by it.

import type { CheckSummary } from "../../../../pipeline/checking/findings.ts";
import type { Preview } from "../../../../pipeline/correction/correction-state.ts";
import { count, formatNumber } from "../../../fields/format.ts";

export interface Tally {
  /** Rows that pass the check, and that the service has not refused in the preview. */
  ready: number;
  /** Rows that pass the check, and that the service would refuse. */
  refused: number;
  /** Rows that do not pass the check. */
  wrong: number;
  /** The upload would change no record at all. */
  isIdle: boolean;
}

export function tally({ rowsRead, ready, leftOut }: CheckSummary, preview: Preview): Tally {
  const { failed: refused, unchanged } = "counts" in preview ? preview.counts : { failed: 0, unchanged: 0 };
  return {
    ready: ready - refused,
    refused,
    wrong: rowsRead - ready - leftOut,
    isIdle: ready > 0 && unchanged + refused === ready,
  };
}

export function describeTally({ ready, refused, wrong }: Tally): string {
  return count(ready, "{n} row ready, {wrong} with problems", "{n} rows ready, {wrong} with problems", {
    wrong: formatNumber(wrong + refused),
  });
}
