// The ways in which people write a number, and what each text may mean.

import { readDecimal } from "../dictionary/decimals.ts";
import type { Reading } from "./readings.ts";

const BRACKETS = /^\((.+)\)$/;
const SIGN = /^[-+−–]\s?/;
const SIGN_AFTER = /(?<=[^.,\s])\s?[-−]$/;
const CURRENCY =
  /^((?:[A-Z]{1,2})?\p{Sc}|[A-Z]{3}|S?Fr\.|Rs\.?)\s?(?=[-−\d])|(?<=[-\d])\s?((?:[A-Z]{1,2})?\p{Sc}|[A-Z]{3}|[Kk]r\.?|Kč|zł|Ft|lei)$/u;
const PERCENT = /\s?%$/;
const SPACE = "[ \\u00a0\\u202f\\u2009'’]";
const SPACES = new RegExp(SPACE, "g");
const BY_SPACE = new RegExp(`^\\d{1,3}(${SPACE})\\d{3}(?:\\1\\d{3})*$`);
const COMMA = new RegExp(`^(?:\\d+|\\d{1,3}(?:\\.\\d{3})+|\\d{1,3}(?:${SPACE}\\d{3})+)(?:,\\d+|,[-–]+)?$`);
const POINT = new RegExp(`^(?:\\d+|\\d{1,3}(?:,\\d{3})+|\\d{1,2}(?:,\\d{2})*,\\d{3}|\\d{1,3}(?:${SPACE}\\d{3})+)(?:\\.\\d+|\\.[-–]+)?$`);
const EITHER = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** A percent sign may mean hundredths or stand for itself, so it gives two readings. */
export function readNumber(text: string): Reading[] {
  const { rest, signs, unit } = unwrapNumber(text);
  if (signs.length > 1) return [];
  const marks = signs === "-" ? "" : signs;
  const isPercent = PERCENT.test(rest);
  return digitReadings(rest.replace(PERCENT, ""), marks + unit !== "" || isPercent).flatMap(({ mark, digits }): Reading[] => {
    const number = signs === "" || signs === "+" ? digits : `-${digits}`;
    const name = `number:${mark}${marks}${unit}` as const;
    if (!isPercent) return [{ name, text: number }];
    const hundredths = readDecimal(`${number}e-2`) ?? "";
    return [{ name: `${name}%`, text: number }, { name: `${name}%1`, text: hundredths }]; // biome-ignore format: short
  });
}

/** Takes signs and a currency off a number. `signs`: one character for each: in front "-", "+" or "−", behind "_", for brackets "(". `unit`: the currency. */
export function unwrapNumber(text: string): { rest: string; signs: string; unit: string } {
  let rest = text;
  let signs = "";
  const take = (pattern: RegExp, sign: (found: string) => string): void => {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) return;
    signs += sign(found);
    rest = rest.replace(pattern, "");
  };
  const inside = BRACKETS.exec(rest)?.[1];
  if (inside !== undefined) [rest, signs] = [inside, "("];
  const inFront = () => take(SIGN, (found) => (found.startsWith("+") ? "+" : found.startsWith("-") ? "-" : "−"));
  const behind = () => take(SIGN_AFTER, () => "_");
  inFront();
  behind();
  const found = CURRENCY.exec(rest);
  const unit = found?.[1] ?? found?.[2] ?? "";
  if (found && (!/^[A-Z]{3}$/.test(unit) || currencies().has(unit))) {
    rest = rest.replace(CURRENCY, "");
    inFront();
    behind();
  }
  return { rest, signs, unit };
}

/** `mark`: the decimal sign; a space when only thousands are marked; nothing for digits alone. */
function digitReadings(text: string, isMarked: boolean): { mark: string; digits: string }[] {
  if (/^\d+$/.test(text)) return [{ mark: "", digits: text }];
  if (BY_SPACE.test(text)) return [{ mark: " ", digits: text.replace(SPACES, "") }];
  const readings: { mark: string; digits: string }[] = [];
  if (COMMA.test(text) && (text.includes(",") || /\..*\./.test(text) || EITHER.test(text))) {
    readings.push({ mark: ",", digits: decimals(text.replace(SPACES, "").replaceAll(".", "").replace(",", ".")) });
  }
  const isPlain = !isMarked && /^\d+\.\d+$/.test(text) && !EITHER.test(text); // a number as it is
  if (!isPlain && POINT.test(text) && (!COMMA.test(text) || !text.includes(",") || EITHER.test(text))) {
    readings.push({ mark: ".", digits: decimals(text.replace(SPACES, "").replaceAll(",", "")) });
  }
  return readings;
}

/** "12.-" is written for 12 with no cents. */
function decimals(digits: string): string {
  return digits.replace(/\.[-–]+$/, "");
}

let known: ReadonlySet<string> | undefined;

function currencies(): ReadonlySet<string> {
  known ??= new Set(Intl.supportedValuesOf("currency"));
  return known;
}
