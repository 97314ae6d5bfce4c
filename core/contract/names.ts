/** What people name, such as recipes and views: names that differ by case or by the form of their letters are the same. */
export function foldName(name: string): string {
  return name.trim().normalize("NFKC").toLowerCase();
}
