// The rows that look like stored records: one line for all of them, and what can be done about them.

import { useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { SimilarState } from "../../../pipeline/correction/similar-state.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";
import { ActionButton, GroupLine } from "./group-line.tsx";
import * as styles from "./problems.module.css";
import { rangesInWords } from "./ranges-in-words.ts";
import * as similarStyles from "./similar.module.css";
import type { SimilarTableProps } from "./similar-table.tsx";

const SimilarTable = lazyPart<"SimilarTable", SimilarTableProps>(
  () => import("./similar-table.tsx"),
  "SimilarTable",
  () => null,
);

interface SimilarLineProps {
  collection: Collection;
  similar: SimilarState;
  revision: number;
}

export function SimilarLine({ collection, similar, revision }: SimilarLineProps) {
  const { uploadManager } = useServices();
  const may = useMay(collection);
  const [isOpen, setOpen] = useState<boolean>(); // undefined: it never was
  const { rows, same, clear, updated, added, leftOut } = similar;
  const open = similar.open + similar.outdated;
  const decided = updated + added + leftOut + similar.outdated;
  if (rows + decided === 0) return null;
  const nouns = nounsOf(collection);
  const what = count(Math.max(rows, decided), "{n} row looks like a stored {noun}", "{n} rows look like stored {nouns}", nouns);
  const mayUpdate = may("update") === true;
  return (
    <GroupLine
      rows={Math.max(rows, decided)}
      isChosen={open === 0}
      detail={
        isOpen !== undefined && (
          <div className={similarStyles.detail} hidden={!isOpen}>
            <SimilarTable collection={collection} revision={`${revision} ${rows}`} mayUpdate={mayUpdate} />
          </div>
        )
      }
    >
      <span>
        {open === 0 && <i aria-hidden="true">✓ </i>}
        {what}{" "}
        {rows > 0 && (
          <span className={textStyles.dim}>
            {t("— {same} the same, {maybe} perhaps; rows {list}", {
              same: formatNumber(same),
              maybe: formatNumber(rows - same),
              list: rangesInWords({ ranges: similar.ranges, count: rows }),
            })}
          </span>
        )}
        <Decided collection={collection} similar={similar} />
      </span>
      {clear > 0 && mayUpdate && (
        <ActionButton
          label={count(clear, "Change {n} stored {noun}", "Change {n} stored {nouns}", nouns)}
          what={what}
          act={{ do: "allSimilar", to: "update" }}
        />
      )}
      {open > 0 && <ActionButton label={t("Leave out")} what={what} act={{ do: "allSimilar", to: null }} />}
      {open > 0 && <ActionButton label={t("Add anyway")} what={what} act={{ do: "allSimilar", to: "new" }} />}
      {decided > 0 && (
        <button
          type="button"
          className={buttonStyles.quiet}
          aria-label={t("Revert: {what}", { what })}
          onClick={() => uploadManager.act({ do: "allSimilar", to: undefined })}
        >
          {t("Revert")}
        </button>
      )}
      {rows > 0 && (
        <button
          type="button"
          className={buttonStyles.quiet}
          aria-label={t("Show: {what}", { what })}
          aria-expanded={isOpen === true}
          onClick={() => setOpen(!isOpen)}
        >
          {t("Show")}
        </button>
      )}
    </GroupLine>
  );
}

/** Says in sentences what happens to the rows. */
function Decided({ collection, similar: { updated, added, leftOut, open, outdated } }: { collection: Collection; similar: SimilarState }) {
  const nouns = nounsOf(collection);
  const sentences = [
    updated > 0 && count(updated, "{n} row changes the stored {noun}.", "{n} rows change the stored {nouns}.", nouns),
    added > 0 && count(added, "{n} row is added all the same.", "{n} rows are added all the same.", nouns),
    leftOut > 0 && count(leftOut, "{n} row is left out.", "{n} rows are left out."),
    outdated > 0 &&
      count(
        outdated,
        "{n} stored {noun} was changed since you chose. Choose again.",
        "{n} stored {nouns} were changed since you chose. Choose again.",
        nouns,
      ),
    open > 0 &&
      count(
        open,
        "{n} row is not decided: it is added as a new {noun}.",
        "{n} rows are not decided: they are added as new {nouns}.",
        nouns,
      ),
  ].filter((sentence) => sentence !== false);
  return sentences.map((sentence) => (
    <span className={styles.refusedValues} key={sentence}>
      {sentence}
    </span>
  ));
}
