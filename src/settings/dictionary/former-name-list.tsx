// The names that a field had before: how often each is still used, and whether it goes on working.

import { useQuery } from "@tanstack/react-query";
import { FORMER_NAME_DAYS, type FormerName } from "../../../core/contract/dictionary.ts";
import type { PackageField } from "../../../core/dictionary/packages.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { formerNamesQuery } from "../../service/dictionary-drafts.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count, formatDate } from "../../values/format.ts";

interface FormerNameListProps {
  /** The name of the field's collection. */
  collection: string;
  field: PackageField;
  onChange: (withdrawnNames: readonly string[] | undefined) => void;
}

export function FormerNameList({ collection, field, onChange }: FormerNameListProps) {
  const { client } = useServices();
  const { formerNames = [], withdrawnNames = [] } = field;
  const names = formerNames.filter((name) => name !== field.name);
  const { data } = useQuery({ ...formerNamesQuery(client), enabled: names.length > 0 });
  if (names.length === 0) return null;
  const set = (next: readonly string[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <section aria-labelledby="former-names">
      <h3 id="former-names">{t("Former names")}</h3>
      <ul>
        {names.map((name) => {
          const isWithdrawn = withdrawnNames.includes(name);
          const used = data?.find((one) => one.collection === collection && one.name === name);
          return (
            <li key={name}>
              <code>{name}</code>{" "}
              {isWithdrawn ? (
                <button type="button" className={buttonStyles.link} onClick={() => set(withdrawnNames.filter((one) => one !== name))}>
                  {t("Let {name} work again", { name })}
                </button>
              ) : (
                <button type="button" className={buttonStyles.link} onClick={() => set([...withdrawnNames, name])}>
                  {t("Take {name} back", { name })}
                </button>
              )}
              <div className={textStyles.hint}>
                {isWithdrawn
                  ? t("Requests and files that use it will be refused. Views, recipes and drafts that have it go on working.")
                  : used &&
                    (used.uses > 0 ? usesSentence(used) : t("No request has used it in the last {days} days.", { days: FORMER_NAME_DAYS }))}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** @example "Used 214 times in the last 90 days, last on 28 Nov 2026 by ERP." */
export function usesSentence({
  uses = 0,
  lastUsedOn,
  lastUsedBy,
}: Partial<Pick<FormerName, "uses" | "lastUsedOn" | "lastUsedBy">>): string {
  const last = { date: formatDate(lastUsedOn ?? ""), name: lastUsedBy?.name ?? "", days: FORMER_NAME_DAYS };
  return count(
    uses,
    "Used {n} time in the last {days} days, last on {date} by {name}.",
    "Used {n} times in the last {days} days, last on {date} by {name}.",
    last,
  );
}
