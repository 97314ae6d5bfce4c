// Says what each automatic fix is called. It is not in pipeline/, because the worker does not need it.

import type { FormName } from "../../../core/forms/readings.ts";
import { currentCatalogue, message, t } from "../../../core/i18n/translate.ts";
import { type AutoFixName, isForm, type PlainFixName } from "../../../pipeline/model/value-fixes.ts";

const LABELS: Readonly<Record<PlainFixName, string>> = {
  hidden: message("Remove hidden characters"),
  empty: message("Leave these cells empty"),
  trailingZero: message("Remove “.0”"),
  yesNo: message("Read as yes or no"),
  enumCase: message("Use the spelling of the allowed value"),
  bareAddress: message("Keep only the address or number"),
  webAddress: message("Put “https://” in front"),
  otherSeparator: message("Separate the values as the field does"),
};

export function labelOfFix(name: AutoFixName): string {
  return isForm(name) ? labelOfForm(name) : t(LABELS[name]);
}

/** The names are made in core/forms. */
function labelOfForm(name: FormName): string {
  const [kind, form = ""] = name.replace("?", "").split(":") as [string, string | undefined];
  const [written = "", zone] = form.split(/ t0?@/);
  const label = (LABELS_OF[kind] ?? labelOfNumber)(written.replace(/ t$/, ""));
  if (zone === undefined) return label;
  const values = { form: label, zone: zoneName(zone) };
  return form.includes(" t0@") ? t("{form}, start of the day, time zone {zone}", values) : t("{form}, time zone {zone}", values);
}

/** Returns "India Standard Time" for Asia/Calcutta: the name of the zone in summer and winter, in the language of the page. */
function zoneName(zone: string): string {
  if (zone === "UTC") return zone;
  try {
    const format = new Intl.DateTimeFormat(currentCatalogue().language, { timeZone: zone, timeZoneName: "longGeneric" });
    return format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? zone;
  } catch {
    return zone; // RangeError: a recipe may name any zone
  }
}

const LABELS_OF: Readonly<Record<string, (form: string) => string>> = { date: labelOfDate, time: labelOfTime, year: labelOfYear };

function labelOfTime(form: string): string {
  if (form === "day") return t("Part of a day, as spreadsheets keep times");
  if (form.endsWith(" p")) return t("Hours with am or pm");
  if (form === "h") return t("Hours alone");
  return form === "hm" ? t("Hours and minutes without a sign between") : t("Hours and minutes");
}

function labelOfYear(form: string): string {
  if (form === "19yy") return t("Two digits as a year from 1900 to 1999");
  return form === "20yy" ? t("Two digits as a year from 2000 to 2099") : t("Without the thousands separator");
}

function labelOfDate(form: string): string {
  if (form === "serial1904") return t("Day number of a workbook that counts from 1904");
  if (form === "serial") return t("Day number of a spreadsheet");
  if (form === "unix") return t("Seconds since 1970");
  if (form.startsWith("x")) return t("Day and month of the same number");
  const order = form.replace(/[^dmy]|(?<=y)y|on/g, "");
  const years = form.includes("yy");
  if (order === "dmy") return years ? t("Day, month, year of two digits") : t("Day, month, year");
  if (order === "mdy") return years ? t("Month, day, year of two digits") : t("Month, day, year");
  return years ? t("Year of two digits, month, day") : t("Year, month, day");
}

function labelOfNumber(form: string): string {
  const [, mark = "", signs = "", unit = "", percent] = /^([., ]?)([-+−_(]?)(.*?)(%1?)?$/u.exec(form) ?? [];
  const parts = [
    mark === "," && t("decimal comma"),
    mark === "." && t("decimal point"),
    mark === " " && t("thousands separated"),
    signs === "(" && t("brackets for minus"),
    signs === "_" && t("minus at the end"),
    signs === "+" && t("plus sign"),
    signs === "−" && t("long minus sign"),
    unit !== "" && t("without {unit}", { unit }),
    percent === "%" && t("without the percent sign"),
    percent === "%1" && t("percent as hundredths"),
  ].filter((part) => part !== false);
  const label = parts.join(", ");
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}
