// Finds the mistakes in the rules of collections that an author can mend: in their expressions, names and fields.

import { closest } from "../text/similarity.ts";
import type { Collection, Mistake } from "./collections.ts";
import { orderFormulas } from "./computed.ts";
import { typeOfField } from "./expression-values.ts";
import { compileCondition, compileExpression, type Expression, TYPE_NAMES } from "./expressions.ts";
import { type Field, isObject, type ReportMistake } from "./fields.ts";
import { KIND_TRAITS } from "./kinds.ts";
import { namesInExpressions, namesInRule } from "./package-rules.ts";
import type { Package, PackageResource } from "./packages.ts";
import { CONDITIONS } from "./read-conditions.ts";
import { isTimeZone } from "./relative-times.ts";
import { isProblem, validateValue } from "./validate.ts";

/** Finds each mistake with its JSON pointer. The fields of the collections are without mistakes. */
export function checkRules(dataPackage: unknown, collections: readonly Collection[]): Mistake[] {
  const mistakes: Mistake[] = [];
  const report: ReportMistake = (path, message) => void mistakes.push({ path, message });
  const { resources, timeZone } = dataPackage as { resources: readonly unknown[]; timeZone?: unknown };
  if (typeof timeZone === "string" && !isTimeZone(timeZone))
    report("/timeZone", `"${timeZone}" is no time zone; write a name of the IANA database, such as Europe/Berlin`);
  for (const [i, resource] of resources.entries()) {
    const { name, rules } = isObject(resource) ? resource : {};
    const own = collections.find((one) => one.name === name);
    if (!own) continue;
    checkConditions(resource, own, `/resources/${i}/schema/fields`, report);
    checkDefaults(resource, own, `/resources/${i}/schema/fields`, report);
    checkFormulas(resource, own, `/resources/${i}/schema/fields`, report);
    if (!Array.isArray(rules)) continue;
    const names = new Set<unknown>();
    for (const [k, rule] of rules.entries()) {
      if (!isObject(rule)) continue;
      const path = `/resources/${i}/rules/${k}`;
      if (names.has(rule.name)) report(`${path}/name`, `a second rule is named "${rule.name}"; choose another name`);
      names.add(rule.name);
      if (rule.name === "all" && rule.severity === "warning")
        report(`${path}/name`, '"all" means every warning where they are confirmed; choose another name');
      checkCondition(rule.when, own.fields, `${path}/when`, report);
      const demand = checkCondition(rule.must, own.fields, `${path}/must`, report);
      checkFields(rule.fields, own.fields, `${path}/fields`, report);
      if (rule.fields === undefined && demand?.reads.size === 0)
        report(`${path}/fields`, "is missing: the rule reads no field, so it must say at which its message stands");
    }
  }
  return mistakes;
}

function checkConditions(resource: unknown, { byName, fields, key }: Collection, path: string, report: ReportMistake): void {
  for (const [i, { name }] of (resource as PackageResource).schema.fields.entries()) {
    const field = byName.get(name);
    if (!field) continue;
    const conditions = [
      ...CONDITIONS.map((word) => [word, field[word]] as const),
      ...(field.choicesIf ?? []).map(({ when }, k) => [`choicesIf/${k}/when`, when] as const),
    ].filter(([, source]) => source !== undefined);
    const [first] = conditions;
    if (first && field === key) report(`${path}/${i}/${first[0]}`, "must be left out: every record has its key, which the service gives");
    for (const [word, source] of conditions) {
      const compiled = checkCondition(source, fields, `${path}/${i}/${word}`, report);
      if (word === "visibleIf" && compiled?.reads.has(name)) report(`${path}/${i}/${word}`, "must look at other fields than its own");
    }
  }
}

function checkDefaults(resource: unknown, { byName, fields, key }: Collection, path: string, report: ReportMistake): void {
  for (const [i, { name }] of (resource as PackageResource).schema.fields.entries()) {
    const field = byName.get(name);
    const source = field?.default;
    if (!field || source === undefined) continue;
    const refuse = (message: string) => report(`${path}/${i}/default`, message);
    if (field === key || field.unique || field.reference) refuse("must be left out: keys, unique fields and references have no default");
    const compiled = compileChecked(source, fields, `${path}/${i}/default`, report);
    if (!compiled) continue;
    const { type, reads, readsOld } = compiled;
    const isConstant = reads.size === 0 && !compiled.readsMe && !compiled.readsToday;
    const isTime = isConstant && type === "text"; // "2026-01-31" is checked as a value below
    if (type !== typeOfField(field) && !isTime) refuse(`must be of the field's type, ${typeOfField(field)}, and this is of type ${type}`);
    const other = [...reads].find((one) => (byName.get(one)?.default ?? byName.get(one)?.computed) !== undefined);
    if (readsOld) refuse("must not read old: a new record has no values that were stored before");
    else if (other !== undefined) refuse(`must read fields without a default or a formula, and "${other}" has one`);
    const value = isConstant ? compiled.run({ record: {}, old: null, me: null, today: "" }) : null;
    const given = value === null ? null : (KIND_TRAITS[field.kind].fromJson(value) ?? value);
    // Whoever may only see the field has it read-only: it gets its default all the same.
    const checked = given === null ? null : validateValue({ ...field, readOnly: false }, given, "json");
    if (isProblem(checked)) refuse(checked.message);
  }
}

function checkFormulas(resource: unknown, collection: Collection, path: string, report: ReportMistake): void {
  const { byName, fields } = collection;
  const given = (resource as PackageResource).schema.fields;
  for (const [i, { name, constraints }] of given.entries()) {
    const field = byName.get(name);
    if (field?.computed === undefined) continue;
    const at = `${path}/${i}`;
    const none = (place: string) => report(`${at}/${place}`, "must be left out: the value is computed");
    for (const word of ["required", "unique"]) if (isObject(constraints) && constraints[word] === true) none(`constraints/${word}`);
    for (const word of ["requiredIf", "choicesIf", "default", "sticky"] as const) if (field[word] !== undefined) none(word);
    const why = whyNoFormula(field, collection);
    if (why !== undefined) report(`${at}/computed`, why);
  }
  const ordered = orderFormulas(fields);
  if (!("circle" in ordered)) return;
  const [first = ""] = ordered.circle;
  const others = ordered.circle.length === 1 ? `"${first}" itself` : ordered.circle.map((name) => `"${name}"`).join(" and ");
  report(`${path}/${given.findIndex(({ name }) => name === first)}/computed`, `must not go in a circle: it is computed of ${others}`);
}

function whyNoFormula(field: Field, { fields, key, references }: Collection): string | undefined {
  if (field === key) return "must be left out: every record has its key, which the service gives";
  if (references.some((one) => one === field)) return "must be left out: the field refers to other records";
  const compiled = compileExpression(field.computed ?? "", fields);
  if (compiled.status === "wrong") return `${compiled.message} (character ${compiled.at})`;
  if (compiled.readsOld || compiled.readsMe)
    return `must not read ${compiled.readsOld ? "old" : "me"}: the value follows from the record and from today alone`;
  const wanted = typeOfField(field);
  return compiled.type === wanted ? undefined : `is ${TYPE_NAMES[compiled.type]}, and the field needs ${TYPE_NAMES[wanted]}`;
}

/** Compiles an expression that must be true or false; undefined for what is none. */
function checkCondition(source: unknown, fields: readonly Field[], path: string, report: ReportMistake): Expression | undefined {
  return compileChecked(source, fields, path, report, compileCondition);
}

/** Compiles an expression, and says what is wrong with one that is none. */
function compileChecked(
  source: unknown,
  fields: readonly Field[],
  path: string,
  report: ReportMistake,
  compile = compileExpression,
): Expression | undefined {
  if (typeof source !== "string") return undefined;
  const compiled = compile(source, fields);
  if (compiled.status === "compiled") return compiled;
  return void report(path, `${compiled.message} (character ${compiled.at})`);
}

function checkFields(given: unknown, fields: readonly Field[], path: string, report: ReportMistake): void {
  if (!Array.isArray(given)) return;
  const names = fields.map(({ name }) => name);
  for (const [i, name] of given.entries()) {
    if (typeof name !== "string" || names.includes(name)) continue;
    const meant = closest(name, names);
    report(
      `${path}/${i}`,
      `there is no field "${name}"; ${meant ? `did you mean "${meant}"?` : `there are ${names.slice(0, 12).join(", ")}`}`,
    );
  }
}

/** Finds rules and fields that read a field which nobody can fill any more. */
export function rulesOnRetired({ resources }: Package): Mistake[] {
  return resources.flatMap(({ rules, schema, retired }, i) => {
    const gone = new Set(schema.fields.flatMap((field) => (field.retired ? field.name : [])));
    if (retired || gone.size === 0) return [];
    const mistake = (what: string, names: readonly string[], path: string): Mistake[] => {
      const name = names.find((one) => gone.has(one));
      const message = `the ${what} reads "${name}", which is retired; take the ${what} out, or bring the field back`;
      return name === undefined ? [] : [{ path: `/resources/${i}/${path}`, message }];
    };
    return [
      ...schema.fields.flatMap((field, k) => (field.retired ? [] : mistake("field", namesInExpressions(field), `schema/fields/${k}`))),
      ...(Array.isArray(rules) ? rules.flatMap((rule: unknown, k) => mistake("rule", namesInRule(rule), `rules/${k}`)) : []),
    ];
  });
}
