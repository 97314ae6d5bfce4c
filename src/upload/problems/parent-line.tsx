// The parents that a file names and that are not there: one line for each column, and what can be done about them.

import { useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import type { ParentGroup } from "../../../pipeline/parents/parent-groups.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";
import { ActionButton, GroupLine } from "./group-line.tsx";
import type { ParentsTableProps } from "./parents-table.tsx";
import * as styles from "./problems.module.css";

const ParentsTable = lazyPart<"ParentsTable", ParentsTableProps>(
  () => import("./parents-table.tsx"),
  "ParentsTable",
  () => null,
);

interface ParentLineProps {
  collection: Collection;
  group: ParentGroup;
  revision: number;
  isShown: boolean;
  /** Shows the rows; undefined where the preview has none. */
  onShow: (() => void) | undefined;
}

export function ParentLine({ collection, group, revision, isShown, onShow }: ParentLineProps) {
  const { uploadManager } = useServices();
  const { field, distinct, rows, openRows, created, mapped, leftOut, proposed, refused, mayCreate } = group;
  const parent = [...(collection.parents?.values() ?? [])].find((one) => one.collection.name === group.parent)?.collection;
  const [isOpen, setOpen] = useState<boolean>(); // undefined: it never was
  if (!parent) return null;
  const what = count(distinct, "{n} {noun} is not there", "{n} {nouns} are not there", nounsOf(parent));
  const isDecided = created + mapped + leftOut + refused.length > 0;
  const isDone = openRows === 0 && refused.length === 0;
  return (
    <GroupLine
      rows={rows}
      isChosen={isDone}
      detail={
        isOpen !== undefined && (
          <div hidden={!isOpen}>
            <ParentsTable collection={collection} parent={parent} group={group} revision={revision} />
          </div>
        )
      }
    >
      <span>
        {isDone && <i aria-hidden="true">✓ </i>}
        {what}{" "}
        <span className={textStyles.dim}>
          — {group.title}: <Examples group={group} />
        </span>
        <Decided parent={parent} group={group} />
      </span>
      {openRows > 0 && mayCreate && <ActionButton label={t("Create them")} what={what} act={{ do: "allParents", field, to: "new" }} />}
      {proposed > 0 && (
        <ActionButton
          label={tCount(proposed, "Use {n} near match", "Use {n} near matches", { n: formatNumber(proposed) })}
          what={what}
          act={{ do: "allParents", field, to: "near" }}
        />
      )}
      {openRows > 0 && <ActionButton label={t("Leave out")} what={what} act={{ do: "allParents", field, to: null }} />}
      {isDecided && (
        <button
          type="button"
          className={buttonStyles.quiet}
          aria-label={t("Revert: {what}", { what })}
          onClick={() => uploadManager.act({ do: "allParents", field, to: undefined })}
        >
          {t("Revert")}
        </button>
      )}
      <button
        type="button"
        className={buttonStyles.quiet}
        aria-label={t("Values: {what}", { what })}
        aria-expanded={isOpen === true}
        onClick={() => setOpen(!isOpen)}
      >
        {t("Values")}
      </button>
      {onShow && (
        <button
          type="button"
          className={buttonStyles.quiet}
          aria-label={t("Show: {what}", { what })}
          aria-pressed={isShown}
          onClick={onShow}
        >
          {t("Show")}
        </button>
      )}
    </GroupLine>
  );
}

function Examples({ group: { examples, distinct, more } }: { group: ParentGroup }) {
  const shown = examples.map(({ text, rows }) => (rows > 1 ? `${text} (${formatNumber(rows)})` : text));
  const others = distinct + more - examples.length;
  if (others > 0) shown.push(t("{n} more", { n: formatNumber(others) }));
  return <bdi>{shown.join(" · ")}</bdi>;
}

/** Says in sentences what happens to them, and why some cannot be created. */
function Decided({ parent, group }: { parent: Collection; group: ParentGroup }) {
  const { created, mapped, leftOut, lacking, gets, refused, openRows } = group;
  const sentences = [
    created > 0 &&
      (gets.length > 0
        ? count(
            created,
            "{n} is created before the rows, with {fields} out of the file.",
            "{n} are created before the rows, with {fields} out of the file.",
            { fields: gets.join(", ") },
          )
        : count(created, "{n} is created before the rows.", "{n} are created before the rows.")),
    mapped > 0 && count(mapped, "{n} value stands for a stored {noun}.", "{n} values stand for stored {nouns}.", nounsOf(parent)),
    leftOut > 0 && count(leftOut, "The rows of {n} value are left out.", "The rows of {n} values are left out."),
    openRows > 0 &&
      lacking.length > 0 &&
      t("They could be created if the file had these columns: {fields}.", {
        fields: lacking.map((title) => `${parent.title}: ${title}`).join(", "),
      }),
    ...refused.map(({ reason, values, example }) =>
      count(
        values,
        "The service would not create “{example}”: {reason}",
        "The service would not create {n} of them, such as “{example}”: {reason}",
        { example, reason },
      ),
    ),
  ].filter((sentence) => sentence !== false);
  return sentences.map((sentence) => (
    <span className={styles.refusedValues} key={sentence}>
      {sentence}
    </span>
  ));
}
