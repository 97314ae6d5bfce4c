// The order of a list on a phone, where the table has no headings to sort by.

import { t } from "../../../core/i18n/translate.ts";
import * as textStyles from "../../ui/text.module.css";
import { describeSort } from "../query/describe-sort.ts";
import { DEFAULT_SORT, type ListParts, sortFields, sortName } from "../query/list-url.ts";
import * as styles from "./list-toolbar.module.css";

/** `isUrgent`: it is in sight, so it does not wait until the page is at rest. */
export function SortBy({ collection, state, go }: ListParts & { isUrgent: boolean }) {
  const orders = sortFields(collection)
    .filter(({ masked, item, isPerson }) => !masked && !item && !isPerson)
    .flatMap((field) => [
      { value: sortName(field), words: `${field.title} ↑` },
      { value: `-${sortName(field)}`, words: `${field.title} ↓` },
    ])
    .filter(({ value }) => value !== DEFAULT_SORT);
  const { sort = DEFAULT_SORT } = state;
  const isOther = sort !== DEFAULT_SORT && !orders.some(({ value }) => value === sort);
  return (
    <label className={styles.sortBy}>
      <span className={textStyles.hidden}>{t("Sort by")}</span>
      <select value={sort} onChange={({ target }) => go({ sort: target.value === DEFAULT_SORT ? undefined : target.value })}>
        <option value={DEFAULT_SORT}>{t("Last changed first")}</option>
        {orders.concat(isOther ? { value: sort, words: describeSort(collection, sort) } : []).map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
