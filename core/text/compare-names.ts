/**
 * Serves `sort`: puts names in people's order, numbers by their value ("Team 2" before "Team 10"). Without a language (BCP 47) the
 * reader's is meant; where the order must be the same everywhere, pass one.
 */
export function compareNames(one: string, other: string, language?: string): number {
  return one.localeCompare(other, language, { numeric: true });
}
