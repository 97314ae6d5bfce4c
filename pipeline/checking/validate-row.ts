// Validates one row against the plan, with the user's corrections.

import type { Problem } from "../../core/contract/problems.ts";
import type { Acknowledged } from "../../core/contract/records.ts";
import { createAskOfNew, fieldsAskedOfNew, loadRules } from "../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { isPassedOver } from "../../core/dictionary/files.ts";
import { withoutRules } from "../../core/dictionary/filters.ts";
import { KIND_TRAITS, type Value } from "../../core/dictionary/kinds.ts";
import { isMask } from "../../core/dictionary/masks.ts";
import { unconfirmed } from "../../core/dictionary/rule.ts";
import { titlesOf } from "../../core/dictionary/unique-keys.ts";
import { type Fields, isProblem, isValue, validateValue, valueOfKind } from "../../core/dictionary/validate.ts";
import { dayIn } from "../../core/forms/time-zones.ts";
import { t, tCode } from "../../core/i18n/translate.ts";
import { plainCell } from "../../core/text/csv.ts";
import { isSpreadsheetError } from "../inspection/spreadsheet-damage.ts";
import { missingFields } from "../mapping/match-columns.ts";
import { createIdentity, matchFields } from "../mapping/match-records.ts";
import { addedColumns } from "../model/column-rules.ts";
import { acknowledgedBy, type Corrections, fieldsWithValues, NO_CORRECTIONS, type ParentRule } from "../model/corrections.ts";
import { hashOf, KeySet } from "../model/key-set.ts";
import type { Malformed, Plan, RowMode, RowProblem } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { type AutoFixName, contradicts, decimalSignOf, fixCell, isForm, type ReadForm } from "../model/value-fixes.ts";
import { wrongShape } from "../reading/row-shape.ts";
import { hasDecimals, mayBeThousands } from "./decimal-points.ts";

/**
 * Returns the row's problems, or undefined; then `into`, if given, holds the record. Call it once for every row in the order of
 * the file, because it remembers the keys. With a `mode` of its own, a repeated key is no problem: rows are sent in order. A
 * row that was left out has LEFT_OUT before its other problems.
 *
 * An empty cell is left out of the record, or is null where a new record would begin with a default: a new record has no value there, an existing one keeps its value. So a file with
 * gaps never wipes data, as in the importers of the large CRMs. A value is cleared in the form.
 */
export type ValidateRow = (
  row: number,
  cells: readonly string[],
  malformed: Malformed | undefined,
  into: Fields | undefined,
  mode?: RowMode,
) => RowProblem[] | undefined;

export interface ValidateOptions {
  /** Says whether an earlier row has the key, instead of the validator's own memory. */
  isRepeated?: (key: number) => boolean;
  /** Is called for each row with the key of an earlier row, where the later row wins. True: refuse the row. */
  onRepeat?: () => boolean;
  /** Is called with the index of each rule of the plan that changed a cell: an automatic fix, or after those a field with rules for values. */
  onFix?: (index: number) => void;
  /**
   * Is called with each field of a row that may update a record, where only a rule stands against the value. The row is validated as if it
   * were stored already.
   */
  onBrokenRule?: (field: string) => void;
  /** Serves a plan that has forms of dates or numbers; see `loadForms`. */
  readForm?: ReadForm | undefined;
}

/** Column → text of the cells that the user edited. */
type Edits = Readonly<Record<number, string>> | undefined;

/** A field and the column of its cell. */
interface Place {
  at: number;
  field: Field;
  isKey: boolean;
  /** The rows whose value the stored record has already: rules that were narrowed since do not refuse it (decision 0209). */
  asStored: RowSet | undefined;
  /** The plan's rules for this field, if any: automatic fixes with their indexes in the plan, and what wrong values become. */
  rules: { autoFixes: { index: number; name: AutoFixName }[]; values: Map<string, string | null>; valuesIndex: number } | undefined;
  /** Says what becomes of values by which no parent is stored, and which field refers. */
  parents: { rules: ReadonlyMap<string, ParentRule["to"]>; fills: string } | undefined;
  /** A point may stand between thousands: the column is read with decimal commas, or nothing in the file says what it means. */
  asks: "commas" | "unsure" | undefined;
  /** The decimal signs of the column's clear numbers, and of the fixes that were chosen for it. */
  signs: string;
}

/** Loads what a validator needs to ask the rules of the collection and to read the forms of the plan. Most have none of both. */
export async function loadForms({ fixes }: Plan, collection: Collection): Promise<ReadForm | undefined> {
  await loadRules(collection);
  if (!fixes?.autoFixes.some(({ name }) => isForm(name))) return undefined;
  return (await import("../../core/forms/readings.ts")).readForm;
}

export function createRowValidator(collection: Collection, plan: Plan, options: ValidateOptions = {}): ValidateRow {
  const { fixes = NO_CORRECTIONS, mode } = plan;
  const width = plan.columns.length;
  const { padding } = plan.dialect;
  const added = addedColumns(plan.rules).length;
  const isRepeated = options.isRepeated ?? createMemory();
  const isLeftOut = createLeftOut(fixes, plan.repeatsOut);
  const hasEdits = Object.keys(fixes.edits).length > 0;
  const validators = new Map<RowMode, CellValidator>();
  const validatorFor = (rowMode: RowMode): CellValidator => {
    const validateRow = validators.get(rowMode) ?? createCellValidator(collection, plan, rowMode, options);
    validators.set(rowMode, validateRow);
    return validateRow;
  };
  const own = validatorFor(mode);
  const accepted = new Set<string>(fixes.accepted);
  let suspects: CellValidator | undefined;
  return (row, given, found, into, rowMode) => {
    const malformed = typeof found === "object" && accepted.has(found.code) ? undefined : found;
    const validateRow = rowMode ? validatorFor(rowMode) : own;
    const edits = hasEdits ? fixes.edits[row] : undefined;
    const shape = wrongShape(given, { malformed, code: plan.malformed, width, added, padding });
    validateRow.key = null;
    const isWrong = shape !== undefined && !isConfirmed(edits, validateRow.places);
    const problems = isWrong ? [shape] : validateRow.cells(edits ? withCells(given, edits) : given, into, row, edits);
    if (isWrong && typeof malformed === "object" && malformed.code !== "BYTES" && malformed.code !== "RECORD") {
      // A recipe may leave out a total for the cells that it lacks. They are no record's, so nothing is counted or remembered.
      const narrow = wrongShape(given, { malformed: undefined, width, added, padding });
      suspects ??= createCellValidator(collection, plan, mode, { readForm: options.readForm });
      if (isLeftOut(row, narrow ? [narrow] : suspects.cells(given, undefined))) return [leftOutByUser(), shape];
    }
    if (isLeftOut(row, problems)) return [leftOutByUser(), ...(problems ?? [])];
    if (plan.repeatsOut && problems) return problems; // it keeps no other row out
    if (typeof validateRow.key !== "number" || !isRepeated(validateRow.key)) return problems;
    if ((rowMode || mode !== "create") && !options.onRepeat?.()) return problems;
    const all = [...(problems ?? []), repeated(matchFields(collection, plan.matchBy))];
    return isLeftOut(row, all) ? [leftOutByUser(), ...all] : all;
  };
}

interface CellValidator {
  places: readonly Place[];
  /** The key of the latest row, if its cell is valid. */
  key: Value | null;
  cells(cells: readonly string[], into: Fields | undefined, row?: number, edits?: Edits): RowProblem[] | undefined;
}

function createCellValidator(collection: Collection, plan: Plan, mode: RowMode, options: ValidateOptions): CellValidator {
  const places = placesOf(collection, plan, mode);
  const lacking = missingFields(collection, plan.columns, mode, plan.matchBy).map(
    (field) => validateValue({ ...field, required: true }, null, "text") as Problem,
  );
  // Nobody knows here what is stored of a record that a row may change, so the service's preview asks the rules then.
  const asksRules = collection.hasRules === true && mode === "create";
  const today = dayIn(collection.timeZone ?? "UTC", Date.now());
  const acknowledged = acknowledgedBy(plan.fixes);
  const askOfNew = asksRules ? createAskOfNew(collection) : () => [];
  const identityOf = plan.matchBy === undefined ? undefined : createIdentity(collection, plan.matchBy);
  const clears = plan.clears && mode !== "create";
  const read = asksRules || identityOf ? fieldsRead(collection, identityOf !== undefined) : undefined;
  const begin = createBeginning(read);
  const isRead = places.map(({ field, parents }) => !read || read.has(field.name) || (parents !== undefined && read.has(parents.fills)));
  const validateRow: CellValidator = {
    places,
    key: null,
    cells(cells, kept, row, edits) {
      if (identityOf) validateRow.key = null;
      const into = kept ?? (asksRules || identityOf ? begin() : undefined);
      let problems: RowProblem[] | undefined = lacking.length > 0 ? [...lacking] : undefined;
      for (let i = 0; i < places.length; i++) {
        const place = places[i] as Place;
        const given = cells[place.at] ?? "";
        const cell = plainCell(given, plan.dialect.isExact);
        if (place.field.masked && isMask(cell)) continue; // out of a list that was exported: what it covers stays
        let validated = isSpreadsheetError(cell) ? noValue(place.field, cell) : validateValue(place.field, cell, "text");
        if (place.asks && !isProblem(validated) && mayBeThousands(cell, plan.dialect) && isValidAs(cell.replace(".", ""), place))
          validated = readTwoWays(place);
        if (isProblem(validated)) {
          const kept = edits?.[place.at] === undefined ? unchangedValue(place, validated, { cell, row, mode, options }) : undefined;
          const corrected = kept === undefined ? place.rules && fixCells(place, cell, options) : kept;
          if (corrected === undefined) {
            const problem = describe(validated, place, cell);
            if (problems) problems.push(problem);
            else problems = [problem];
            continue;
          }
          validated = corrected;
        }
        const staysEmpty = mode === "create" ? place.field.default !== undefined : clears && !place.isKey;
        if (validated === null && !staysEmpty) continue;
        if (place.isKey && !identityOf) validateRow.key = validated;
        const parent = place.parents?.rules.get(String(validated));
        if (parent === null) problems = [...(problems ?? []), parentMissing(place.field)];
        else if (!kept && !isRead[i]) continue;
        else if (into && typeof parent === "number") into[place.parents?.fills ?? ""] = parent;
        else if (into) into[place.field.name] = validated;
      }
      const identity = into && identityOf?.(into);
      if (identity !== undefined) validateRow.key = hashOf(String(identity));
      if (asksRules && into && !problems) problems = describeBroken(askOfNew(into, today), acknowledged);
      return problems;
    },
  };
  return validateRow;
}

/** Says what is read of a row whose record nobody keeps: the names of fields, undefined for all of them. */
function fieldsRead(collection: Collection, isMatched: boolean): ReadonlySet<string> | undefined {
  const hasDefaults = collection.fields.some((field) => field.default !== undefined);
  return isMatched || hasDefaults ? undefined : fieldsAskedOfNew(collection);
}

/** Begins such records. A new object takes as long as some rules, so all rows share one, unless all of it is read. */
function createBeginning(read: ReadonlySet<string> | undefined): () => Fields {
  if (!read) return () => ({});
  const names = [...read];
  const shared: Fields = {};
  return () => {
    for (let i = 0; i < names.length; i++) shared[names[i] as string] = null;
    return shared;
  };
}

/**
 * Reports one problem for each rule that a new record breaks, at the first of its fields, and for each condition and computed value of a
 * field. Rules about who saves are asked by the service alone.
 */
function describeBroken(asked: readonly Problem[], acknowledged: Acknowledged): RowProblem[] | undefined {
  if (asked.length === 0) return undefined;
  const broken = unconfirmed(asked, acknowledged);
  if (broken.length === 0) return undefined;
  const first = broken.filter(({ rule }, i) => rule === undefined || broken.findIndex((other) => other.rule === rule) === i);
  return first.map((problem) => ({ field: problem.field, code: groupCodeOf(problem), message: problem.message }));
}

/** A condition looks at other values, too, so it is a group as a rule is. The names of rules have no point. */
function groupCodeOf({ code, rule, constraint, field }: Problem): RowProblem["code"] {
  if (rule !== undefined) return code === "WARNING" ? `WARNING.${rule}` : `RULE.${rule}`;
  return constraint === undefined ? code : `RULE.${field}.${constraint}`;
}

/** The codes of rules that may have been others when a record was stored. */
const RULES: ReadonlySet<string> = new Set(
  "REQUIRED CHARACTERS TOO_SHORT TOO_LONG TOO_SMALL TOO_LARGE TOO_PRECISE PATTERN ENUM READ_ONLY".split(" "),
);

/** Says whether a record may be stored with such a value: a rule stands against it, and not its kind. A key is never stored empty. */
export function mayBeStored(code: string, field: Field, isKey: boolean): boolean {
  if (code === "TOO_PRECISE") return field.decimals !== undefined; // otherwise the kind itself holds no more digits
  return RULES.has(code) && !(isKey && code === "REQUIRED");
}

/** Returns the value of a cell that breaks a rule, where the stored record has the same one; an empty cell leaves what is stored. */
function unchangedValue(
  { field, isKey, asStored }: Place,
  { code }: Problem,
  { cell, row, mode, options }: { cell: string; row: number | undefined; mode: RowMode; options: ValidateOptions },
): Value | null | undefined {
  const isAsked = options.onBrokenRule !== undefined && (mode === "update" || mode === "upsert");
  if (!mayBeStored(code, field, isKey) || !(isAsked || (row !== undefined && asStored?.has(row)))) return undefined;
  const value = valueOfKind(field, cell, "text");
  if (isProblem(value)) return undefined;
  if (isAsked) options.onBrokenRule?.(field.name);
  return value;
}

/** Returns the value after the first of the plan's rules that helps. */
function fixCells({ field, rules, signs }: Place, cell: string, { onFix, readForm }: ValidateOptions): Value | null | undefined {
  const to = rules?.values.get(cell.trim());
  if (typeof to === "string") {
    const value = validateValue(field, to, "text");
    if (!isProblem(value)) {
      onFix?.(rules?.valuesIndex as number);
      return value;
    }
  }
  for (const { index, name } of rules?.autoFixes ?? []) {
    const value = contradicts(name, cell, signs) ? undefined : fixCell(name, field, cell, readForm);
    if (value === undefined) continue;
    onFix?.(index);
    return value;
  }
  return undefined;
}

function describe(problem: Problem, { field, rules }: Place, cell: string): RowProblem {
  const described: RowProblem = KIND_TRAITS[field.kind].isWhole && problem.code === "KIND" && DAMAGED.test(cell) ? damaged(field) : problem;
  if (rules?.values.get(cell.trim()) === null) described.isOut = true; // the validator's own object, which was made for this cell
  return described;
}

function placesOf(collection: Collection, plan: Plan, mode: RowMode): Place[] {
  const fixes = plan.fixes ?? NO_CORRECTIONS;
  const fields = fieldsWithValues(fixes);
  return collection.fields.flatMap((each) => {
    const at = plan.columns.indexOf(each.name);
    if (collection.parentFields?.has(each.name)) return []; // its cells are the parent's
    if (at === -1 || isPassedOver(each) || (mode === "delete" && each !== collection.key)) return [];
    const autoFixes = fixes.autoFixes.flatMap(({ field, name }, index) => (field === each.name ? { index, name } : []));
    const values = new Map(fixes.values?.flatMap(({ field, from, to }) => (field === each.name ? [[from, to]] : [])));
    const valuesIndex = fixes.autoFixes.length + fields.indexOf(each.name);
    const rules = autoFixes.length + values.size > 0 ? { autoFixes, values, valuesIndex } : undefined;
    const hasCommas = hasDecimals(each) && autoFixes.some(({ name }) => DECIMAL_COMMA.test(name));
    const inFile = plan.decimalSigns?.[each.name] ?? "";
    const isUnsure = plan.unsurePoints?.includes(each.name);
    const asks = hasCommas || (isUnsure && inFile.includes(",")) ? "commas" : isUnsure ? "unsure" : undefined;
    const signs = hasDecimals(each) ? inFile + autoFixes.map(({ name }) => decimalSignOf(name)).join("") : "";
    const field = fieldIn(mode, collection, requiredIn(collection, plan, each), plan.matchBy);
    const bits = plan.asStored?.[each.name];
    const asStored = bits && RowSet.of(Uint32Array.from(bits));
    const ofParents = fixes.parents?.flatMap(({ field: name, from, to }) => (name === each.name ? [[from, to] as const] : [])) ?? [];
    const fills = collection.lookups.get(each.name)?.fills ?? each.name;
    const parents = ofParents.length > 0 ? { rules: new Map(ofParents), fills } : undefined;
    return [{ at, field, isKey: each === collection.key, asStored, rules, parents, asks, signs }];
  });
}

/** A column that alone says which parent is meant must do so, if the reference is required. */
function requiredIn({ lookups, byName }: Collection, { columns }: Plan, field: Field): Field {
  const { fills = "" } = lookups.get(field.name) ?? {};
  const isNeeded = byName.get(fills)?.required && !columns.includes(fills);
  return isNeeded ? { ...field, required: true } : field;
}

/** Says what a mode requires: an update what names the record, a delete nothing but the key. What names a stored record is held to no rule of today. */
export function fieldIn(mode: RowMode, collection: Collection, field: Field, matchBy?: string): Field {
  const { lookups } = collection;
  const isOfStored = mode === "update" || mode === "delete";
  const naming = matchFields(collection, mode === "delete" ? undefined : matchBy);
  const names = isOfStored && naming.some((one) => one.name === (lookups.get(field.name)?.fills ?? field.name));
  const named = lookups.has(field.name) || names ? { ...withoutRules(field), required: field.required } : field;
  return isOfStored ? { ...named, required: names } : named;
}

function createMemory(): (key: number) => boolean {
  const keys = new KeySet();
  return (key) => !keys.add(key);
}

function createLeftOut(
  { leftOut, leftOutGroups, refused, values, parents, similar = {} }: Corrections,
  repeatsOut: Plan["repeatsOut"],
): (row: number, problems: readonly RowProblem[] | undefined) => boolean {
  const hasValues = [...(values ?? []), ...(parents ?? [])].some(({ to }) => to === null);
  const similarOut = Object.entries(similar).flatMap(([row, to]) => (to === null ? [Number(row)] : []));
  const some = leftOut.length + leftOutGroups.length + similarOut.length;
  if (some === 0 && !refused && !repeatsOut && !hasValues) return () => false;
  const repeated = repeatsOut && RowSet.of(Uint32Array.from(repeatsOut));
  const refusedRows = refused && RowSet.of(refused);
  const rows = new Set([...leftOut, ...similarOut]);
  const groups = new Set(leftOutGroups.map(groupKey));
  return (row, problems) =>
    rows.has(row) ||
    refusedRows?.has(row) ||
    repeated?.has(row) ||
    (problems?.some((problem) => problem.isOut || groups.has(groupKey(problem))) ?? false);
}

/** Problems with the same field and code are listed, corrected and left out together. */
export function groupKey({ field, code }: { field: string; code: string }): string {
  return `${field} ${code}`;
}

export function withCells(cells: readonly string[], edits: Readonly<Record<number, string>>): string[] {
  const next = [...cells];
  for (const column in edits) {
    while (next.length < Number(column)) next.push("");
    next[Number(column)] = edits[column] as string;
  }
  return next;
}

/**
 * In a row of another width, or with a malformed quote, nobody knows which cell is which, so one edit does not make it valid.
 * It counts as valid once the user has confirmed every cell.
 */
function isConfirmed(edits: Readonly<Record<number, string>> | undefined, places: readonly Place[]): boolean {
  return edits !== undefined && places.every(({ at }) => at in edits);
}

function leftOutByUser(): RowProblem {
  return { field: "", code: "LEFT_OUT", message: t("You left this row out.") };
}

function repeated(fields: readonly Field[]): RowProblem {
  const message = t("An earlier row of this file has the same {key}.", { key: titlesOf(fields) });
  return { field: fields[0]?.name ?? "", code: "DUPLICATE", message };
}

/** The user left out the rows with this value. */
function parentMissing({ name, title }: Field): RowProblem {
  const message = tCode("REFERENCE_NOT_FOUND", `${title}: no record has this value.`, { field: title });
  return { field: name, code: "REFERENCE_NOT_FOUND", message, isOut: true };
}

const DAMAGED = /^\s*[+-]?[0-9]+([.,][0-9]+)?E\+?[0-9]+\s*$/i; // 5,58E+12

function damaged(field: Field): RowProblem {
  const message = t("{title} has lost its last digits in a spreadsheet. Export the column as text, or type the number.", {
    title: field.title,
  });
  return { field: field.name, code: "DAMAGED", message };
}

const DECIMAL_COMMA = /^number:,[^?]*$/; // a form that was chosen for clear cells

function isValidAs(text: string, { field }: Place): boolean {
  return isValue(validateValue(field, text, "text"));
}

/** The number would be valid as it stands. In its column it may mean a thousand times as much. */
function readTwoWays({ asks, field: { name, title } }: Place): Problem {
  const message =
    asks === "commas"
      ? t(
          "{title} can be read in two ways: the point is a decimal sign, or it stands between thousands, as other cells have decimal commas.",
          { title },
        )
      : t("{title} can be read in two ways: the point is a decimal sign, or it stands between thousands. Nothing in the file says which.", {
          title,
        });
  return { field: name, code: "AMBIGUOUS" as Problem["code"], message };
}

/** Reports a formula that gave no value. Its sign is no text that anybody typed. */
function noValue({ name, title }: Field, cell: string): Problem {
  const text = t("{title} holds the error {cell} of a spreadsheet. Correct the formula there, or type the value.", { title, cell });
  return { field: name, code: "DAMAGED" as Problem["code"], message: text };
}

export function describeProblems(problems: readonly Pick<Problem, "message">[]): string {
  return problems.map(({ message }) => message).join(" ");
}
