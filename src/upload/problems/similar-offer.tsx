// Offers to compare the rows with the stored records, says how far that is, and ends it.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { CorrectionState } from "../../../pipeline/correction/correction-state.ts";
import { NOT_COMPARED, type SimilarState } from "../../../pipeline/correction/similar-state.ts";
import type { UploadMode } from "../../../pipeline/model/plan.ts";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { LiveRegion } from "../../ui/live-region.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";
import * as styles from "./similar.module.css";

interface SimilarOfferProps {
  collection: Collection;
  check: Pick<CheckSummary, "ready">;
  corrections: Pick<CorrectionState, "similar">;
  mode: UploadMode;
}

/** An upload that makes no record has nothing to compare, and so has a collection without comparisons. */
export function SimilarOffer({ collection, check, corrections: { similar = NOT_COMPARED }, mode }: SimilarOfferProps) {
  const { uploadManager } = useServices();
  const may = useMay(collection);
  if (!collection.match || mode === "update" || check.ready === 0 || may("read") !== true) return null;
  // Whoever has signed in since needs the preview's new token, with which the rows are compared again.
  const compare = (isOn: boolean) => (isOn && similar.isSignedOut ? uploadManager.preview() : uploadManager.act({ do: "compare", isOn }));
  const label = t("Compare with the stored {nouns}", nounsOf(collection));
  return (
    <p className={`${textStyles.note} ${styles.offer}`}>
      {similar.is === "none" ? t("Some of these rows may be stored already.") : inWords(collection, similar)}{" "}
      {similar.is === "comparing" ? (
        <button type="button" className={buttonStyles.link} onClick={() => compare(false)}>
          {t("Stop comparing")}
        </button>
      ) : (
        <button type="button" className={buttonStyles.link} onClick={() => compare(true)}>
          {similar.is === "none" ? label : t("Compare again")}
        </button>
      )}
      <LiveRegion>{similar.is === "done" || similar.is === "stopped" ? inWords(collection, similar) : ""}</LiveRegion>
    </p>
  );
}

/** Says how many rows were compared, why it ended before all of them, and what else is not known. */
function inWords(collection: Collection, state: SimilarState): string {
  const { is, rowsDone, rowsTotal, why, refused, progress, rows } = state;
  const nouns = nounsOf(collection);
  const figures = { ...nouns, done: formatNumber(rowsDone), total: count(rowsTotal, "{n} row", "{n} rows") };
  const sentences = [
    is === "comparing" && t("{done} of {total} are compared with the stored {nouns}. You do not have to wait.", figures),
    is === "stopped" && t("{done} of {total} were compared with the stored {nouns}; then it stopped.", figures),
    is === "stopped" &&
      (why === "MANY" ? t("More rows look like stored {nouns} than anybody decides about. Was this file uploaded before?", nouns) : why),
    is === "done" && rows === 0 && t("{done} of {total} were compared with the stored {nouns}; none looks like one.", figures),
    is === "done" && rows > 0 && t("{done} of {total} were compared with the stored {nouns}.", figures),
    is !== "comparing" &&
      refused > 0 &&
      count(refused, "{n} that the service would refuse was not compared.", "{n} that the service would refuse were not compared."),
    progress < 1 &&
      t("The service has looked through {percent} % of the stored {nouns} so far, so others may not be found yet.", {
        ...nouns,
        percent: formatNumber(Math.floor(progress * 100)),
      }),
  ];
  return sentences.filter(Boolean).join(" ");
}
