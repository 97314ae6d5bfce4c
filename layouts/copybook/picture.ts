// Reads what a PICTURE says of a field: text or number, its digits, decimals and sign.

export interface Picture {
  /** national: PIC N. dbcs: PIC G. Their characters have two bytes each. */
  kind: "text" | "numeric" | "edited" | "national" | "dbcs";
  isSigned: boolean;
  /** Counts all digits of a number, those behind the point included. */
  digits: number;
  /** Digits behind the point; below 0 where so many zeros follow the digits that are stored (P). */
  decimals: number;
  /** Counts it as characters, without a separate sign. */
  characters: number;
}

/** Returns undefined when the text is no PICTURE. `S9(7)V99` has nine digits, two of them decimals. */
export function readPicture(text: string): Picture | undefined {
  const expanded = expand(text.toUpperCase());
  if (expanded === undefined || !/^[AX9SVPZ*+\-,./B0$NGCDR]+$/.test(expanded)) return undefined;
  const stored = expanded.replace(/[SVP]/g, "");
  const count = (pattern: RegExp) => (expanded.match(pattern) ?? []).length;
  const picture = {
    isSigned: expanded.startsWith("S"),
    digits: count(/9/g),
    decimals: decimalsOf(expanded),
    characters: stored.length,
  };
  if (/^S?[9VP]+$/.test(expanded) && picture.digits > 0) return { ...picture, kind: "numeric" };
  if (/[NG]/.test(expanded)) return { ...picture, kind: expanded.includes("G") ? "dbcs" : "national" };
  if (/^[AX9]+$/.test(expanded)) return { ...picture, kind: "text" };
  return { ...picture, kind: "edited" };
}

/** `9V99` has two decimals, `VPP9` and `PP9` three, `9PP` minus two. */
function decimalsOf(expanded: string): number {
  const [, zeros = ""] = /9V?(P+)V?$/.exec(expanded) ?? [];
  if (zeros !== "") return -zeros.length;
  const [, part = ""] = /(?:V|^S?(?=P))(.*)$/.exec(expanded) ?? [];
  return (part.match(/[9P]/g) ?? []).length;
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
