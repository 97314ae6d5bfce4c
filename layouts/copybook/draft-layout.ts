// Drafts a layout from a copybook, and the fields of a dictionary or the match with one that is there.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Kind } from "../../core/dictionary/kinds.ts";
import { matchHeader } from "../../pipeline/mapping/match-columns.ts";
import type { LayoutEncoding } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import { KINDS_IN_LAYOUTS } from "../layouts/kinds-in-layouts.ts";
import type { Detail, FixedLayout, Header, ItemRecords, LayoutField, OtherDetail, Trailer, VariableTable } from "../layouts/layout.ts";
import { INCLUDES, readEntries, WrongCopybook } from "./data-entries.ts";
import { draftTable, freeName, noteTable, variableTables } from "./draft-tables.ts";
import { describeField, type FieldDescriptor, kindOf, noteConditions, placeField } from "./field-draft.ts";
import { collectionName, fieldNames, singularOf, titleOf } from "./names.ts";
import { buildRecords, type CopybookRecord, type Item } from "./record-tree.ts";
import { leavesOf, type RecordRoles, rolesOf, type TypedRecord } from "./record-types.ts";
import { leave, type Note, nameOf, takeItems } from "./take-items.ts";
import { type Unsure, unsurePlaces } from "./unsure-places.ts";

export interface DraftOptions {
  encoding: LayoutEncoding;
  /** The name of the record with the data, where a copybook has several. */
  record: string | undefined;
  /** Its fields are matched; undefined for a new collection. */
  collection: Collection | undefined;
  /** The name of a new collection; undefined: from the name of the record. */
  name: string | undefined;
}

export interface Draft {
  /** The name of the record with the data. */
  record: string;
  layout: FixedLayout;
  /** A data package with the new collection; undefined when a collection was given. */
  dataPackage: unknown;
  /** They say what was not taken over, and what is a guess; by the lines of the copybook. */
  notes: Note[];
  /** Says from which byte on the places of its records are not certain. */
  unsure: Unsure[];
}

/** An item with its name and kind in the collection. */
interface Match {
  item: Item;
  name: string;
  kind: Kind;
  isKey: boolean;
}

/** Drafts the layout, or says in a sentence why there is none. */
export function draftLayout(text: string, options: DraftOptions): Draft | string {
  const read = tryEntries(text);
  if (typeof read === "string") return read;
  const { entries, title, ignored } = read;
  const { records, others } = buildRecords(entries, { isMainframe: isEbcdic(options.encoding) });
  const wanted = options.record?.toUpperCase();
  const roles = rolesOf(records, wanted);
  if (!roles) return noRecord(records, wanted);
  const { record } = roles.detail;
  const notes: Note[] = [];
  for (const { line, word } of ignored) if (!QUIET.test(word)) notes.push({ line, sentence: ignoredSentence(word) });
  for (const { line, name, level } of others)
    notes.push({ line, sentence: `${name} (level ${level}) is not taken over: it is no part of a record.` });
  const taken = new Set<string>();
  const detail = draftDetail(roles.detail, { ...options, title, taken }, notes);
  // Where several records have data, one was named, or a collection for one of them: then the others have a layout of their own.
  const isOnly = options.record !== undefined || options.collection !== undefined;
  const more = isOnly ? [] : roles.others.filter((other) => hasTypeOf(other, roles.detail));
  const otherDetails = more.map((other) => draftDetail(other, { ...options, title: "", name: undefined, taken }, notes));
  for (const other of roles.others) if (!more.includes(other)) notes.push(otherRecord(other.record));
  const layout = assemble(
    { ...roles, others: roles.others.filter((other) => !more.includes(other)) },
    detail,
    otherDetails,
    options,
    title,
    notes,
  );
  const used = [roles.header, roles.detail, roles.trailer, ...more].flatMap((one) => one?.record ?? []);
  const unsure = unsurePlaces(used, read);
  const resources = [detail, ...otherDetails].flatMap((one) => one.resources);
  const dataPackage = options.collection ? undefined : { $schema: DATA_PACKAGE, name: "intake", resources };
  return { record: record.name, layout, dataPackage, notes: notes.sort((a, b) => a.line - b.line), unsure };
}

function tryEntries(text: string): ReturnType<typeof readEntries> | string {
  try {
    return readEntries(text);
  } catch (error) {
    if (error instanceof WrongCopybook) return error.message;
    throw error;
  }
}

const DATA_PACKAGE = "https://datapackage.org/profiles/2.0/datapackage.json";

/** One kind of records: its collection, its entry in the layout, and what a new dictionary says of it and of its tables. */
interface DetailDraft {
  typed: TypedRecord;
  collection: string;
  matches: Match[];
  occurs: VariableTable[];
  children: ItemRecords[];
  resources: unknown[];
}

function draftDetail(typed: TypedRecord, options: DraftOptions & { title: string; taken: Set<string> }, notes: Note[]): DetailDraft {
  const { record, type } = typed;
  const { items, tables, notes: own } = takeItems(record.item);
  notes.push(...own);
  const occurs = variableTables(tables, items, notes);
  const counters = new Set(occurs.map(({ dependingOn }) => dependingOn.start)); // how many items there are, which is no field
  const wholes = items.filter(({ entry, start }) => entry !== type?.item.entry && !counters.has(start));
  if (options.collection) {
    for (const table of tables) noteTable(table, notes);
    const matches = matchItems(wholes, options.collection, notes);
    return { typed, collection: options.collection.name, matches, occurs, children: [], resources: [] };
  }
  const name = freeName(options.name ?? collectionName(record.name), options.taken);
  const { matches, resource } = newCollection(wholes, { record, name, title: options.title }, notes);
  const key = matches.find(({ isKey }) => isKey);
  const drafts = tables.flatMap((table) => draftTable(table, { collection: name, key }, options.taken, notes) ?? []);
  const children = drafts.map(({ records }) => records);
  return { typed, collection: name, matches, occurs, children, resources: [resource, ...drafts.map((draft) => draft.resource)] };
}

function hasTypeOf({ type }: TypedRecord, { type: other }: TypedRecord): boolean {
  return type !== undefined && type.item.start === other?.item.start && type.item.length === other.item.length;
}

/** Words of a program around its data, which mean nothing here. */
const QUIET =
  /^(IDENTIFICATION|ID|ENVIRONMENT|DATA|PROCEDURE|CONFIGURATION|INPUT-OUTPUT|FILE|FILE-CONTROL|WORKING-STORAGE|LINKAGE|LOCAL-STORAGE|PROGRAM-ID|AUTHOR|FD|SD|SELECT|SPECIAL-NAMES|SOURCE-COMPUTER|OBJECT-COMPUTER|SKIP[123]|EJECT)$/;

function ignoredSentence(word: string): string {
  return INCLUDES.test(word)
    ? `${word} brings in text from elsewhere, which is not followed: put that text in its place.`
    : `${word} is no entry of a record and is left out.`;
}

function noRecord(records: readonly CopybookRecord[], wanted: string | undefined): string {
  const names = records.map(({ name }) => name).join(", ");
  if (records.length === 0) return "It has no entry such as: 05 NAME PIC X(20).";
  return wanted === undefined
    ? `It has only records that look like a header or trailer: ${names}. Say with --record which one has the data.`
    : `It has no record ${wanted}. It has ${names}.`;
}

function otherRecord({ name, item }: CopybookRecord): Note {
  return { line: item.entry.line, sentence: `${name} is another record. Make a layout of its own for it with --record ${name}.` };
}

const KEY_NAME = /(^|-)(ID|NO|NR|NUM|NUMBER|NBR|KEY)$/;

function newCollection(
  items: readonly Item[],
  { record, name, title }: { record: CopybookRecord; name: string; title: string },
  notes: Note[],
): { matches: Match[]; resource: unknown } {
  const names = fieldNames(items.map(({ entry }) => entry.name));
  const isNumber = (item: Item) => kindOf(item) === "integer" && item.storage?.picture?.isSigned === false && item.conditions.length === 0;
  const key = items.findIndex((item) => isNumber(item) && KEY_NAME.test(item.entry.name));
  const matches = items.map((item, i) => ({ item, name: names[i] as string, kind: kindOf(item), isKey: i === key }));
  const fields: FieldDescriptor[] = matches.map(({ item, name, kind, isKey }) => describeField(item, name, kind, isKey));
  for (const { item } of matches) noteConditions(item, notes);
  let primaryKey = names[key];
  if (primaryKey === undefined) {
    primaryKey = names.includes("id") ? "recordId" : "id";
    fields.unshift({ name: primaryKey, title: titleOf(primaryKey), type: "integer", constraints: { unique: true, minimum: 1 } });
    const sentence = `No item of ${record.name} looks like the number of the record, so the service gives each record one: ${primaryKey}.`;
    notes.push({ line: record.item.entry.line, sentence });
  }
  const description = title || record.item.entry.comment;
  const resource = {
    name,
    title: titleOf(name),
    ...(description !== "" && { description }),
    singular: singularOf(name),
    schema: { fields, primaryKey },
  };
  return { matches, resource };
}

/** Matches by name, title and alias, as the headings of a file are. */
function matchItems(items: readonly Item[], collection: Collection, notes: Note[]): Match[] {
  const names = fieldNames(items.map(({ entry }) => entry.name));
  const found = matchHeader(collection, names.map(titleOf));
  return items.flatMap((item, i) => {
    const field = collection.byName.get(found[i] ?? "");
    const { picture, keys } = item.storage ?? {};
    if (field && picture?.kind === "edited" && !keys?.picture && KINDS_IN_LAYOUTS[field.kind].isNumeric) {
      leave(item, `is edited for printing (${item.entry.picture}), and cannot be written as ${field.name}: ask for a plain number.`, {
        notes,
      });
      return [];
    }
    if (KINDS_IN_LAYOUTS[field?.kind ?? "string"].format !== "date") noteConditions(item, notes);
    if (field) return [{ item, name: field.name, kind: field.kind, isKey: field === collection.key }];
    const entry = JSON.stringify(placeField(item, "…", kindOf(item), false, []));
    notes.push({ line: item.entry.line, sentence: `${nameOf(item)} matches no field of ${collection.name}. Its entry would be ${entry}` });
    return [];
  });
}

function assemble(
  { header, trailer, others }: RecordRoles,
  detail: DetailDraft,
  otherDetails: readonly DetailDraft[],
  { encoding }: DraftOptions,
  title: string,
  notes: Note[],
): FixedLayout {
  const own = detail.typed;
  const all = [detail, ...otherDetails];
  const kinds = [header, ...all.map(({ typed }) => typed), trailer].flatMap((one) => one ?? []);
  const lengths = kinds.map(({ record }) => record.length);
  const recordLength = Math.max(...lengths);
  const isVariable = all.some(({ occurs }) => occurs.length > 0);
  if (!isVariable && lengths.some((length) => length !== recordLength)) {
    const different = [...new Set(lengths)].sort((a, b) => a - b).join(" and ");
    const sentence = `The records of this copybook have ${different} bytes; the layout takes ${recordLength} for each. Look at a file to see whether the shorter ones are filled up.`;
    notes.push({ line: own.record.item.entry.line, sentence });
  }
  const read = trailer && readTrailer(leavesOf(trailer.record.item), detail.matches, notes);
  const isTyped = Boolean(header || trailer || otherDetails.length > 0 || others.some((one) => hasTypeOf(one, own)));
  const ignoredTypes = isTyped ? others.flatMap((one) => (hasTypeOf(one, own) ? (one.type?.code ?? []) : [])) : [];
  const detailOf = (one: DetailDraft): Detail => ({
    ...(isTyped && one.typed.type && { type: one.typed.type.code }),
    fields: one.matches.map(({ item, name, kind, isKey }) => placeField(item, name, kind, isKey, notes)),
    ...(one.occurs.length > 0 && { occurs: one.occurs }),
    ...(one.children.length > 0 && { children: one.children }),
  });
  const details = all.map(detailOf);
  const places = details.flatMap(({ fields, children = [], occurs = [] }) => [
    ...fields,
    ...children.flatMap((child) => child.fields),
    ...occurs.map(({ dependingOn }) => dependingOn),
  ]);
  const isBinary =
    isEbcdic(encoding) ||
    [...places, read?.count, ...(read?.totals ?? [])].some((place) => place?.usage ?? (place as LayoutField | undefined)?.encoding);
  const length = isVariable ? lengthForm(isEbcdic(encoding), isBinary) : {};
  if (isVariable) {
    const how = Object.entries(length).map((pair) => pair.join(" "))[0];
    const sentence = `The records of ${own.record.name} have different lengths: ${how} is a guess. See “Records of variable length” in docs/layouts.md.`;
    notes.push({ line: own.record.item.entry.line, sentence });
  }
  return {
    kind: "fixed",
    title: title || titleOf(detail.collection),
    collection: detail.collection,
    encoding,
    recordLength,
    lineEnd: isBinary ? "none" : "lf",
    ...length,
    ...(isTyped && own.type && { recordType: { start: own.type.item.start, length: own.type.item.length } }),
    ...(header?.type && { header: { type: header.type.code, ...readHeader(leavesOf(header.record.item)) } }),
    detail: details[0] as Detail,
    ...(otherDetails.length > 0 && {
      otherDetails: otherDetails.map(({ collection }, i) => ({ collection, ...(details[i + 1] as Detail) }) as OtherDetail),
    }),
    ...(trailer?.type && { trailer: { type: trailer.type.code, ...read } }),
    ...(ignoredTypes.length > 0 && { ignoredTypes }),
  };
}

/** Says how a file of such records says where one ends: on a mainframe by descriptor words, elsewhere as GnuCOBOL does, or by lines. */
function lengthForm(isMainframe: boolean, isBinary: boolean): Pick<FixedLayout, "recordFormat" | "trimmed"> {
  if (isMainframe) return { recordFormat: "rdw" };
  return isBinary ? { recordFormat: "gnucobol-0" } : { trimmed: true };
}

const CONTROLS: readonly [name: "sender" | "fileId" | "sequence", pattern: RegExp][] = [
  ["sender", /(^|-)(SENDER|SOURCE|SYSTEM|ORIGIN|FROM)(-|$)/],
  ["sequence", /(^|-)(SEQ|SEQUENCE|SEQNO|RUN)(-|$)/],
  ["fileId", /(^|-)(FILE|FILEID|FILENAME)(-|$)/],
];

function readHeader(items: readonly Item[]): Omit<Header, "type"> {
  const header: Omit<Header, "type"> = {};
  for (const { entry, start, length, storage } of items) {
    const name = CONTROLS.find(([name, pattern]) => pattern.test(entry.name) && !header[name])?.[0];
    if (name && (storage?.keys.usage ?? storage?.keys.encoding) === undefined) header[name] = { start, length };
  }
  return header;
}

const COUNT = /(^|-)(COUNT|CNT|RECORDS|RECS)(-|$)/;
const TOTAL = /(^|-)(HASH|TOTAL|TOT|SUM|AMOUNT|AMT)(-|$)/;

/** A total is the sum of the field whose name it has a word of, or else of the key. */
function readTrailer(items: readonly Item[], matches: readonly Match[], notes: Note[]): Omit<Trailer, "type"> {
  const trailer: { count?: NonNullable<Trailer["count"]>; totals: NonNullable<Trailer["totals"]>[number][] } = { totals: [] };
  const numbers = matches.filter(({ item }) => item.storage?.picture?.kind === "numeric");
  for (const item of items) {
    const { entry, start, length, storage } = item;
    if (storage?.picture?.kind !== "numeric" || storage.keys.sign || storage.unreadable) continue;
    const place = { start, length, ...(storage.keys.usage && { usage: storage.keys.usage }) };
    if (COUNT.test(entry.name) && !trailer.count) trailer.count = place;
    else if (TOTAL.test(entry.name)) {
      const of = totalled(entry.name, numbers);
      if (of) trailer.totals.push({ of: of.name, ...place });
      const meant = of ? `is taken to be the sum of ${of.name}` : 'looks like a total: add it to "totals" with the field that it adds up';
      notes.push({ line: entry.line, sentence: `${nameOf(item)} ${meant}.` });
    }
  }
  const { count, totals } = trailer;
  return { ...(count && { count }), ...(totals.length > 0 && { totals }) };
}

function totalled(name: string, numbers: readonly Match[]): Match | undefined {
  const words = name.split("-").filter((word) => word.length > 1 && !/^(HASH|TOTAL|TOT|SUM|TRL|TRAILER)$/.test(word));
  const isNamed = ({ item }: Match) => item.entry.name.split("-").some((word) => words.includes(word));
  return numbers.find(isNamed) ?? numbers.find(({ isKey }) => isKey);
}
