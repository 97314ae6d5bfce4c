/** Folds the name of something that people name, such as a recipe or a view: names that differ by case or by the form of their letters are the same. */
export function foldName(name: string): string {
  return name.trim().normalize("NFKC").toLowerCase();
}
