// Numbers that the service gives to new records, such as INV-2026-00042 by the pattern INV-{yyyy}-{00000}.

const PLACES = /\{(yyyy|0{1,15})\}/g;

/** Says what is wrong with a pattern. */
export function patternMistake(pattern: string): string | undefined {
  const places = pattern.match(PLACES) ?? [];
  const years = places.filter((place) => place === "{yyyy}").length;
  const isRight = places.length - years === 1 && years <= 1 && !/[{}]/.test(pattern.replace(PLACES, ""));
  return isRight ? undefined : "must have {0…0} once, with a zero for each digit, and {yyyy} at most once, such as INV-{yyyy}-{00000}";
}

/** Says whether counting begins anew each year. */
export function restarts(pattern: string): boolean {
  return pattern.includes("{yyyy}");
}

/** Returns the regular expression of all its numbers. One that needs more digits than the pattern has zeros gets more. */
export function numbersOf(pattern: string): string {
  return sourceOf(pattern, "[0-9]{4}");
}

/** `n` as a number of the year. */
export function toNumber(pattern: string, year: string, n: number): string {
  return pattern.replace(PLACES, (_, place: string) => (place === "yyyy" ? year : String(n).padStart(place.length, "0")));
}

/** Returns the n of a number of the year; undefined for any other text. */
export function fromNumber(pattern: string, year: string, value: string): number | undefined {
  const [, digits] = new RegExp(`^${sourceOf(pattern, year)}$`, "u").exec(value) ?? [];
  const n = Number(digits);
  return digits !== undefined && Number.isSafeInteger(n) ? n : undefined;
}

/** The digits are its only group. */
function sourceOf(pattern: string, year: string): string {
  const parts = pattern.split(PLACES); // text and places in turn
  return parts
    .map((part, i) => {
      if (i % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      return part === "yyyy" ? year : `([1-9][0-9]{${part.length},}|[0-9]{${part.length}})`;
    })
    .join("");
}
