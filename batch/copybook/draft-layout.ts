// Drafts a layout from a copybook, and the fields of a dictionary or the match with one that is there.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Kind } from "../../core/dictionary/kinds.ts";
import { matchHeader } from "../../pipeline/mapping/match-columns.ts";
import type { LayoutEncoding } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import type { FixedLayout, Header, Trailer } from "../layouts/layout.ts";
import { readEntries } from "./data-entries.ts";
import { describeField, type FieldDescriptor, kindOf, noteConditions, placeField } from "./field-draft.ts";
import { collectionName, fieldNames, singularOf, titleOf } from "./names.ts";
import { buildRecords, type CopybookRecord, type Item } from "./record-tree.ts";
import { leavesOf, type RecordRoles, rolesOf } from "./record-types.ts";
import { type Note, nameOf, takeItems } from "./take-items.ts";

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
  /** What was not taken over, and what is a guess; by the lines of the copybook. */
  notes: Note[];
}

/** An item with its name and kind in the collection. */
interface Match {
  item: Item;
  name: string;
  kind: Kind;
  isKey: boolean;
}

/** Or a sentence why there is none. */
export function draftLayout(text: string, options: DraftOptions): Draft | string {
  const { entries, title, ignored } = readEntries(text);
  const { records, others } = buildRecords(entries, { isMainframe: isEbcdic(options.encoding) });
  const wanted = options.record?.toUpperCase();
  const roles = rolesOf(records, wanted);
  if (!roles) return noRecord(records, wanted);
  const { record } = roles.detail;
  const { items, notes } = takeItems(record.item);
  for (const { line, word } of ignored) if (!QUIET.test(word)) notes.push({ line, sentence: ignoredSentence(word) });
  for (const { line, name, level } of others)
    notes.push({ line, sentence: `${name} (level ${level}) is not taken over: it is no part of a record.` });
  for (const other of roles.others) notes.push(otherRecord(other.record));
  const wholes = items.filter(({ entry }) => entry !== roles.detail.type?.item.entry);
  const { matches, dataPackage } = options.collection
    ? { matches: matchItems(wholes, options.collection, notes), dataPackage: undefined }
    : newCollection(wholes, { ...options, record, title }, notes);
  const name = options.collection?.name ?? options.name ?? collectionName(record.name);
  const layout = assemble(name, roles, matches, { encoding: options.encoding, title }, notes);
  return { record: record.name, layout, dataPackage, notes: notes.sort((a, b) => a.line - b.line) };
}

/** Words of a program around its data, which mean nothing here. */
const QUIET =
  /^(IDENTIFICATION|ID|ENVIRONMENT|DATA|PROCEDURE|CONFIGURATION|INPUT-OUTPUT|FILE|FILE-CONTROL|WORKING-STORAGE|LINKAGE|LOCAL-STORAGE|PROGRAM-ID|AUTHOR|FD|SD|SELECT|SPECIAL-NAMES|SOURCE-COMPUTER|OBJECT-COMPUTER|SKIP[123]|EJECT)$/;

function ignoredSentence(word: string): string {
  return word === "COPY" || word === "EXEC"
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
  { record, name: given, title }: { record: CopybookRecord; name: string | undefined; title: string },
  notes: Note[],
): { matches: Match[]; dataPackage: unknown } {
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
    const sentence = `No item of ${record.name} is taken to be its number, so the service gives one: ${primaryKey}.`;
    notes.push({ line: record.item.entry.line, sentence });
  }
  const name = given ?? collectionName(record.name);
  const description = title || record.item.entry.comment;
  const resource = {
    name,
    title: titleOf(name),
    ...(description !== "" && { description }),
    singular: singularOf(name),
    schema: { fields, primaryKey },
  };
  return {
    matches,
    dataPackage: { $schema: "https://datapackage.org/profiles/2.0/datapackage.json", name: "intake", resources: [resource] },
  };
}

/** By name, title and alias, as the headings of a file. */
function matchItems(items: readonly Item[], collection: Collection, notes: Note[]): Match[] {
  const names = fieldNames(items.map(({ entry }) => entry.name));
  const found = matchHeader(collection, names.map(titleOf));
  return items.flatMap((item, i) => {
    const field = collection.byName.get(found[i] ?? "");
    if (field) return [{ item, name: field.name, kind: field.kind, isKey: field === collection.key }];
    const entry = JSON.stringify(placeField(item, "…", kindOf(item), false, []));
    notes.push({ line: item.entry.line, sentence: `${nameOf(item)} matches no field of ${collection.name}. Its entry would be ${entry}` });
    return [];
  });
}

function assemble(
  collection: string,
  { header, detail, trailer, others }: RecordRoles,
  matches: readonly Match[],
  { encoding, title }: { encoding: LayoutEncoding; title: string },
  notes: Note[],
): FixedLayout {
  const fields = matches.map(({ item, name, kind, isKey }) => placeField(item, name, kind, isKey, notes));
  const lengths = [header, detail, trailer].flatMap((one) => (one ? [one.record.length] : []));
  const recordLength = Math.max(...lengths);
  if (lengths.some((length) => length !== recordLength)) {
    const sentence = `Its records have ${[...new Set(lengths)].join(", ")} bytes; the layout takes ${recordLength} for each.`;
    notes.push({ line: detail.record.item.entry.line, sentence });
  }
  const read = trailer && readTrailer(leavesOf(trailer.record.item), matches, notes);
  const typed = header || trailer || others.some(({ type }) => type?.item.start === detail.type?.item.start);
  const ignoredTypes = typed ? others.flatMap(({ type }) => (type?.item.start === detail.type?.item.start && type ? [type.code] : [])) : [];
  const isBinary = isEbcdic(encoding) || [...fields, read?.count, ...(read?.totals ?? [])].some((place) => place?.usage);
  return {
    kind: "fixed",
    title: title || titleOf(collection),
    collection,
    encoding,
    recordLength,
    lineEnd: isBinary ? "none" : "lf",
    ...(typed && detail.type && { recordType: { start: detail.type.item.start, length: detail.type.item.length } }),
    ...(header?.type && { header: { type: header.type.code, ...readHeader(leavesOf(header.record.item)) } }),
    detail: { ...(typed && detail.type && { type: detail.type.code }), fields },
    ...(trailer?.type && { trailer: { type: trailer.type.code, ...read } }),
    ...(ignoredTypes.length > 0 && { ignoredTypes }),
  };
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
    if (name && storage?.keys.usage === undefined) header[name] = { start, length };
  }
  return header;
}

const COUNT = /(^|-)(COUNT|CNT|RECORDS|RECS)(-|$)/;
const TOTAL = /(^|-)(HASH|TOTAL|TOT|SUM|AMOUNT|AMT)(-|$)/;

/** A total is the sum of the field whose name it has a word of, or else of the key. */
function readTrailer(items: readonly Item[], matches: readonly Match[], notes: Note[]): Omit<Trailer, "type"> {
  const trailer: { count?: NonNullable<Trailer["count"]>; totals: NonNullable<Trailer["totals"]>[number][] } = { totals: [] };
  const numbers = matches.filter(({ item }) => item.storage?.picture?.kind === "number");
  for (const item of items) {
    const { entry, start, length, storage } = item;
    if (storage?.picture?.kind !== "number" || storage.keys.sign || storage.unreadable) continue;
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
