// Converts dates in formats such as YYYYMMDD to ISO dates and back. Whether the day exists is not checked here.

interface Parts {
  YYYY?: string;
  MM?: string;
  DD?: string;
  DDD?: string;
  hh?: string;
  mm?: string;
  ss?: string;
}

export interface DateFormat {
  hasTime: boolean;
  /** The ISO text, or undefined when the text is not in this format. */
  toIso(text: string, zone?: string): string | undefined;
  /** `text`: an ISO date or UTC time; undefined when it is neither. */
  fromIso(text: string, zone?: string): string | undefined;
}

const TOKENS = /YYYY|DDD|MM|DD|hh|mm|ss/g;

export function readFormat(format: string): DateFormat | { wrong: string } {
  const tokens: readonly string[] = format.match(TOKENS) ?? [];
  const has = (token: string) => tokens.includes(token);
  if (new Set(tokens).size !== tokens.length) return { wrong: "has a part twice" };
  if (/Y/.test(format.replaceAll("YYYY", "")))
    return { wrong: "needs a year of four digits (YYYY): a shorter one could be of several centuries" };
  if (/[A-Za-z]/.test(format.replace(TOKENS, "").replace("T", "")))
    return { wrong: "is made of YYYY, MM, DD, DDD, hh, mm and ss, such as YYYYMMDD" };
  if (!has("YYYY") || has("DDD") === (has("MM") && has("DD")) || has("MM") !== has("DD")) {
    return { wrong: "needs YYYY with MM and DD, or with DDD, the day of the year" };
  }
  if (has("hh") !== has("mm") || (has("ss") && !has("hh"))) return { wrong: "needs hh and mm for a time" };
  const pattern = new RegExp(
    `^${format.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&").replace(TOKENS, (token) => `(?<${token}>[0-9]{${token.length}})`)}$`,
  );
  return {
    hasTime: has("hh"),
    toIso(text, zone = "") {
      const parts = pattern.exec(text)?.groups as Parts | undefined;
      const day = parts && dayOf(parts);
      if (!parts || !day) return undefined;
      return parts.hh === undefined ? day : `${day}T${parts.hh}:${parts.mm}:${parts.ss ?? "00"}${zone}`;
    },
    fromIso(text, zone = "Z") {
      const parts = partsOf(text, zone);
      return parts && format.replace(TOKENS, (token) => parts[token as keyof Parts] ?? token);
    },
  };
}

function dayOf({ YYYY = "", MM, DD, DDD }: Parts): string | undefined {
  if (DDD === undefined) return `${YYYY}-${MM}-${DD}`;
  const date = new Date(0);
  date.setUTCFullYear(Number(YYYY), 0, Number(DDD));
  const day = date.toISOString().slice(0, 10);
  return Number(DDD) > 0 && day.startsWith(YYYY) ? day : undefined; // a year may have no day 366
}

const DAY = 86_400_000; // ms

function partsOf(text: string, zone: string): Parts | undefined {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])([0-9]{2}):([0-9]{2})$/.exec(zone) ?? [];
  const ahead = (sign === "-" ? -1 : 1) * (60 * Number(hours) + Number(minutes)) * 60_000;
  const time = new Date(text).getTime() + (text.includes("T") ? ahead : 0);
  if (Number.isNaN(time)) return undefined;
  const iso = new Date(time).toISOString();
  if (iso.length !== 24) return undefined;
  const first = new Date(0).setUTCFullYear(Number(iso.slice(0, 4)), 0, 1);
  const DDD = String(Math.floor((time - first) / DAY) + 1).padStart(3, "0");
  const at = (from: number, to: number) => iso.slice(from, to);
  return { YYYY: at(0, 4), MM: at(5, 7), DD: at(8, 10), DDD, hh: at(11, 13), mm: at(14, 16), ss: at(17, 19) };
}
