// Says of which collections changes are not counted, because the reader sees only some of their records.

import { t } from "../../core/i18n/translate.ts";
import { useDictionary } from "../app/services/services.ts";
import * as textStyles from "../ui/text.module.css";

export function Uncounted({ names }: { names: readonly string[] }) {
  const { collections } = useDictionary();
  const titles = collections.filter(({ name }) => names.includes(name)).map(({ title }) => title);
  if (titles.length === 0) return null;
  const list = titles.join(", ");
  return <p className={textStyles.note}>{t("Changes are not counted where you see only some of the records: {list}.", { list })}</p>;
}
