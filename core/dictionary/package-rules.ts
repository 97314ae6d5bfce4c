// Keeps the rules of a data package in step with the names of its fields, and with what callers may know.

import type { ASTNode } from "@marcbachmann/cel-js";
import { parseExpression, WORDS } from "./expressions.ts";
import { isObject } from "./fields.ts";
import type { PackageResource } from "./packages.ts";

const EXPRESSIONS = ["when", "must"] as const;

/** Returns the resource whose rules name its fields as they are called now. */
export function withRenamedRules(resource: PackageResource): PackageResource {
  const { fields } = resource.schema;
  const formers = new Map(fields.flatMap(({ name, formerNames = [] }) => formerNames.map((former) => [former, name] as const)));
  for (const { name } of fields) formers.delete(name);
  if (formers.size === 0 || !Array.isArray(resource.rules)) return resource;
  const nameOf = (name: string) => formers.get(name) ?? name;
  const rules = resource.rules.map((rule: unknown) => {
    if (!isObject(rule)) return rule;
    const texts = EXPRESSIONS.flatMap((word) => {
      const source = rule[word];
      return typeof source === "string" ? [[word, withFieldNames(source, nameOf)] as const] : [];
    });
    const own = rule.fields;
    return {
      ...rule,
      ...Object.fromEntries(texts),
      ...(Array.isArray(own) && { fields: own.map((one) => (typeof one === "string" ? nameOf(one) : one)) }),
    };
  });
  return { ...resource, rules };
}

/** Returns the resource without the rules that name one of these fields. */
export function withoutRulesOn(resource: PackageResource, names: ReadonlySet<string>): PackageResource {
  if (!Array.isArray(resource.rules) || names.size === 0) return resource;
  return { ...resource, rules: resource.rules.filter((rule: unknown) => !namesInRule(rule).some((name) => names.has(name))) };
}

/** Lists the names of the fields that a rule of a data package has. */
export function namesInRule(rule: unknown): string[] {
  if (!isObject(rule)) return [];
  const read = EXPRESSIONS.flatMap((word) => {
    const source = rule[word];
    return typeof source === "string" ? (fieldNamesIn(source) ?? []).map(([, , name]) => name) : [];
  });
  return [...read, ...(Array.isArray(rule.fields) ? rule.fields.filter((name) => typeof name === "string") : [])];
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
