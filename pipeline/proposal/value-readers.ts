// Counts for one kind how many cells of a column are of it, and in which forms they are written.

import type { Field } from "../../core/dictionary/fields.ts";
import type { Kind, Value } from "../../core/dictionary/kinds.ts";
import { FORMATS, type TextFormat } from "../../core/dictionary/text-formats.ts";
import { isValue, validateValue } from "../../core/dictionary/validate.ts";
import { unwrapNumber } from "../../core/forms/number-forms.ts";
import { isDayAlone, readForms } from "../../core/forms/readings.ts";
import { mayBeThousands } from "../checking/decimal-points.ts";
import type { Dialect } from "../model/dialect.ts";
import { type AutoFixName, decimalSignOf, fixCell } from "../model/value-fixes.ts";

/** Makes a field without rules, to read cells by. */
export function bareField(kind: Kind, more: Partial<Field> = {}): Field {
  return { name: "", title: "", description: "", kind, example: "", aliases: [], required: false, unique: false, ...more };
}

/** The ways in which a cell may be read; none when it is not of the kind. "plain": as it stands. */
type Readings = readonly (AutoFixName | "plain")[];

const ENOUGH = 200; // cells after which a kind that most of them are not is given up

/** Fits a column when every cell has one reading, or one that the clear cells of the column have, too. */
export class ValueReader {
  readonly #read: (text: string) => Readings;
  readonly #clear = new Map<string, number>();
  readonly #unclear = new Map<string, Readings>();
  fits = 0;
  misfits = 0;
  /** The first cell that is not of the kind, the first one that is not written as it stands, and the first that may mean two things. */
  misfit = "";
  formed = "";
  asked = "";

  constructor(read: (text: string) => Readings) {
    this.#read = read;
  }

  get isGivenUp(): boolean {
    return this.fits + this.misfits > ENOUGH && this.misfits > this.fits;
  }

  see(text: string): void {
    if (this.isGivenUp) return;
    const readings = this.#read(text);
    if (readings.length === 0) {
      if (this.misfits++ === 0) this.misfit = structuredClone(text);
      return;
    }
    this.fits++;
    const [only] = readings;
    if (readings.length > 1 || only?.includes("?")) {
      this.asked ||= structuredClone(text);
      this.#unclear.set(readings.join(), readings);
    } else {
      if (only !== "plain") this.formed ||= structuredClone(text);
      this.#clear.set(only as string, (this.#clear.get(only as string) ?? 0) + 1);
    }
  }

  /** Returns the fixes by which every cell is read as the clear ones say; undefined when they do not say it of each. */
  forms(isMeant: (name: AutoFixName, clear: ReadonlySet<string>) => boolean = isSameForm): AutoFixName[] | undefined {
    const clear = new Set(this.#clear.keys());
    const chosen = [...clear].filter((name): name is AutoFixName => name !== "plain");
    for (const readings of this.#unclear.values()) {
      const meant = readings.filter((name): name is AutoFixName => name !== "plain" && isMeant(name, clear));
      const [only] = meant;
      if (meant.length !== 1 || only === undefined) return undefined;
      chosen.push(only, only.replace("?", "") as AutoFixName);
    }
    return [...new Set(chosen)];
  }
}

function isSameForm(name: AutoFixName, clear: ReadonlySet<string>): boolean {
  return clear.has(name.replace("?", ""));
}

const isRead = (field: Field, text: string) => isValue(validateValue(field, text, "text"));

const DATE = bareField("date");
const SHORT_YEAR = /yy/;

/** Digits alone are no clear date, and of a year of two digits nobody knows the century. */
export function dateReader(is1904: boolean): ValueReader {
  return new ValueReader((text) => {
    if (!/[^\d.]/.test(text) && !/\..*\./.test(text)) return [];
    if (isRead(DATE, text)) return ["plain"];
    return readForms(DATE, text, undefined, is1904).flatMap(({ name }) => (SHORT_YEAR.test(name) ? [] : name));
  });
}

/** Says whether the text is a date but for its century. */
export function hasShortYear(text: string): boolean {
  return /\D/.test(text) && readForms(DATE, text).some(({ name }) => SHORT_YEAR.test(name));
}

const MOMENT = bareField("datetime");

/** `zone`: of times that say none. A day alone stands beside times for its start, as workbooks write midnight. */
export function momentReader(zone: string, is1904: boolean): ValueReader {
  return new ValueReader((text) => {
    if (isRead(MOMENT, text)) return ["plain"];
    if (!/\D/.test(text)) return [];
    const names = readForms(MOMENT, text, zone, is1904).map(({ name }) => name);
    return names.filter((name) => !SHORT_YEAR.test(name) && (isDayAlone(name) ? /\d{4}/.test(text) : text.includes(":")));
  });
}

const CLOCK = bareField("time");
const CLOCK_TEXT = /^\D*\d{1,2}(?::\d{2}\b| ?h\b| ?uhr| ?[ap]\.?m)/i;

/** 12.50 may be a price, and digits alone may be anything. */
export function clockReader(): ValueReader {
  return new ValueReader((text) => {
    if (!CLOCK_TEXT.test(text) && !/\d\.\d{2} ?uhr/i.test(text)) return [];
    return isRead(CLOCK, text) ? ["plain"] : readForms(CLOCK, text).map(({ name }) => name);
  });
}

const YES_NO = bareField("boolean");

/** 1 and 0 may count something. */
export class YesNoReader extends ValueReader {
  #hasYes = false;
  #hasNo = false;
  #isMark = true;

  constructor() {
    super((text) => {
      if (/^\d$/.test(text)) return [];
      const plain = validateValue(YES_NO, text, "text");
      const value = typeof plain === "boolean" ? plain : fixCell("yesNo", YES_NO, text);
      if (typeof value !== "boolean") return [];
      if (value) this.#hasYes = true;
      else this.#hasNo = true;
      if (!/^[x✓]$/i.test(text)) this.#isMark = false;
      return [value === plain ? "plain" : "yesNo"];
    });
  }

  /** Both answers are there, or nothing but crosses. */
  get isAnswered(): boolean {
    return this.#hasYes && (this.#hasNo || this.#isMark);
  }
}

const AMOUNT = bareField("decimal", { decimals: 10 });
const FLOAT = bareField("number");
const MOST_DIGITS = 15;

/** Reads numbers of all sorts; what sort they are, its facts say. */
export class NumberReader extends ValueReader {
  /** The most digits behind the point. */
  decimals = 0;
  readonly units = new Set<string>();
  longest = 0; // digits
  least = Number.POSITIVE_INFINITY;
  hasPoint = false;
  /** Counts cells that are digits and begin with a zero, which a number would lose. */
  zeros = 0;
  hasLongFractions = false;

  constructor(dialect: Dialect) {
    super((text) => {
      if (/^0\d+$/.test(text)) this.zeros++;
      if (/^\+|\d[eE][+-]?\d/.test(text)) return [];
      const isEither = mayBeThousands(text, dialect);
      const plain = validateValue(AMOUNT, text, "text");
      if (typeof plain === "string" && !isEither) {
        if (text.includes(".") && dialect.sheet === undefined) this.hasPoint = true;
        return this.#seen(text, plain, ["plain"]);
      }
      if (typeof validateValue(FLOAT, text, "text") === "number" && !isEither) {
        this.hasLongFractions = true;
        return ["plain"];
      }
      const forms = readForms(AMOUNT, text);
      const [first] = forms;
      if (!first || forms.some(({ name }) => name.includes("%"))) return [];
      this.units.add(unwrapNumber(text).unit);
      const names = forms.map(({ name }) => name);
      if (forms.length > 1) return names;
      return this.#seen(text, first.value, names);
    });
  }

  #seen(text: string, value: Value, readings: Readings): Readings {
    const digits = text.replace(/\D/g, "").length;
    if (digits > MOST_DIGITS) return [];
    const whole = /^-?(\d+)/.exec(String(value))?.[1]?.length ?? 0;
    this.decimals = Math.max(this.decimals, digits - whole);
    this.longest = Math.max(this.longest, digits);
    this.least = Math.min(this.least, Number(value));
    return readings;
  }

  /** A form that may be read in two ways is read with the decimal sign of the numbers that are clear. */
  override forms(): AutoFixName[] | undefined {
    return super.forms((name, clear) => {
      const signs = [...clear].map((one) => (one === "plain" ? "" : decimalSignOf(one as AutoFixName)));
      if (this.hasPoint) signs.push(".");
      return decimalSignOf(name) !== "" && signs.includes(decimalSignOf(name));
    });
  }
}

/** Reads e-mail addresses and the like. `is`: what a text must look like besides. */
export function formatReader(format: TextFormat, is: RegExp = /./): ValueReader {
  const field = bareField("string", { format });
  return new ValueReader((text) => {
    if (!is.test(text)) return [];
    if (FORMATS[format].accepts(text) && isRead(field, text)) return ["plain"];
    return typeof fixCell("webAddress", field, text) === "string" ? ["webAddress"] : [];
  });
}
