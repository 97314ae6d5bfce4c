/**
 * Writes a number with its noun, as an English sentence has it.
 *
 * @example count(1, "record") is "1 record", count(1200, "record") is "1,200 records"
 */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
