// Proposes names of fields and collections from what people call them.

const LETTERS: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  Ä: "Ae",
  Ö: "Oe",
  Ü: "Ue",
  ß: "ss",
  æ: "ae",
  ø: "o",
  ł: "l",
};

/** Proposes the name of a field from its title: letters without accents and digits, "E-mail address" → "eMailAddress". */
export function nameFrom(title: string): string {
  const plain = title.replace(/[äöüÄÖÜßæøł]/g, (letter) => LETTERS[letter] ?? letter).normalize("NFD");
  const words = plain.replace(/\p{M}/gu, "").match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + small(word.slice(1)))
    .join("");
  return (/^[a-z]/.test(joined) ? joined : `field${joined}`).slice(0, 60);
}

/** "ID" → "d", "eMail" stays. */
function small(rest: string): string {
  return rest === rest.toUpperCase() ? rest.toLowerCase() : rest;
}

/** Returns the name, with a number behind it where it is taken. Capitals make no other name. */
export function freeName(name: string, taken: readonly string[]): string {
  const isTaken = (one: string) => taken.some((other) => other.toLowerCase() === one.toLowerCase());
  let free = name;
  for (let n = 2; isTaken(free); n++) free = `${name}${n}`;
  return free;
}
