// Turns names of COBOL into names and titles of fields.

const LONGEST = 63;
/** The service or the store calls its own so. */
const TAKEN =
  /^(createdat|updatedat|createdby|updatedby|version|limit|cursor|sort|q|fields|count|constructor|tostring|valueof|hasownproperty|isprototypeof|tableoid|xmin|cmin|xmax|cmax|ctid)$/i;

/** Returns the words of a name, without placeholders of COPY REPLACING such as `:TAG:`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/:[^:]*:|\([^)]*\)/g, "")
    .split(/[-_]+/)
    .filter((word) => word !== "");
}

/**
 * Returns one name for each, in order. A first word that all have, such as a prefix for the record, is left out.
 *
 * @example fieldNames(["C-FIRST-NAME", "C-LIMIT"]) // ["firstName", "cLimit"]
 */
export function fieldNames(names: readonly string[]): string[] {
  const all = names.map(wordsOf);
  const [prefix] = all[0] ?? [];
  const hasPrefix = all.length > 1 && all.every((words) => words.length > 1 && words[0] === prefix);
  const taken = new Set<string>();
  return all.map((words) => {
    const short = camelCase(hasPrefix ? words.slice(1) : words);
    const name = /^[a-z]/.test(short) && !TAKEN.test(short) ? short : camelCase(hasPrefix ? words : ["field", ...words]);
    return free(name, taken);
  });
}

function camelCase(words: readonly string[]): string {
  const cased = words.map((word, i) => (i === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()));
  return cased
    .join("")
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, LONGEST);
}

function free(name: string, taken: Set<string>): string {
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name.slice(0, LONGEST - String(n).length)}${n}`;
    if (taken.has(numbered.toLowerCase())) continue;
    taken.add(numbered.toLowerCase());
    return numbered;
  }
}

/** @example titleOf("firstName") is "First name" */
export function titleOf(name: string): string {
  const words = name
    .replace(/([A-Z]|\d+)/g, " $1")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @example labelOf("IS-NOT-VIP") is "Is not vip" */
export function labelOf(name: string): string {
  const words = wordsOf(name).join(" ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Ends so that its plural has one more syllable: branch, box, address. */
const HISSES = /(?:ch|sh|ss|x|z)$/;

/** Names the collection of the records: "CUSTOMER-REC" is "customers". */
export function collectionName(record: string): string {
  const words = wordsOf(record).filter((word) => !/^(RECORD|REC|DATA|DETAIL|DTL|AREA|WS|FD)$/.test(word));
  const name = camelCase(words.length > 0 ? words : ["records"]);
  const plural = HISSES.test(name) ? `${name}es` : name.endsWith("s") ? name : name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
  return /^[a-z]/.test(plural) ? plural : "records";
}

/** `customers` is `customer`; it always differs from the plural. */
export function singularOf(collection: string): string {
  if (HISSES.test(collection.replace(/es$/, "")) && collection.endsWith("es")) return collection.slice(0, -2);
  if (collection.endsWith("ies")) return `${collection.slice(0, -3)}y`;
  return collection.endsWith("s") && collection.length > 1 ? collection.slice(0, -1) : `${collection}Record`;
}
