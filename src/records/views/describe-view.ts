import type { View } from "../../../core/contract/views.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { formatValue } from "../../values/format-value.ts";
import { describeFilter } from "../query/describe-filter.ts";
import { describeSort } from "../query/describe-sort.ts";
import { joinBounds } from "../query/filter-bounds.ts";
import { fieldOf, parseListUrl } from "../query/list-url.ts";
import { openView } from "../query/list-views.ts";

/** Says what a view shows, in one line. */
export function describeView(collection: Collection, { search }: Pick<View, "search">): string {
  const { q, filters, sort, columns } = parseListUrl(collection, openView(collection, search).search);
  const titleOf = (name: string) => fieldOf(collection, name)?.title ?? name;
  const parts = [
    q && t("search “{q}”", { q }),
    ...joinBounds(collection, filters).map((bounds) => {
      const { title, condition } = describeFilter(collection, bounds, formatValue);
      return `${title} ${condition}`;
    }),
    sort && describeSort(collection, sort),
    columns && t("columns {list}", { list: columns.map(titleOf).join(", ") }),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(" · ") : t("All records");
}
