// Compiles expressions of rules: the grammar of CEL, with types and an empty value as records have them.

import { type ASTNode, Environment, type ParseError } from "@marcbachmann/cel-js";
import { fill, message, t } from "../i18n/translate.ts";
import { closest } from "../text/similarity.ts";
import {
  calculated,
  type ExpressionType,
  FUNCTIONS,
  type Me,
  ORDERS,
  ORDERS_TO_NUMBER,
  once,
  type Result,
  type Run,
  SUMS,
  typeOfField,
} from "./expression-values.ts";
import type { Field } from "./fields.ts";
import { type Item, isSame, itemsOf, KIND_TRAITS, type Value } from "./kinds.ts";

/** Every expression is held to these: a record costs it no more than MOST_PARTS steps, because CEL has no loops here. */
export const MOST_CHARACTERS = 1_000;
export const MOST_PARTS = 200;
export const MOST_DEPTH = 25;

export interface Expression {
  status: "compiled";
  type: ExpressionType;
  run: Run;
  /** The names of the fields that it reads, also as `old.name`. */
  reads: ReadonlySet<string>;
  /** It reads `old`, so it says nothing about a stored record alone. */
  readsOld: boolean;
  readsMe: boolean;
  /** Its value may be another one tomorrow. */
  readsToday: boolean;
}

/** Says why an expression is none. `at` counts characters from 1. */
export interface WrongExpression extends Mistake {
  status: "wrong";
  /** Says it in English: `text`, filled. */
  message: string;
  at: number;
}

/** A sentence of the catalogue. Its values `type`, `one` and `other` name types, and are such sentences, too. */
interface Mistake {
  text: string;
  values?: Readonly<Record<string, string | number>>;
}

export const WORDS = ["old", "me", "today"];
const OF_ME: readonly (keyof Me)[] = ["id", "name"];

/** Names a type with its article, to end a sentence. */
export const TYPE_NAMES: Record<ExpressionType, string> = {
  text: message("a text"),
  number: message("a number"),
  boolean: message("true or false"),
  date: message("a date"),
  datetime: message("a date with time"),
  time: message("a time of day"),
  texts: message("several texts"),
  numbers: message("several numbers"),
  null: message("always empty"),
};

const parser = new Environment({ limits: { maxAstNodes: MOST_PARTS, maxDepth: MOST_DEPTH } });

/** Reads the grammar of an expression. Throws ParseError. */
export function parseExpression(source: string): ASTNode {
  return parser.parse(source).ast;
}

/**
 * Compiles an expression over the fields of a collection, or says what is wrong with it and where. Former names stand for their field.
 * A compiled expression never throws: it is null where a record cannot tell its value.
 */
export function compileExpression(source: string, fields: readonly Field[]): Expression | WrongExpression {
  if (source.length > MOST_CHARACTERS)
    return wrong(
      { text: message("is longer than {most} characters; split the rule in two"), values: { most: MOST_CHARACTERS } },
      MOST_CHARACTERS,
    );
  try {
    const compiler = new Compiler(fields);
    const { type, run } = compiler.compile(parseExpression(source));
    const { reads, readsOld, readsMe, readsToday } = compiler;
    return { status: "compiled", type, run, reads, readsOld, readsMe, readsToday };
  } catch (error) {
    if (error instanceof Wrong) return wrong(error.mistake, error.at);
    return wrong(wordFault(error as ParseError, source), ((error as ParseError).range?.start ?? 0) + 1);
  }
}

/** Does as `compileExpression`, of what must be true or false. */
export function compileCondition(source: string, fields: readonly Field[]): Expression | WrongExpression {
  const compiled = compileExpression(source, fields);
  if (compiled.status === "wrong" || compiled.type === "boolean") return compiled;
  const values = { example: `!isEmpty(${fields[0]?.name ?? "name"})`, type: TYPE_NAMES[compiled.type] };
  return wrong({ text: message("must be true or false, such as {example}, and this is {type}"), values }, 1);
}

function wrong(mistake: Mistake, at: number): WrongExpression {
  return { status: "wrong", ...mistake, message: fill(mistake.text, mistake.values), at };
}

function wordFault({ code, summary, message: own, range }: ParseError, source: string): Mistake {
  if (code === "limit_exceeded")
    return {
      text: message("has more than {parts} parts, or more than {depth} inside each other; split the rule in two"),
      values: { parts: MOST_PARTS, depth: MOST_DEPTH },
    };
  if (range && range.start >= source.trimEnd().length) return { text: message("ends too early") };
  if (source[range?.start ?? -1] === "=") return { text: message('has "=" where "==" is needed') };
  return { text: message("is no expression ({why})"), values: { why: (summary ?? own).replace(/\.$/, "") } };
}

const TYPES = ["type", "one", "other"]; // the values of a sentence that are sentences, too

/** Returns what is wrong in the reader's language. */
export function wrongText({ text, values = {} }: WrongExpression): string {
  const shown = Object.entries(values).map(([name, value]) => [name, TYPES.includes(name) ? t(String(value)) : value]);
  return t(text, Object.fromEntries(shown));
}

class Wrong extends Error {
  readonly at: number;
  readonly mistake: Mistake;
  constructor({ start }: Pick<ASTNode, "start">, text: string, values: Mistake["values"] = {}) {
    super(fill(text, values));
    this.mistake = { text, values };
    this.at = start + 1;
  }
}

interface Part {
  type: ExpressionType;
  run: Run;
  /** A text that stands in the expression itself, which may mean a date. */
  literal?: string;
  /** A number that stands there. */
  number?: number;
  /** The name of a field that is stored as it is read, whose value is the part. */
  own?: string;
}

/** Maps fields to the parts that the expressions over them share. */
const sharedParts = new WeakMap<readonly Field[], Map<string, Run>>();

class Compiler {
  readonly reads = new Set<string>();
  readsOld = false;
  readsMe = false;
  readsToday = false;
  private readonly fields = new Map<string, Field>();
  private readonly shared: Map<string, Run>;

  constructor(fields: readonly Field[]) {
    this.shared = sharedParts.get(fields) ?? new Map();
    sharedParts.set(fields, this.shared);
    for (const field of fields) for (const former of field.formerNames ?? []) this.fields.set(former, field);
    for (const field of fields) this.fields.set(field.name, field);
  }

  compile(node: ASTNode): Part {
    switch (node.op) {
      case "value":
        return literal(node, node.args);
      case "id":
        return this.name(node, node.args);
      case ".":
        return this.member(node, node.args[0], node.args[1]);
      case "!_": {
        const { run } = this.of(node.args, "boolean", message("! turns true into false, and this is {type}"));
        return { type: "boolean", run: (scope) => not(run(scope)) };
      }
      case "-_": {
        const { run } = this.of(node.args, "number", message("- turns a number into its opposite, and this is {type}"));
        return { type: "number", run: (scope) => calculated(run(scope), 0, (a) => -a) };
      }
      case "&&":
      case "||":
        return this.logic(node.op, node.args);
      case "?:":
        return this.choice(node.args);
      case "==":
      case "!=": {
        const [one, other] = this.pair(node, node.args);
        const isEqual = node.op === "==";
        return { type: "boolean", run: (scope) => isSame(one.run(scope), other.run(scope)) === isEqual };
      }
      case "<":
      case "<=":
      case ">":
      case ">=":
        return this.order(node, node.op, node.args);
      case "in":
        return this.membership(node.args);
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
        return this.sum(node, node.op, node.args);
      case "call":
        return this.call(node, node.args[0], node.args[1]);
      case "rcall":
        return this.call(node, node.args[0], [node.args[1], ...node.args[2]]);
      case "list":
        return this.several(node, node.args);
      default:
        throw new Wrong(node, message('has "{what}", which rules do not know'), { what: node.op });
    }
  }

  private name(node: ASTNode, name: string): Part {
    if (WORDS.includes(name) && this.fields.has(name))
      throw new Wrong(
        node,
        message('"{name}" is the name of a field and a word of rules; rules cannot read such a field until it has another name'),
        { name },
      );
    if (name === "today") {
      this.readsToday = true;
      return { type: "date", run: ({ today }) => today };
    }
    if (name === "me") throw new Wrong(node, message("is me.id or me.name"));
    if (name === "old") throw new Wrong(node, message("old has a field behind a point, such as old.status"));
    return this.field(name, node.start, false);
  }

  private member(node: ASTNode, object: ASTNode, name: string): Part {
    if (object.op === "id" && object.args === "old" && !this.fields.has("old")) {
      this.readsOld = true;
      return this.field(name, node.end - name.length, true);
    }
    if (object.op !== "id" || object.args !== "me" || this.fields.has("me"))
      throw new Wrong(node, message("nothing has members but old and me, such as old.status"));
    const member = OF_ME.find((one) => one === name);
    if (!member) throw new Wrong(node, message("me has no {name}; there are me.id and me.name"), { name });
    this.readsMe = true;
    return { type: "text", run: ({ me }) => me?.[member] ?? null };
  }

  private field(name: string, start: number, isOld: boolean): Part {
    const field = this.fields.get(name);
    if (!field) {
      const names = [...new Set([...this.fields.values()].map((one) => one.name))];
      const meant = closest(name, [...names, ...WORDS]);
      if (meant) throw new Wrong({ start }, message('there is no field "{name}"; did you mean "{meant}"?'), { name, meant });
      throw new Wrong({ start }, message('there is no field "{name}"; there are {names}'), { name, names: names.slice(0, 12).join(", ") });
    }
    this.reads.add(field.name);
    const own = field.name;
    const type = typeOfField(field);
    if (isOld) return { type, run: ({ old }) => (old === null ? null : storedIn(old, own, type)) };
    if (type === "number") return { type, run: ({ record }) => storedIn(record, own, type) };
    return { type, own, run: ({ record }) => (record[own] ?? null) as Result };
  }

  /** Returns the part under which others of these fields have the same, so that one record is asked once. */
  private asked(name: string, run: Run): Run {
    const known = this.shared.get(name) ?? once(run);
    this.shared.set(name, known);
    return known;
  }

  /** Compiles a part that must be of this type. */
  private of(node: ASTNode, type: ExpressionType, why: string, values: Mistake["values"] = {}): Part {
    const part = this.as(node, this.compile(node), type);
    if (part.type !== type && part.type !== "null") throw new Wrong(node, why, { ...values, type: TYPE_NAMES[part.type] });
    return part;
  }

  /** A text that stands in the expression means a date or time beside one. */
  private as(node: ASTNode, part: Part, type: ExpressionType): Part {
    if (part.literal === undefined || (type !== "date" && type !== "datetime" && type !== "time")) return part;
    const { fromText, example } = KIND_TRAITS[type];
    const value = fromText(part.literal);
    const values = { text: part.literal, type: TYPE_NAMES[type], example: example ?? EXAMPLES[type] };
    if (value === undefined) throw new Wrong(node, message('"{text}" is not {type}, such as "{example}"'), values);
    return { type, run: () => value };
  }

  private logic(op: "&&" | "||", [left, right]: [ASTNode, ASTNode]): Part {
    const why = message("{op} joins what is true or false, and this is {type}");
    const [one, other] = [this.of(left, "boolean", why, { op }).run, this.of(right, "boolean", why, { op }).run];
    const deciding = op === "||"; // one true is enough for ||, one false for &&
    return {
      type: "boolean",
      run: (scope) => {
        const first = one(scope);
        if (first === deciding) return deciding;
        const second = other(scope);
        if (second === deciding) return deciding;
        return first === null || second === null ? null : !deciding;
      },
    };
  }

  private choice([condition, yes, no]: [ASTNode, ASTNode, ASTNode]): Part {
    const decide = this.of(condition, "boolean", message("? asks for true or false, and this is {type}")).run;
    const [one, other] = this.pair(no, [yes, no]);
    const type = one.type === "null" ? other.type : one.type;
    return {
      type,
      run: (scope) => {
        const decided = decide(scope);
        return decided === null ? null : decided ? one.run(scope) : other.run(scope);
      },
    };
  }

  /** Compiles two parts that are compared, which must be of one type. */
  private pair(node: ASTNode, [left, right]: [ASTNode, ASTNode]): [Part, Part] {
    const [first, second] = [this.compile(left), this.compile(right)];
    const [one, other] = [this.as(left, first, second.type), this.as(right, second, first.type)];
    if (one.type !== other.type && one.type !== "null" && other.type !== "null")
      throw new Wrong(node, message("{one} and {other} cannot stand for each other"), {
        one: TYPE_NAMES[one.type],
        other: TYPE_NAMES[other.type],
      });
    return [one, other];
  }

  private order(node: ASTNode, op: "<" | "<=" | ">" | ">=", args: [ASTNode, ASTNode]): Part {
    const [one, other] = this.pair(node, args);
    if ([one, other].some(({ type }) => type === "texts" || type === "numbers"))
      throw new Wrong(node, message("several values have no order; size(…) counts them"));
    if (one.type === "boolean" || other.type === "boolean")
      throw new Wrong(node, message("true and false have no order; compare them with =="));
    const run = other.number === undefined ? ORDERS[op](one.run, other.run) : ORDERS_TO_NUMBER[op](one.run, other.number);
    return { type: "boolean", run };
  }

  private membership([left, right]: [ASTNode, ASTNode]): Part {
    const one = this.compile(left);
    if (right.op !== "list") return this.amongItems(left, one, this.compile(right), right);
    const values = right.args.map((node) => {
      const part = this.as(node, this.compile(node), one.type);
      if (part.type !== one.type && part.type !== "null" && one.type !== "null")
        throw new Wrong(node, message("is {one}, and it is compared with {other}"), {
          one: TYPE_NAMES[part.type],
          other: TYPE_NAMES[one.type],
        });
      return part.run;
    });
    return {
      type: "boolean",
      run: (scope) => {
        const value = one.run(scope);
        return values.some((each) => each(scope) === value);
      },
    };
  }

  /** Asks whether a value is among those of a field. What is empty is among none. */
  private amongItems(left: ASTNode, one: Part, several: Part, right: ASTNode): Part {
    const type = ITEM_TYPES[several.type];
    if (!type) throw new Wrong(right, message('after "in" stands a list, such as ["a", "b"], or a field with several values'));
    if (one.type !== type && one.type !== "null")
      throw new Wrong(left, message("is {one}, and it is compared with {other}"), {
        one: TYPE_NAMES[one.type],
        other: TYPE_NAMES[several.type],
      });
    return { type: "boolean", run: (scope) => itemsOf(several.run(scope)).includes(one.run(scope) as Item) };
  }

  /** Reads several values that stand in the expression itself, all texts or all numbers. */
  private several(node: ASTNode, args: readonly ASTNode[]): Part {
    const parts = args.map((arg) => this.compile(arg));
    const type = parts[0]?.type === "number" ? "numbers" : "texts";
    if (parts.some((part) => part.type !== ITEM_TYPES[type])) throw new Wrong(node, message("a list has texts alone, or numbers alone"));
    return {
      type,
      run: (scope) => {
        const items = parts.flatMap(({ run }) => (run(scope) as Item | null) ?? []);
        return items.length > 0 ? items : null;
      },
    };
  }

  private sum(node: ASTNode, op: "+" | "-" | "*" | "/" | "%", [left, right]: [ASTNode, ASTNode]): Part {
    const [one, other] = [this.compile(left), this.compile(right)];
    const types = [one.type, other.type];
    if (types.some((type) => type === "date" || type === "datetime"))
      throw new Wrong(node, message("dates are not counted with {op}; days(later, earlier) counts the days between two"), { op });
    if (op === "+" && types.includes("text")) {
      const stranger = types.find((type) => type !== "text" && type !== "null");
      if (stranger)
        throw new Wrong(node, message("+ joins text with text, and this is {type}; write string(…) around it"), {
          type: TYPE_NAMES[stranger],
        });
      return {
        type: "text",
        run: (scope) => {
          const a = one.run(scope);
          const b = other.run(scope);
          return a === null || b === null ? null : `${a}${b}`;
        },
      };
    }
    const stranger = types.find((type) => type !== "number" && type !== "null");
    if (stranger) throw new Wrong(node, message("{op} counts with numbers, and this is {type}"), { op, type: TYPE_NAMES[stranger] });
    const count = SUMS[op];
    return { type: "number", run: (scope) => calculated(one.run(scope), other.run(scope), count) };
  }

  private call(node: ASTNode, name: string, args: readonly ASTNode[]): Part {
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!known) {
      const meant = closest(name, Object.keys(FUNCTIONS));
      if (meant) throw new Wrong(node, message("there is no function {name}; did you mean {meant}?"), { name, meant });
      throw new Wrong(node, message("there is no function {name}; there are {names}"), { name, names: Object.keys(FUNCTIONS).join(", ") });
    }
    const { takes, gives, call, least = takes.length } = known;
    if (args.length < least || args.length > takes.length)
      throw new Wrong(node, message("{name} is written as {usage}"), { name, usage: known.usage });
    if (args.length < takes.length) this.readsToday = true; // it stands for what is left out
    const parts = args.map((arg, i) => {
      const type = takes[i] as (typeof takes)[number];
      if (type === "any") return this.compile(arg);
      if (type === "text or several") {
        const part = this.compile(arg);
        return ITEM_TYPES[part.type]
          ? part
          : this.of(arg, "text", message("{name} is written as {usage}, and this is {type}"), { name, usage: known.usage });
      }
      return this.of(arg, type, message("{name} is written as {usage}, and this is {type}"), { name, usage: known.usage });
    });
    const own = parts[0]?.own;
    const [first, second] = parts.map(({ run }) => run) as [Run, Run | undefined]; // no function has none, or more than two
    if (own !== undefined && !second) {
      const run: Run = (scope) => {
        const a = (scope.record[own] ?? null) as Result;
        return a === null && !known.takesEmpty ? null : call(a as Value, undefined, scope);
      };
      return { type: gives, run: this.asked(`${name} ${own}`, run) };
    }
    if (known.takesEmpty) return { type: gives, run: (scope) => call(first(scope) as Value, undefined, scope) };
    if (!second)
      return {
        type: gives,
        run: (scope) => {
          const a = first(scope);
          return a === null ? null : call(a, undefined, scope);
        },
      };
    return {
      type: gives,
      run: (scope) => {
        const a = first(scope);
        const b = a === null ? null : second(scope);
        return a === null || b === null ? null : call(a, b, scope);
      },
    };
  }
}

/** Several values → the type of each. */
const ITEM_TYPES: Partial<Record<ExpressionType, ExpressionType>> = { texts: "text", numbers: "number" };

const EXAMPLES = { date: "2026-01-31", datetime: "2026-01-31T08:30:00Z", time: "08:30" };

function literal(node: ASTNode, value: unknown): Part {
  switch (typeof value) {
    case "string":
      return { type: "text", literal: value, run: () => value };
    case "boolean":
      return { type: "boolean", run: () => value };
    case "number":
      return { type: "number", number: value, run: () => value };
    case "bigint": {
      const number = Number(value);
      if (!Number.isSafeInteger(number)) throw new Wrong(node, message("has a number with more digits than can be counted with"));
      return { type: "number", number, run: () => number };
    }
    default:
      if (value === null) return { type: "null", run: () => null };
      throw new Wrong(node, message("has bytes, which no field has"));
  }
}

/** An exact decimal is stored as text. */
function storedIn(record: Readonly<Record<string, unknown>>, name: string, type: ExpressionType): Result {
  const value = (record[name] ?? null) as Result;
  return type === "number" && typeof value === "string" ? Number(value) : value;
}

function not(value: Result): Result {
  return value === null ? null : !value;
}
