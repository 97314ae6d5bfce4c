// Signs that texts of every language have: quotation marks, dashes, currencies, degrees.

/**
 * The places in which each sign is at home, which tell whether it is meant. A sign of another encoding lands anywhere, such as a degree
 * between two letters. `^` and `$` are the ends of a word between spaces and separators.
 */
const PLACES: readonly RegExp[] = [
  /(?<=\p{L})[’‘´](?=\p{L}|$|[.-])/gu, // O’Neill, Jones’
  /(?:^|(?<=[-.]))[“„«‘‚‹’]+(?=[\p{L}\p{N}\u00a0])/gu, // “Oak, ’t, « Oui
  /(?<=[\p{L}\p{N}.!?€\u00a0])[”“’»›‘]+(?=[.\-!?]*$)/gu, // Lodge”, Oui »
  /^[“”„«»‘’–—…•·€£¥©°§]$/gu, // alone
  /(?<![a-zß-öø-ÿ])[–—]|[–—](?![a-zß-öø-ÿ])/gu, // 1–5, Smith–Jones
  /(?<=[\p{L}\p{N}.])…(?=$|\p{L})|^…(?=\p{L})/gu,
  /^[•·](?=[\p{L}\p{N}\u00a0])|(?<=l)·(?=l)/giu, // Catalan writes l·l
  /[€£¥](?=[\d\-\u00a0])|(?<=[\d\-.\u00a0])[€£¥]/gu,
  /(?<=\d\u00a0?)°(?=$|[CFNSWEOK.\d\u00a0])|(?<=^[Nn])°(?=$|[.\d\u00a0])/gu, // 20°C, N°5
  /(?<=\d|^[NnMD]|^[NnMD][a-z]?)[ºª](?=$|[A-Z.\d\u00a0-])/gu, // 3ºD, Mª
  /§+(?=[\d\u00a0])/gu,
  /(?<=[\p{L}\p{N}]{2}|\u00a0)[®™©](?=$|[.-])|^©(?=[\d\u00a0])/gu,
  /(?<=[a-z])[²³](?=$|\p{P})/gu, // m²
  /(?<=\d)[½¼¾](?=$|\p{P})|^[½¼¾]$|^[±×](?=\d)|(?<=\d)[×±](?=\d)|(?<=\d)%?‰$/gu,
  /(?<=^|\d)µ(?=[mglsFA])/gu,
  /^[¡¿](?=[\p{L}\d])/gu,
  /№(?=$|\d)/gu,
];

/** A no-break space stands before or after a number, a sign or a word with a capital letter. */
const NO_BREAK = /(?<=[\d%€£§»«.!?–—]|^)\u00a0|\u00a0(?=[\d%€£§»«!?;:–—]|\p{Lu}|$)/gu;

const SIGNS = /[’‘´“”„«»‹›‚–—…•·€£¥¤°ºª§®™©²³½¼¾±×‰†µ¡¿№\u00a0]/u;

/** Returns the words beside the signs, separated by spaces; undefined where a sign stands in a place in which no language has it. */
export function withoutMarks(word: string): string | undefined {
  if (!SIGNS.test(word)) return word;
  let rest = word.replace(NO_BREAK, " ");
  for (const place of PLACES)
    rest = rest
      .split(" ")
      .map((part) => part.replace(place, " "))
      .join(" ");
  return SIGNS.test(rest) ? undefined : rest;
}
