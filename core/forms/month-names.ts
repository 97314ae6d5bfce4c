// The names of the months in the languages of the files we see, from the locale data of the platform.

const LANGUAGES = "en de de-AT fr es it pt nl sv da nb fi pl cs sk hu ro tr lt lv et".split(" ");

let months: ReadonlyMap<string, number> | undefined;

/** Returns 1 to 12; undefined for other words, and for a word that is one month here and another there. */
export function monthOf(word: string): number | undefined {
  months ??= readMonths();
  return months.get(bare(word)) || undefined;
}

function readMonths(): Map<string, number> {
  const found = new Map<string, number>();
  for (const language of LANGUAGES) {
    for (const month of ["long", "short"] as const) {
      for (const day of [undefined, "numeric"] as const) {
        // Alone a month stands in the nominative, beside a day in the genitive: "leden", "1. ledna".
        const format = new Intl.DateTimeFormat(language, { month, day, timeZone: "UTC" });
        for (let i = 0; i < 12; i++) {
          const name = format.formatToParts(Date.UTC(2025, i, 1)).find(({ type }) => type === "month")?.value ?? "";
          const word = bare(name);
          if (/^\p{L}+$/u.test(word)) found.set(word, found.has(word) && found.get(word) !== i + 1 ? 0 : i + 1);
        }
      }
    }
  }
  return found;
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(".", "").normalize("NFC");
}
