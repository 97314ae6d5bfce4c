// Says what the check found in one sentence, and what to do about rows that only another mode would store.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { Preview, PreviewCounts } from "../../../pipeline/correction/correction-state.ts";
import type { Plan, UploadMode } from "../../../pipeline/model/plan.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatSeconds } from "../../values/bytes-and-seconds.ts";
import { count, formatNumber } from "../../values/format.ts";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { nounsOf } from "../../values/record-name.ts";
import { useModes } from "../columns/upload-modes.ts";
import { tally } from "./tally.ts";

export function Headline({ collection, check, preview }: { collection: Collection; check: CheckSummary; preview: Preview }) {
  const { rowsRead, ready, leftOut, correctable, seconds } = check;
  const { ready: good, refused, wrong, warned, isIdle } = tally(check, preview);
  const n = formatNumber(correctable.rows);
  const isCorrectable = ready === 0 && correctable.rows > 0;
  const facts = [
    isCorrectable && t("No row is ready yet"),
    refused > 0 && !isIdle && count(refused, "{n} would be refused", "{n} would be refused"),
    wrong > 0 && count(wrong, "{n} has problems", "{n} have problems"),
    warned > 0 && count(warned, "{n} to be confirmed", "{n} to be confirmed"),
    ready > 0 &&
      correctable.rows > 0 &&
      (correctable.isLeast ? t("at least {n} can be corrected at once", { n }) : t("{n} can be corrected at once", { n })),
    leftOut > 0 && count(leftOut, "{n} left out", "{n} left out"),
    wrong + warned + leftOut + refused === 0 &&
      !isIdle &&
      t("of {n}, checked in {time}", { n: formatNumber(rowsRead), time: formatSeconds(seconds) }),
  ].filter(Boolean);
  return (
    <div className={outcomeStyles.headline} data-long={isIdle || isCorrectable || undefined}>
      {isCorrectable
        ? atOnce(check)
        : ready === 0
          ? t("No row is ready")
          : isIdle && "counts" in preview
            ? whyNothing(collection, ready, preview.counts)
            : count(good, "{n} row is ready", "{n} rows are ready")}{" "}
      <small>{facts.join(" · ")}</small>
    </div>
  );
}

function atOnce({ rowsRead, correctable }: CheckSummary): string {
  const some = { some: formatNumber(correctable.rows) };
  return correctable.isLeast
    ? count(rowsRead, "At least {some} of {n} row can be corrected at once", "At least {some} of {n} rows can be corrected at once", some)
    : count(rowsRead, "{some} of {n} row can be corrected at once", "{some} of {n} rows can be corrected at once", some);
}

function whyNothing(collection: Collection, ready: number, { existing, absent, unchanged, failed }: PreviewCounts): string {
  const nouns = nounsOf(collection);
  if (existing === ready)
    return count(
      ready,
      "Nothing would be stored: this {noun} is there already",
      "Nothing would be stored: all {n} {nouns} are there already",
      nouns,
    );
  if (absent === ready)
    return count(
      ready,
      "Nothing would be stored: this {noun} is not there yet",
      "Nothing would be stored: none of the {n} {nouns} is there yet",
      nouns,
    );
  if (unchanged === ready)
    return count(
      ready,
      "Nothing would change: this {noun} has the values of the file already",
      "Nothing would change: all {n} {nouns} have the values of the file already",
      nouns,
    );
  return count(failed, "Nothing would be stored: {n} row would be refused", "Nothing would be stored: {n} rows would be refused");
}

interface OtherModeProps {
  collection: Collection;
  check: CheckSummary;
  preview: Preview;
  plan: Plan;
  /** Runs what leaves the check. */
  leave: (goOn: () => void) => void;
}

/** Rows that are refused only because of the mode, and the button that changes it and checks again. */
export function OtherMode({ collection, check, preview, plan, leave }: OtherModeProps) {
  const { uploadManager } = useServices();
  const modes = useModes(collection);
  if (preview.is !== "done") return null;
  const { existing, absent } = preview.counts;
  const isAll = existing + absent === check.ready;
  const mode: UploadMode = !isAll ? "upsert" : existing > 0 ? "update" : "create";
  if (existing + absent === 0 || !modes.includes(mode)) return null;
  const nouns = nounsOf(collection);
  const whole = existing
    ? count(
        existing,
        "{n} row is refused because its {noun} is there already.",
        "{n} rows are refused because their {nouns} are there already.",
        nouns,
      )
    : count(
        absent,
        "{n} row is refused because its {noun} is not there yet.",
        "{n} rows are refused because their {nouns} are not there yet.",
        nouns,
      );
  const action = existing
    ? isAll
      ? tCount(existing, "Update it instead", "Update them instead")
      : tCount(existing, "Update it, too", "Update them, too")
    : isAll
      ? tCount(absent, "Add it instead", "Add them instead")
      : tCount(absent, "Add it, too", "Add them, too");
  return (
    <p className={textStyles.note}>
      {!isAll && `${whole} `}
      <button
        type="button"
        className={isAll ? buttonStyles.primary : buttonStyles.link}
        onClick={() =>
          leave(() => {
            uploadManager.choose({ ...plan, mode });
            uploadManager.check();
          })
        }
      >
        {action}
      </button>
    </p>
  );
}
