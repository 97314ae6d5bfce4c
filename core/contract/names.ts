/** Folds a name that people give, as of a recipe: names that differ by case or by the form of their letters are the same. */
export function foldName(name: string): string {
  return name.trim().normalize("NFKC").toLowerCase();
}
