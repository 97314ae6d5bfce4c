// Keeps expressions and comparisons in step with the names of fields, and with what callers may know.

import type { ASTNode } from "@marcbachmann/cel-js";
import { parseExpression, WORDS } from "./expressions.ts";
import { isObject } from "./fields.ts";
import { type PackageField, type PackageResource, withComparisons } from "./packages.ts";
import { EXPRESSIONS } from "./read-conditions.ts";

const OF_RULE = ["when", "must"] as const;
const OF_CHOICES = ["when"] as const;

/** Returns the resource whose rules, comparisons and conditions name its fields as they are called now. `named`: the fields with all their names. */
export function withRenamedRules(resource: PackageResource, named: readonly PackageField[] = resource.schema.fields): PackageResource {
  const formers = new Map(named.flatMap(({ name, formerNames = [] }) => formerNames.map((former) => [former, name] as const)));
  for (const { name } of named) formers.delete(name);
  if (formers.size === 0) return resource;
  const nameOf = (name: string) => formers.get(name) ?? name;
  const fields = resource.schema.fields.map((field) => {
    const { choicesIf } = field;
    const choices = Array.isArray(choicesIf) && { choicesIf: choicesIf.map((one: unknown) => renamed(one, OF_CHOICES, nameOf)) };
    return { ...renamed(field, EXPRESSIONS, nameOf), ...choices };
  });
  const rules = Array.isArray(resource.rules) && { rules: resource.rules.map((rule: unknown) => renamedRule(rule, nameOf)) };
  return { ...withComparisons(resource, nameOf), ...rules, schema: { ...resource.schema, fields } };
}

function renamedRule(rule: unknown, nameOf: (name: string) => string): unknown {
  if (!isObject(rule)) return rule;
  const own = rule.fields;
  const fields = Array.isArray(own) && { fields: own.map((one) => (typeof one === "string" ? nameOf(one) : one)) };
  return { ...renamed(rule, OF_RULE, nameOf), ...fields };
}

/** Returns an object of the data package in which the expressions at `words` have other names of fields. */
function renamed<Given>(given: Given, words: readonly string[], nameOf: (name: string) => string): Given {
  if (!isObject(given)) return given;
  const texts = words.flatMap((word) => {
    const source = given[word];
    return typeof source === "string" ? [[word, withFieldNames(source, nameOf)] as const] : [];
  });
  return { ...given, ...Object.fromEntries(texts) };
}

/**
 * Returns the resource without the rules, comparisons, conditions and defaults that name one of these fields. A required field that is asked for only
 * sometimes is then not required: whoever is told of no condition cannot be held to it.
 */
export function withoutRulesOn(resource: PackageResource, names: ReadonlySet<string>): PackageResource {
  if (names.size === 0) return resource;
  const namesOne = (read: readonly string[]) => read.some((name) => names.has(name));
  const fields = resource.schema.fields.map((field) => {
    if (!namesOne(namesInExpressions(field))) return field;
    const { visibleIf, requiredIf: _, choicesIf: __, default: ___, ...left } = field;
    return visibleIf === undefined ? left : { ...left, constraints: { ...(left.constraints as object), required: false } };
  });
  const rules = Array.isArray(resource.rules) && { rules: resource.rules.filter((rule: unknown) => !namesOne(namesInRule(rule))) };
  const compared = withComparisons(resource, (name) => (names.has(name) ? undefined : name));
  return { ...compared, ...rules, schema: { ...resource.schema, fields } };
}

/** Adds the fields that are computed of these, also through others: they would tell of them. */
export function withComputedOf({ schema }: PackageResource, names: ReadonlySet<string>): ReadonlySet<string> {
  const computed = schema.fields.filter((field) => field.computed !== undefined);
  const all = new Set(names);
  for (let size = -1; size !== all.size; ) {
    size = all.size;
    for (const field of computed) if (namesInExpressions(field).some((name) => all.has(name))) all.add(field.name);
  }
  return all;
}

/** Lists the names of the fields that a rule of a data package has. */
export function namesInRule(rule: unknown): string[] {
  if (!isObject(rule)) return [];
  return [...namesAt(rule, OF_RULE), ...(Array.isArray(rule.fields) ? rule.fields.filter((name) => typeof name === "string") : [])];
}

/** Lists the names of the fields that the conditions, the default and the formula of a field have. */
export function namesInExpressions(field: PackageField): string[] {
  const { choicesIf } = field;
  return [
    ...namesAt(field, EXPRESSIONS),
    ...(Array.isArray(choicesIf) ? choicesIf.flatMap((one: unknown) => namesAt(one, OF_CHOICES)) : []),
  ];
}

function namesAt(given: unknown, words: readonly string[]): string[] {
  if (!isObject(given)) return [];
  return words.flatMap((word) => {
    const source = given[word];
    return typeof source === "string" ? (fieldNamesIn(source) ?? []).map(([, , name]) => name) : [];
  });
}

type Place = readonly [from: number, to: number, name: string];

/** Finds where fields are named in an expression, whatever fields there are; undefined where it is no expression. */
function fieldNamesIn(source: string): Place[] | undefined {
  try {
    return placesIn(parseExpression(source));
  } catch {
    return undefined;
  }
}

function placesIn(node: ASTNode): Place[] {
  if (node.op === "id") return WORDS.includes(node.args) ? [] : [[node.start, node.end, node.args]];
  if (node.op === ".") {
    const [object, name] = node.args;
    return object.op === "id" && object.args === "old" ? [[node.end - name.length, node.end, name]] : placesIn(object);
  }
  return [node.args].flat(2).flatMap((part) => (isNode(part) ? placesIn(part) : []));
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === "object" && part !== null && "op" in part && "start" in part;
}

/** Returns the expression with other names of fields; texts and everything else in it stay as they are. */
export function withFieldNames(source: string, nameOf: (name: string) => string): string {
  const places = [...(fieldNamesIn(source) ?? [])].sort(([a], [b]) => b - a);
  return places.reduce((text, [from, to, name]) => text.slice(0, from) + nameOf(name) + text.slice(to), source);
}
