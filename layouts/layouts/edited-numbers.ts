// Numbers that COBOL edited for printing, such as $$,$$9.99-: read back as digits, and written by their PICTURE.

/** Writes the repeated characters out: `Z(3)9.99` is `ZZZ9.99`. */
export function expandPicture(picture: string): string {
  return picture.toUpperCase().replace(/(.)\((\d{1,3})\)/g, (_, character: string, times: string) => character.repeat(Number(times)));
}

/** One sign or currency in front, or one that floats; digits that may be suppressed; a point; a sign, CR or DB behind. */
const EDITED = /^(?:[$+-]?(?:[Z,]*|[*,]*)[9,]*|\$[$,]+[9,]*|[+-][+,]+[9,]*|[+-][-,]+[9,]*)(?:\.(?:9+|Z+|\*+|\$+|\++|-+))?(?:[+-]|CR|DB)?$/;
const DIGIT = /[9Z*]/;

/** Says whether a number can be written by this PICTURE. Others, such as those with P or with a slash, are text. */
export function isEditedNumber(picture: string): boolean {
  const expanded = expandPicture(picture);
  const signs = (expanded.match(/CR|DB|\++|-+/g) ?? []).length;
  return EDITED.test(expanded) && (DIGIT.test(expanded) || floatOf(expanded) !== undefined) && signs <= floatingParts(expanded);
}

/** A floating sign may stand on both sides of commas and the point; any other sign stands once. */
function floatingParts(expanded: string): number {
  const float = floatOf(expanded);
  return float === "+" || float === "-" ? (expanded.match(float === "+" ? /\++/g : /-+/g) ?? []).length : 1;
}

/** Returns the character that stands more than once in front of the digits: it moves to the first of them. */
function floatOf(expanded: string): string | undefined {
  return ["$", "+", "-"].find((one) => expanded.replaceAll(",", "").startsWith(one + one));
}

/** Digits behind the point. */
export function editedDecimals(picture: string): number {
  return /\.([9Z*$+-]+?)(?:CR|DB|(?<=[9Z*])[+-])?$/.exec(expandPicture(picture))?.[1]?.length ?? 0;
}

/** A currency or sign in front, between what fills the field; digits; a sign, CR or DB behind. */
const WRITTEN = /^[ *]*(?:[$+-][ *]*)?(?=[\d.])(\d[\d,]*)?(?:\.(\d*))? *(?:[+-]|CR|DB)? *$/;

/** Returns the number as plain digits with a point. Other text is only trimmed, so that the dictionary reports it. Blanks are no number. */
export function readEdited(text: string): string {
  const [, given = "", part] = WRITTEN.exec(text) ?? [];
  if (given === "" && !part) return text.trim();
  const isNegative = /-|CR|DB/.test(text);
  const whole = given.replaceAll(",", "");
  const digits = `${whole.replace(/^0+(?=\d)/, "") || "0"}${part === undefined ? "" : `.${part}`}`;
  return `${isNegative && /[1-9]/.test(digits) ? "-" : ""}${digits}`;
}

/** Edits the number as MOVE does it in COBOL. `value`: plain digits. Undefined when digits or the sign would be lost. */
export function writeEdited(picture: string, value: string): string | undefined {
  const [, minus = "", given = "", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  const expanded = expandPicture(picture);
  const float = floatOf(expanded);
  const body = expanded.replace(/CR$|DB$/, "");
  const point = body.indexOf(".");
  const isPlace = (symbol: string, i: number) => DIGIT.test(symbol) || (symbol === float && i > 0);
  const places = [...body].map((symbol, i) => isPlace(symbol, i) && !(i === body.length - 1 && /[+-]/.test(symbol) && symbol !== float));
  const room = places.filter((is, i) => is && (point < 0 || i < point)).length;
  const decimals = places.filter(Boolean).length - room;
  const whole = given.replace(/^0+/, "");
  const fraction = part.replace(/0+$/, "");
  const isNegative = minus !== "" && /[1-9]/.test(value);
  if (given === "" || whole.length > room || fraction.length > decimals || (isNegative && !/[+-]|CR|DB/.test(expanded))) return undefined;
  const digits = whole.padStart(room, "0") + fraction.padEnd(decimals, "0");
  const fill = body.includes("*") ? "*" : " ";
  const isBlank = !/[1-9]/.test(digits) && !body.includes("9"); // nothing is printed of zero where every digit may be suppressed
  if (isBlank)
    return fill === "*" ? body.replace(/[^.]/g, "*") + expanded.slice(body.length).replace(/./g, "*") : " ".repeat(expanded.length);
  const sign = (symbol: string) => (isNegative ? "-" : symbol === "+" ? "+" : " ");
  const out: string[] = [];
  let [at, hasBegun] = [0, false];
  const begin = () => {
    if (!hasBegun && float) out[out.length - 1] = float === "$" ? "$" : sign(float);
    hasBegun = true;
  };
  for (const [i, symbol] of [...body].entries()) {
    if (places[i]) {
      const digit = digits[at++] as string;
      if (symbol === "9" || digit !== "0") begin();
      out.push(hasBegun ? digit : fill);
    } else if (symbol === ".") {
      begin();
      out.push(".");
    } else if (symbol === ",") out.push(hasBegun ? "," : fill);
    else if (symbol === float) out.push(" ");
    else out.push(symbol === "$" ? "$" : sign(symbol));
  }
  return out.join("") + (isNegative ? expanded.slice(body.length) : " ".repeat(expanded.length - body.length));
}
