// Lists values computed anew, why, and how far that is.

import { useQuery } from "@tanstack/react-query";
import type { Computation } from "../../../core/contract/dictionary.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { computationsQuery } from "../../service/dictionary-runs.ts";
import * as textStyles from "../../ui/text.module.css";
import { count, formatDatetime, formatNumber } from "../../values/format.ts";
import * as styles from "./dictionary-editor.module.css";

export function ComputationList() {
  const { client } = useServices();
  const { collections } = useDictionary();
  const { data = [] } = useQuery(computationsQuery(client));
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="computations">
      <h2 id="computations">{t("Computed values")}</h2>
      <ul className={styles.versions}>
        {data.map(({ collection, fields, reason, state, at, seen, total, changed }) => {
          const own = collections.find(({ name }) => name === collection);
          return (
            <li key={collection}>
              <b>
                {t("{place}: {what}", {
                  place: own?.title ?? collection,
                  what: fields.map((name) => own?.byName.get(name)?.title ?? name).join(", "),
                })}
              </b>
              <span className={textStyles.note}>{t("{why}, {when}", { why: WHY[reason](), when: formatDatetime(at) })}</span>
              <output>
                {state === "running"
                  ? t("{seen} of {total} records", { seen: formatNumber(seen), total: formatNumber(total) })
                  : count(changed, "{n} record had another value.", "{n} records had another value.")}
              </output>
              {state === "running" && <progress aria-label={t("Values are computed")} max={Math.max(total, 1)} value={seen} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const WHY: Record<Computation["reason"], () => string> = {
  formulas: () => t("Other formulas"),
  day: () => t("A new day"),
};
