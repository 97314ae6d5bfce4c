import type { WireRecord } from "../../core/contract/records.ts";
import { t } from "../../core/i18n/translate.ts";

/** Says why a record was not restored: who has brought it back, or made it anew under its key. */
export function thereAlready({ updatedBy }: Pick<WireRecord, "updatedBy">): string {
  return updatedBy
    ? t("{name} has brought it back or made it anew meanwhile. Nothing was done.", { name: updatedBy.name })
    : t("Somebody has brought it back or made it anew meanwhile. Nothing was done.");
}
