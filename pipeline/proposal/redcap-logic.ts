// Turns the logic of REDCap into an expression of ours: "[sex] = '1' and [age] > 17" into sex == "1" && age > 17.

import type { PackageField } from "../../core/dictionary/packages.ts";
import { t } from "../../core/i18n/translate.ts";

/** Says which fields stand for the names of the other dictionary: of several ticks one for each code. */
export interface Known {
  fields: ReadonlyMap<string, PackageField>;
  /** Holds them by `name(code)`. */
  ticks: ReadonlyMap<string, PackageField>;
}

/** Says what has no counterpart. */
export class NoCounterpart extends Error {}

/** An expression, or a field or text of which one is made. */
interface Part {
  text: string;
  field?: PackageField;
  /** The text or number as it stands there, without quotes. */
  constant?: string;
}

const TOKEN = /\s*(\[[^\]]*\](?:\[[^\]]*\])*|'[^']*'|"[^"]*"|\d+(?:\.\d+)?|<>|!=|<=|>=|[=<>()+\-*/,]|[A-Za-z_]\w*)/y;
const COMPARISONS: Readonly<Record<string, string>> = { "=": "==", "<>": "!=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=" };

/** Throws NoCounterpart. */
export function translateLogic(logic: string, known: Known): string {
  const reader = new Reader(tokensOf(logic), known);
  const { text } = reader.any();
  reader.end();
  return text;
}

function tokensOf(logic: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const source = logic.trim();
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(source)?.[1];
    if (token === undefined) throw new NoCounterpart(t('"{text}" is no part of such logic', { text: source.slice(at, at + 12).trim() }));
    tokens.push(token);
  }
  return tokens;
}

function unexpected(token: string): NoCounterpart {
  return new NoCounterpart(t('"{token}" is not expected', { token }));
}

class Reader {
  #at = 0;
  readonly #tokens: readonly string[];
  readonly #known: Known;

  constructor(tokens: readonly string[], known: Known) {
    this.#tokens = tokens;
    this.#known = known;
  }

  end(): void {
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw unexpected(rest);
  }

  /** Parts with "or" between them. */
  any(): Part {
    return this.#joined("or", "||", () => this.#joined("and", "&&", () => this.#comparison()));
  }

  #joined(word: string, operator: string, next: () => Part): Part {
    const parts = [next()];
    while (this.#takes(word)) parts.push(next());
    const [first] = parts as [Part];
    return parts.length === 1 ? first : { text: parts.map(({ text }) => text).join(` ${operator} `) };
  }

  #comparison(): Part {
    const left = this.#sum();
    const operator = COMPARISONS[this.#tokens[this.#at] ?? ""];
    if (operator === undefined) return left;
    this.#at++;
    return compared(left, operator, this.#sum());
  }

  #sum(): Part {
    return this.#counted(["+", "-"], () => this.#counted(["*", "/"], () => this.#one()));
  }

  #counted(operators: readonly string[], next: () => Part): Part {
    let part = next();
    for (let token = this.#tokens[this.#at] ?? ""; operators.includes(token); token = this.#tokens[this.#at] ?? "") {
      this.#at++;
      part = { text: `${part.text} ${token} ${next().text}` };
    }
    return part;
  }

  #one(): Part {
    const token = this.#tokens[this.#at++] ?? "";
    if (token === "(") {
      const { text } = this.any();
      if (!this.#takes(")")) throw new NoCounterpart(t("a bracket is not closed"));
      return { text: `(${text})` };
    }
    if (token.startsWith("[")) return this.#field(token);
    if (/^['"]/.test(token)) return { text: JSON.stringify(token.slice(1, -1)), constant: token.slice(1, -1) };
    if (/^\d/.test(token)) return { text: token, constant: token };
    if (token === "") throw new NoCounterpart(t("it ends too early"));
    if (token.toLowerCase() === "rounddown") return this.#age();
    throw this.#tokens[this.#at] === "("
      ? new NoCounterpart(t("the function {name} has no counterpart", { name: token }))
      : unexpected(token);
  }

  /** Whole years between two days are the one use of `rounddown` that has a counterpart: rounddown(datediff([born], "today", "y")). */
  #age(): Part {
    const refuse = () => new NoCounterpart(t("the function rounddown has no counterpart but for whole years between days"));
    const expect = (word: string) => {
      if (!this.#takes(word)) throw refuse();
    };
    const day = (): string => {
      const { text, field, constant } = this.#one();
      if (constant?.toLowerCase() === "today") return "today";
      if (field?.type !== "date") throw refuse();
      return text;
    };
    for (const word of ["(", "datediff", "("]) expect(word);
    const first = day();
    expect(",");
    const last = day();
    expect(",");
    if (this.#one().constant !== "y") throw refuse();
    while (this.#takes(",")) this.#at++; // the form of the dates, and whether the years have a sign
    expect(")");
    if (this.#takes(",") && this.#one().constant !== "0") throw refuse();
    expect(")");
    if (first === "today") throw refuse();
    return { text: last === "today" ? `age(${first})` : `age(${first}, ${last})` };
  }

  #field(token: string): Part {
    const name = token.slice(1, -1).trim();
    const field = this.#known.fields.get(name) ?? this.#known.ticks.get(name);
    if (!field) throw new NoCounterpart(t("{name} is no field here", { name: token }));
    return { text: field.name, field };
  }

  #takes(word: string): boolean {
    const isNext = this.#tokens[this.#at]?.toLowerCase() === word;
    if (isNext) this.#at++;
    return isNext;
  }
}

/** A constant is written as the field beside it has its values. */
function compared(left: Part, operator: string, right: Part): Part {
  if (left.constant !== undefined && right.field) return compared(right, MIRRORED[operator] ?? operator, left);
  const { field } = left;
  const { constant } = right;
  if (!field || constant === undefined) return { text: `${left.text} ${operator} ${right.text}` };
  const isEquality = operator === "==" || operator === "!=";
  if (constant === "" && isEquality) return { text: `${operator === "==" ? "" : "!"}isEmpty(${field.name})` };
  switch (field.type) {
    case "boolean":
      if (!isEquality || !/^[01]$/.test(constant))
        throw new NoCounterpart(t('{field} is yes or no, and is compared with "{value}"', { field: field.name, value: constant }));
      // A tick that was never set is empty here, and 0 there.
      return { text: `${field.name} ${(operator === "==") === (constant === "1") ? "==" : "!="} true` };
    case "integer":
    case "number":
      if (!/^-?\d+(?:\.\d+)?$/.test(constant))
        throw new NoCounterpart(t('{field} is a number, and is compared with "{value}"', { field: field.name, value: constant }));
      return { text: `${field.name} ${operator} ${constant}` };
    default:
      if (field.categories && !isEquality) throw new NoCounterpart(t("{field} is a choice, which has no order", { field: field.name }));
      return { text: `${field.name} ${operator} ${JSON.stringify(constant)}` };
  }
}

const MIRRORED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
