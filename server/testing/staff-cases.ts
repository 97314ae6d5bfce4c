// Records that break each rule and condition of the employee package, for the tests of all ways in.

/** Texts as they are typed and stand in files; null: nothing. */
export type StaffTexts = Record<string, string | null>;

export interface StaffCase {
  /** What makes VALID_STAFF wrong. */
  change: StaffTexts;
  /** The name of the rule; of a condition its word. */
  rule: string;
  en: string;
  de: string;
  /** What a file's check says of the rows together, if that is another sentence. */
  inFile?: { en: string; de: string };
}

/** Nothing is wrong with it. */
export const VALID_STAFF: StaffTexts = {
  ...{ firstName: "Ada", lastName: "Lang", birthDate: "1990-01-31", email: "ada@example.com", phone: null, contract: "full" },
  ...{ level: "staff", country: "DE", region: "BE", startOn: "2026-01-01", endOn: null, probationEndOn: null, hours: "40" },
  ...{ salary: "4000", bonus: null, net: null, tax: null, gross: null },
};

export const STAFF_CASES: readonly StaffCase[] = [
  {
    ...{ change: { endOn: "2025-12-31" }, rule: "endAfterStart" },
    ...{ en: "The end must not be before the start.", de: "Das Ende darf nicht vor dem Anfang liegen." },
  },
  {
    ...{ change: { email: null }, rule: "reachable" },
    ...{ en: "E-mail or phone is needed.", de: "E-Mail oder Telefon wird gebraucht." },
  },
  {
    ...{ change: { contract: "temp" }, rule: "temporaryEnds" },
    ...{ en: "A temporary contract has an end.", de: "Ein befristeter Vertrag hat ein Ende." },
  },
  {
    ...{ change: { hours: "20" }, rule: "fullTimeHours" },
    ...{ en: "Full time is 35 hours or more.", de: "Vollzeit sind 35 Stunden oder mehr." },
  },
  {
    ...{ change: { salary: "1000" }, rule: "minimumWage" },
    ...{
      en: "The salary is below the minimum wage for these hours.",
      de: "Das Gehalt liegt für diese Stunden unter dem Mindestlohn.",
    },
  },
  {
    ...{ change: { bonus: "900" }, rule: "bonusFits" },
    ...{ en: "A bonus is at most a fifth of the salary.", de: "Eine Zulage ist höchstens ein Fünftel des Gehalts." },
  },
  {
    ...{ change: { net: "2600", tax: "1400", gross: "4100" }, rule: "grossAdds" },
    ...{ en: "Net and tax must make up the gross.", de: "Netto und Steuer müssen das Brutto ergeben." },
  },
  {
    ...{ change: { salary: "9500" }, rule: "unusualSalary" },
    ...{ en: "More than 9,000 a month is unusual.", de: "Mehr als 9.000 im Monat ist ungewöhnlich." },
  },
  {
    ...{ change: { birthDate: "2015-01-31" }, rule: "oldEnough" },
    ...{ en: "Nobody begins before the age of 15.", de: "Niemand beginnt vor 15 Jahren." },
  },
  {
    ...{ change: { probationEndOn: "2026-12-31" }, rule: "probation" },
    ...{ en: "A probation lasts six months at most.", de: "Eine Probezeit dauert höchstens sechs Monate." },
  },
  {
    ...{ change: { phone: "12-34" }, rule: "phoneDigits" },
    ...{ en: "A phone has six digits or more.", de: "Eine Telefonnummer hat mindestens sechs Ziffern." },
  },
  {
    ...{ change: { level: "lead", email: "ada@example.org" }, rule: "ownAddress" },
    ...{ en: "Managers have an address of the organisation.", de: "Leitende haben eine Adresse der Organisation." },
  },
  {
    ...{ change: { country: "NL" }, rule: "choicesIf" },
    ...{ en: "Region must be one of Gelderland, Utrecht.", de: "Region muss einer dieser Werte sein: Gelderland, Utrecht." },
    inFile: { en: "Region does not fit the other values of the row.", de: "Region passt nicht zu den anderen Werten der Zeile." },
  },
  {
    ...{ change: { contract: "temp", endOn: "2028-12-31" }, rule: "requiredIf" },
    ...{ en: "Enter the reason for the term.", de: "Bitte Grund der Befristung eingeben." },
  },
];

/** Only a change can break it. */
export const PAY_CUT: StaffCase = {
  ...{ change: { salary: "3500" }, rule: "noPayCut" },
  ...{ en: "A salary is not cut.", de: "Ein Gehalt wird nicht gekürzt." },
};

/** As JSON has them. */
export function staffJson(texts: StaffTexts): Record<string, unknown> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, name === "hours" && text !== null ? Number(text) : text]));
}

/** A file with a row for each of them. */
export function staffFile(rows: readonly StaffTexts[]): string {
  const names = Object.keys(VALID_STAFF);
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))].map((cells) => cells.join(",")).join("\n");
}
