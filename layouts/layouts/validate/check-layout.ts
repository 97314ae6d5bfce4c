// Checks what the JSON Schema cannot: overlapping places, record types, controls, columns and action codes.

import type { Collection, Mistake } from "../../../core/dictionary/collections.ts";
import type { ReportMistake } from "../../../core/dictionary/fields.ts";
import { closest } from "../../../core/text/similarity.ts";
import { missingFields } from "../../../pipeline/mapping/match-columns.ts";
import type { UploadMode } from "../../../pipeline/model/plan.ts";
import { type Codec, createCodec } from "../character-sets.ts";
import { isFloat } from "../cobol-numbers.ts";
import { readFormat } from "../dates.ts";
import { isEbcdic } from "../ebcdic.ts";
import { KINDS_IN_LAYOUTS } from "../kinds-in-layouts.ts";
import {
  ACTIONS,
  type ActionCodes,
  type BusinessDate,
  CONTROLS,
  codesOf,
  type DelimitedLayout,
  type FixedLayout,
  figurativeByte,
  type Place,
} from "../layout.ts";
import { detailOfTotal, detailsOf, fieldOfTotal } from "../select-detail.ts";
import { isZone } from "../time-zones.ts";
import { checkFields, unknownField, unknownZone } from "./check-fields.ts";
import { checkLengths } from "./check-lengths.ts";
import { checkUsages } from "./check-numerals.ts";

export function checkFixed(layout: FixedLayout, collection: Collection, mode: UploadMode): Mistake[] {
  const mistakes: Mistake[] = [];
  const report: ReportMistake = (path, message) => void mistakes.push({ path, message });
  const codec = createCodec(layout.encoding ?? "utf-8");
  checkRecords(layout, report);
  checkLengths(layout, report);
  checkTypes(layout, codec, report);
  checkPlaces(layout, report);
  checkControls(layout, codec, report);
  checkFields(layout.detail.fields, { collection, codec, encoding: layout.encoding ?? "utf-8" }, report);
  checkTotals(layout, collection, report);
  checkUsages(layout, report);
  if (layout.action) checkCodes(layout.action, report, codec, layout.action.length);
  const names = layout.detail.fields.flatMap(({ name, skip }) => (skip ? [] : name));
  checkMissing(names, collection, modeOf(mode, layout.action), "/detail/fields", report);
  return mistakes;
}

export function checkDelimited(layout: DelimitedLayout, collection: Collection, mode: UploadMode): Mistake[] {
  const mistakes: Mistake[] = [];
  const report: ReportMistake = (path, message) => void mistakes.push({ path, message });
  const { columns, action } = layout;
  const isAction = (i: number) => action !== undefined && action.column === i + 1;
  for (const [i, name] of (columns ?? []).entries()) {
    if (name === null) continue;
    if (isAction(i)) report(`/columns/${i}`, "is the action's column: say null here");
    else if (!collection.byName.has(name)) report(`/columns/${i}`, unknownField(name, collection));
    else if (columns?.indexOf(name) !== i) report(`/columns/${i}`, `${name} stands in column ${(columns?.indexOf(name) ?? 0) + 1} already`);
  }
  if (layout.headingLine === 0 && !columns)
    report("/columns", "is missing: a file without a heading does not say which column is which field");
  if (layout.headingLine === 0 && typeof action?.column === "string")
    report("/action/column", "must be a number: a file without a heading has no names");
  if (columns && typeof action?.column === "number" && action.column > columns.length) {
    report("/action/column", `there are ${columns.length} columns`);
  }
  checkDelimitedTypes(layout, collection, report);
  if (action) checkCodes(action, report);
  if (columns) checkMissing(columns, collection, modeOf(mode, action), "/columns", report);
  return mistakes;
}

function checkDelimitedTypes(layout: DelimitedLayout, { byName }: Collection, report: ReportMistake): void {
  const { detail, header, trailer, ignoredTypes = [], columns = [], headingLine = 1 } = layout;
  if (!detail && (header || trailer || ignoredTypes.length > 0))
    report("/detail", "is missing: it says which type the records have that are stored");
  if (!detail) return;
  if (headingLine !== 0) report("/headingLine", "must be 0: the first record of such a file is no heading");
  if (columns[0] !== null) report("/columns/0", "must be null: the first column says what a record is");
  const types = [detail.type, header?.type, trailer?.type, ...ignoredTypes].filter((type) => type !== undefined);
  for (const type of new Set(types))
    if (types.indexOf(type) !== types.lastIndexOf(type)) report("/detail/type", `"${type}" is the type of two kinds of records`);
  for (const [i, { of }] of (trailer?.totals ?? []).entries()) {
    const kind = byName.get(of)?.kind;
    if (!columns.includes(of)) report(`/trailer/totals/${i}/of`, `no column is called "${of}"`);
    else if (kind && !KINDS_IN_LAYOUTS[kind].hasTotal) report(`/trailer/totals/${i}/of`, `${of} is a ${kind}: only digits can be added up`);
  }
}

/** A file without a code for adding never adds a record, so that only the key is required. */
function modeOf(mode: UploadMode, action: ActionCodes | undefined): UploadMode {
  return action && codesOf(action.add).length === 0 ? "update" : mode;
}

function checkMissing(
  names: readonly (string | null)[],
  collection: Collection,
  mode: UploadMode,
  path: string,
  report: ReportMistake,
): void {
  for (const { name, title } of missingFields(collection, names, mode))
    report(path, `${name} (${title}) is required and is not here: add it`);
}

function checkRecords({ lineEnd, encoding }: FixedLayout, report: ReportMistake): void {
  if (lineEnd === "nl" && !isEbcdic(encoding)) report("/lineEnd", `nl is EBCDIC's; ${encoding ?? "utf-8"} has lf or crlf`);
}

function checkTypes(layout: FixedLayout, codec: Codec, report: ReportMistake): void {
  const { recordType, header, detail, otherDetails = [], trailer, ignoredTypes = [] } = layout;
  const types: [path: string, type: string | undefined][] = [
    ["/header/type", header?.type],
    ["/detail/type", detail.type],
    ...otherDetails.map(({ type }, i): [string, string] => [`/otherDetails/${i}/type`, type]),
    ["/trailer/type", trailer?.type],
    ...ignoredTypes.map((type, i): [string, string] => [`/ignoredTypes/${i}`, type]),
  ];
  const seen = new Map<string, string>();
  for (const [path, type] of types) {
    if (type === undefined) continue;
    const length = codec.encode(type)?.length;
    if (!recordType) report("/recordType", `is missing: ${path} says that there are types`);
    else if (length !== recordType.length)
      report(path, `"${type}" must fill the record type, which has ${count(recordType.length, "byte")}`);
    const first = seen.get(type);
    if (first !== undefined) report(path, `"${type}" is ${first} already: every kind of record needs a type of its own`);
    seen.set(type, path);
    if (!recordType) return;
  }
  if (recordType && detail.type === undefined) report("/detail/type", "is missing: recordType says that there are types");
}

type Named = Place & { path: string; called: string };

function checkPlaces(layout: FixedLayout, report: ReportMistake): void {
  const { recordType, action, header, detail, trailer } = layout;
  const shared: Named[] = recordType ? [{ ...recordType, path: "/recordType", called: "recordType" }] : [];
  const inDetail: Named[] = detail.fields.flatMap(({ name, start, length }, i) => {
    return start === undefined || length === undefined ? [] : { start, length, path: `/detail/fields/${i}`, called: name };
  });
  for (const [i, { dependingOn }] of (detail.occurs ?? []).entries())
    inDetail.push({ ...dependingOn, path: `/detail/occurs/${i}/dependingOn`, called: "the number of items" });
  if (action) inDetail.push({ ...action, path: "/action", called: "action" });
  const inHeader = CONTROLS.flatMap((name): Named[] => {
    const control = header?.[name];
    return control ? [{ ...control, path: `/header/${name}`, called: name }] : [];
  });
  const inTrailer: Named[] = (trailer?.totals ?? []).map((total, i) => ({
    ...total,
    path: `/trailer/totals/${i}`,
    called: `the total of ${total.of}`,
  }));
  if (trailer?.count) inTrailer.push({ ...trailer.count, path: "/trailer/count", called: "count" });
  for (const place of [...shared, ...inHeader, ...inDetail, ...inTrailer]) checkEnd(place, layout.recordLength, report);
  for (const group of [inHeader, inDetail, inTrailer]) checkOverlaps([...shared, ...group], report);
}

function checkEnd({ start, length, path }: Named, recordLength: number, report: ReportMistake): void {
  const end = start + length - 1;
  if (end > recordLength)
    report(path, `ends at byte ${end}, but a record has ${recordLength}: move it, make it shorter, or make recordLength longer`);
}

function checkOverlaps(places: Named[], report: ReportMistake): void {
  let widest: Named | undefined; // of the places so far, the one that ends last
  for (const place of places.sort((a, b) => a.start - b.start)) {
    if (widest && place.start < widest.start + widest.length) {
      report(
        place.path,
        `${place.called} (${bytes(place)}) overlaps ${widest.called} (${bytes(widest)}): move one of them or make it shorter`,
      );
    }
    if (!widest || place.start + place.length > widest.start + widest.length) widest = place;
  }
}

/** "bytes 12–21" */
export function bytes({ start, length }: Place): string {
  return length === 1 ? `byte ${start}` : `bytes ${start}–${start + length - 1}`;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function checkControls({ header }: FixedLayout, codec: Codec, report: ReportMistake): void {
  for (const name of CONTROLS) {
    const control = header?.[name];
    if (!control) continue;
    const { constant, pad, length } = control;
    if (pad !== undefined && figurativeByte(pad) === undefined && codec.encode(pad)?.length !== 1)
      report(`/header/${name}/pad`, "must be one byte in this encoding");
    if ("format" in control) checkBusinessDate(control, report);
    if (constant === undefined) continue;
    const needed = codec.encode(constant)?.length;
    if (needed === undefined) report(`/header/${name}/constant`, "has a character that this encoding does not have");
    else if (needed > length) report(`/header/${name}/constant`, `has ${needed} bytes; there is room for ${length}`);
  }
}

function checkBusinessDate({ format, pivot, zone }: BusinessDate, report: ReportMistake): void {
  const read = readFormat(format, pivot);
  if ("wrong" in read) report("/header/businessDate/format", read.wrong);
  else if (read.is !== "date") report("/header/businessDate/format", "must be that of a day, such as YYYYMMDD");
  if (!isZone(zone)) report("/header/businessDate/zone", unknownZone(zone));
}

function checkTotals(layout: FixedLayout, collection: Collection, report: ReportMistake): void {
  for (const [i, total] of (layout.trailer?.totals ?? []).entries()) {
    const { of } = total;
    const path = `/trailer/totals/${i}/of`;
    const detail = detailOfTotal(layout, total.type);
    if (!detail) {
      const types = detailsOf(layout).map(({ type }) => `"${type}"`);
      report(`/trailer/totals/${i}/type`, `"${total.type}" is no type of detail records; there are ${types.join(", ")}`);
      continue;
    }
    const summed = fieldOfTotal(layout, total);
    const kind = detail === layout.detail ? collection.byName.get(of)?.kind : undefined;
    if (!summed) {
      const meant = closest(
        of,
        detail.fields.map(({ name }) => name),
      );
      report(path, `no detail field with a place is called "${of}"${meant && meant !== of ? `; did you mean "${meant}"?` : ""}`);
    } else if (!summed.skip && kind && !KINDS_IN_LAYOUTS[kind].hasTotal) {
      report(path, `${of} is a ${kind}: only digits can be added up`);
    } else if (isFloat(summed.usage)) {
      report(path, `${of} is a floating-point number, whose sum would depend on the order of the records`);
    }
  }
}

function checkCodes(codes: ActionCodes, report: ReportMistake, codec?: Codec, length?: number): void {
  const seen = new Map<string, string>();
  if (ACTIONS.every((action) => codesOf(codes[action]).length === 0))
    report("/action", "has no code: say which mean add, change and delete");
  for (const action of ACTIONS) {
    for (const code of codesOf(codes[action])) {
      const other = seen.get(code);
      if (other !== undefined) report(`/action/${action}`, `"${code}" means ${other} already`);
      seen.set(code, action);
      const needed = codec?.encode(code)?.length;
      if (codec && needed !== length) report(`/action/${action}`, `"${code}" must fill ${count(length ?? 0, "byte")}`);
    }
  }
}
