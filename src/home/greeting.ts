import { t } from "../../core/i18n/translate.ts";

/** Says "Good morning, Ada Fox". `name` is empty for a program; `hour`: of the reader's clock, 0 to 23. */
export function greeting(hour: number, name: string): string {
  if (hour >= 5 && hour < 12) return name ? t("Good morning, {name}", { name }) : t("Good morning");
  if (hour >= 12 && hour < 18) return name ? t("Good afternoon, {name}", { name }) : t("Good afternoon");
  return name ? t("Good evening, {name}", { name }) : t("Good evening");
}
