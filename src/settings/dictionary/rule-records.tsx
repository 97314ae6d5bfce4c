// Says how many stored records stand against a rule of a draft, and leads to the first of them in the list.

import type { DictionaryChange } from "../../../core/contract/dictionary.ts";
import { filterName } from "../../../core/dictionary/filters.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useCollection } from "../../app/services/services.ts";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";

interface RuleRecordsProps {
  /** Is undefined for a rule that is as it was. */
  change: DictionaryChange | undefined;
  isComplete: boolean;
}

export function RuleRecords({ change, isComplete }: RuleRecordsProps) {
  const collection = useCollection(change?.path.split(".")[0]);
  if (change?.violations === undefined) return null;
  const { violations, examples = [] } = change;
  return (
    <span className={textStyles.note}>
      {count(violations, "{n} stored record stands against it.", "{n} stored records stand against it.")}{" "}
      {!isComplete && t("More are being counted…")}{" "}
      {collection && examples.length > 0 && (
        <Link
          to="/$collection"
          params={{ collection: collection.name }}
          search={{ [filterName(collection.key.name, "in")]: examples.join(",") }}
        >
          {t("Show {n} of them", { n: examples.length })}
        </Link>
      )}
    </span>
  );
}
