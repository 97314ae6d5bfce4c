// The order of a list on a phone, where the table has no headings to sort by.

import { t } from "../../../core/i18n/translate.ts";
import * as textStyles from "../../components/text.module.css";
import { describeSort } from "../../state/describe-sort.ts";
import { DEFAULT_SORT, type ListParts, sortFields } from "../../state/list-url.ts";
import * as styles from "./list-toolbar.module.css";

/** `isUrgent`: it is in sight, so it does not wait until the page is at rest. */
export function SortBy({ collection, state, go }: ListParts & { isUrgent: boolean }) {
  return (
    <label className={styles.sortBy}>
      <span className={textStyles.hidden}>{t("Sort by")}</span>
      <select
        value={state.sort ?? DEFAULT_SORT}
        onChange={({ target }) => go({ sort: target.value === DEFAULT_SORT ? undefined : target.value })}
      >
        <option value={DEFAULT_SORT}>{t("Last changed first")}</option>
        {sortFields(collection)
          .flatMap(({ name, title }) => [
            { value: name, words: `${title} ↑` },
            { value: `-${name}`, words: `${title} ↓` },
          ])
          .filter(({ value }) => value !== DEFAULT_SORT)
          .concat(state.sort?.includes(",") ? { value: state.sort, words: describeSort(collection, state.sort) } : [])
          .map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
      </select>
    </label>
  );
}
