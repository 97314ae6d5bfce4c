import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";

/** Says of which collections changes are not counted, because the reader sees only some of their records; undefined: of none. */
export function describeUncounted(
  collections: readonly Pick<Collection, "name" | "title">[],
  names: readonly string[] = [],
): string | undefined {
  const list = collections.flatMap(({ name, title }) => (names.includes(name) ? title : [])).join(", ");
  return list && t("Not counted, because you see only some of them: {list}.", { list });
}
