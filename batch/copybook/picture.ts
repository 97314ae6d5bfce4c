// What a PICTURE says of a field: text or number, its digits, decimals and sign.

export interface Picture {
  kind: "text" | "number" | "edited" | "national";
  isSigned: boolean;
  /** Of a number: all digits, those behind the point included. */
  digits: number;
  decimals: number;
  /** Whether it has a P, for digits that are not stored. */
  isScaled: boolean;
  /** As characters, without a separate sign. */
  characters: number;
}

/** Undefined when the text is no PICTURE. `S9(7)V99` has nine digits, two of them decimals. */
export function readPicture(text: string): Picture | undefined {
  const expanded = expand(text.toUpperCase());
  if (expanded === undefined || !/^[AX9SVPZ*+\-,./B0$NGCDR]+$/.test(expanded)) return undefined;
  const stored = expanded.replace(/[SVP]/g, "");
  const count = (pattern: RegExp) => (expanded.match(pattern) ?? []).length;
  const [, part = ""] = /V(.*)$/.exec(expanded) ?? [];
  const picture = {
    isSigned: expanded.startsWith("S"),
    digits: count(/9/g),
    decimals: (part.match(/9/g) ?? []).length,
    isScaled: expanded.includes("P"),
    characters: stored.length,
  };
  if (/^S?[9VP]+$/.test(expanded) && picture.digits > 0) return { ...picture, kind: "number" };
  if (/[NG]/.test(expanded)) return { ...picture, kind: "national", characters: 2 * stored.length };
  if (/^[AX9]+$/.test(expanded)) return { ...picture, kind: "text" };
  return { ...picture, kind: "edited" };
}

/** Whether the characters of an edited PICTURE are a number that a layout can read: blanks, digits, a sign and a point. */
export function isPlainEdited(text: string): boolean {
  return /^([+-]*Z*9*(\.9+)?|Z*9*(\.9+)?[+-])$/.test(expand(text.toUpperCase()) ?? ",");
}

const LONGEST = 1_000_000; // characters; a longer field is a slip

function expand(text: string): string | undefined {
  let isRight = true;
  const expanded = text.replace(/(.)\(([0-9]+)\)/g, (_, character: string, times: string) => {
    if (Number(times) > LONGEST) isRight = false;
    return isRight ? character.repeat(Number(times)) : "";
  });
  return isRight ? expanded : undefined;
}
