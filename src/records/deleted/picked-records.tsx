// Check marks of tables in which records are picked by the page: one for all of them, and one beside each name.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { idOf } from "../../service/records.ts";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { detailOf } from "../../values/record-detail.ts";
import { nameOf } from "../../values/record-name.ts";
import * as styles from "./deleted-page.module.css";

interface PicksProps {
  picked: { has(id: number): boolean };
  /** Undefined: nothing can be picked. */
  onPick: ((ids: readonly number[], isPicked: boolean) => void) | undefined;
}

/** Draws the head of the column of names. */
export function NameHead({ ids, picked, onPick }: PicksProps & { ids: readonly number[] }) {
  const some = ids.filter((id) => picked.has(id)).length;
  return (
    <span className={styles.name}>
      {onPick && (
        <input
          type="checkbox"
          aria-label={t("Select this page")}
          ref={(input) => {
            if (input) input.indeterminate = some > 0 && some < ids.length;
          }}
          checked={some === ids.length}
          onChange={({ target }) => onPick(ids, target.checked)}
        />
      )}
      {t("Name")}
    </span>
  );
}

export function NameCell({ collection, record, picked, onPick }: PicksProps & { collection: Collection; record: WireRecord }) {
  const id = idOf(collection, record);
  const name = nameOf(collection, record);
  return (
    <td className={tableStyles.wrap}>
      <span className={styles.name}>
        {onPick && (
          <input
            type="checkbox"
            checked={picked.has(id)}
            aria-label={t("Select {name}", { name })}
            onChange={({ target }) => onPick([id], target.checked)}
          />
        )}
        <span>
          <Link to="/$collection/$id" params={{ collection: collection.name, id: String(id) }}>
            <bdi>{name}</bdi>
          </Link>
          <span className={textStyles.hint}>
            <bdi>{detailOf(collection, record)}</bdi>
          </span>
        </span>
      </span>
    </td>
  );
}
