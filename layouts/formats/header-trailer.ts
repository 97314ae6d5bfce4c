// Checks header, trailer, record types and control totals while a fixed-width file is read.

import { count } from "../../core/text/count.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import type { CutText } from "../layouts/character-sets.ts";
import { dumpOf } from "../layouts/cobol-numbers.ts";
import { ControlTotals, isTotal, readControl, readDecimal, type SummedCell } from "../layouts/control-totals.ts";
import { readFormat } from "../layouts/dates.ts";
import { createStrip, cutPadded, fillingOf, placeOf } from "../layouts/field-codec.ts";
import { type BusinessDate, CONTROLS, type ControlName, type FixedLayout } from "../layouts/layout.ts";
import { NO_BYTES, nameRecord, type RawRecord } from "./split-records.ts";

export interface HeaderFacts extends Partial<Record<ControlName, string>> {
  /** The record begins at `offset` and the next one at `end`: in bytes, or in a delimited file in lines. */
  offset: number;
  end: number;
}

/** `other`: a detail record of another collection. */
type RecordKind = "header" | "detail" | "other" | "trailer" | "ignored" | "unknown";

export class HeaderTrailerChecker {
  readonly #layout: FixedLayout;
  readonly #tally: ControlTotals;
  #trailer: { record: RawRecord; stated: ControlValue[] } | undefined;
  #hasHeader = false;

  constructor(layout: FixedLayout, cells: readonly SummedCell[]) {
    this.#layout = layout;
    this.#tally = new ControlTotals(layout, cells);
  }

  /** Call it for every record, in order. Returns whether it is a detail record of the collection. Throws FileError. */
  addRecord(record: RawRecord, cut: CutText): boolean {
    const kind = kindOf(cut, this.#layout);
    if (this.#trailer) {
      if (kind === "trailer")
        throw new FileError("This file has two trailers.", `${nameRecord(record)} is the second one: the file may be two in one.`);
      throw new FileError("Something follows the trailer.", `${nameRecord(record)} stands behind it: the file may be two in one.`);
    }
    this.#checkOrder(record, cut, kind);
    if (kind === "detail" || kind === "other") {
      this.#addDetail(record, cut);
      return kind === "detail";
    }
    this.#tally.addOther();
    if (kind === "trailer") this.#trailer = { record, stated: readTrailer(record, cut, this.#layout) };
    return false;
  }

  /** Call it after the last record. Throws FileError when header or trailer is missing, or a count or total does not match. */
  close(): void {
    const { header, trailer } = this.#layout;
    if (header && !this.#hasHeader) throw noHeader(undefined);
    if (!trailer) return;
    if (!this.#trailer) {
      throw new FileError(
        "This file has no trailer.",
        `It ends after ${count(this.#tally.details, "detail record")}: it may be cut. Ask the sender for the whole file.`,
      );
    }
    const { stated, record } = this.#trailer;
    const wrong = [...stated.flatMap((each) => this.#wrongCount(each)), ...this.#wrongTotals(stated)];
    if (wrong.length === 0) return;
    throw new FileError(
      "The trailer does not match.",
      `${wrong.join(" ")} ${nameRecord(record)} is the trailer. Ask the sender for the whole file.`,
    );
  }

  #checkOrder(record: RawRecord, cut: CutText, kind: RecordKind): void {
    const { header, recordType } = this.#layout;
    if (kind === "unknown") throw unknownType(record, recordType ? readControl(cut, recordType) : undefined, this.#layout);
    if (kind === "header") {
      if (this.#hasHeader)
        throw new FileError("This file has two headers.", `${nameRecord(record)} is the second one: the file may be two in one.`);
      this.#hasHeader = true;
      readHeader(record, cut, this.#layout);
    } else if (header && !this.#hasHeader) {
      throw noHeader(record);
    }
  }

  #addDetail(record: RawRecord, cut: CutText): void {
    const { recordType } = this.#layout;
    const [wrong] = this.#tally.addDetail(cut, recordType && readControl(cut, recordType));
    if (!wrong) return;
    throw new FileError(
      `The total of ${wrong.cell.title} cannot be made.`,
      `${nameRecord(record)} has “${wrong.text?.trim() ?? dumpOf(record.bytes.subarray(wrong.cell.place?.from, wrong.cell.place?.to))}” there, which is not a number, so that the file cannot be checked for completeness.`,
    );
  }

  #wrongCount({ name, text, of }: ControlValue): string[] {
    if (name !== "count") return [];
    const found = of === "all" ? this.#tally.all : this.#tally.details;
    const what = of === "all" ? "records, header and trailer counted" : "detail records";
    return isTotal(text, String(found)) ? [] : [`It says ${text} ${what}; the file has ${found}.`];
  }

  #wrongTotals(stated: readonly ControlValue[]): string[] {
    return this.#tally.totals().flatMap(({ total, text }, i) => {
      const { text: value = "" } = stated.filter(({ name }) => name === "total")[i] ?? {};
      return isTotal(value, text) ? [] : [`It says ${value} as the total of ${total.of}; the records add up to ${text}.`];
    });
  }
}

interface ControlValue {
  name: "count" | "total";
  text: string;
  of: string;
}

function kindOf(cut: CutText, { recordType, header, detail, otherDetails, trailer, ignoredTypes = [] }: FixedLayout): RecordKind {
  if (!recordType) return "detail";
  const type = readControl(cut, recordType);
  if (type === detail.type) return "detail";
  if (type === undefined) return "unknown";
  if (type === header?.type) return "header";
  if (type === trailer?.type) return "trailer";
  if (otherDetails?.some((other) => other.type === type)) return "other";
  return ignoredTypes.includes(type) ? "ignored" : "unknown";
}

/** Throws FileError when the header has another length, or another value than a constant of the layout. */
export function readHeader(record: RawRecord, cut: CutText, layout: FixedLayout): HeaderFacts {
  if (kindOf(cut, layout) !== "header") throw noHeader(record);
  if (record.wrong !== undefined) throw new FileError("The header cannot be read.", record.wrong);
  const facts: HeaderFacts = { offset: record.offset, end: record.end };
  for (const name of CONTROLS) {
    const control = layout.header?.[name];
    if (!control) continue;
    const filling = fillingOf(control, name === "sequence");
    const text = cutPadded(cut, placeOf(control), filling);
    if (text === undefined)
      throw new FileError(
        "The header cannot be read.",
        `${nameRecord(record)}: its ${CONTROL_WORDS[name]} ${record.bytes === NO_BYTES ? "is missing" : "has bytes that are not characters"}.`,
      );
    const strip = createStrip(filling);
    const stated = strip(text);
    if (control.constant !== undefined && stated !== strip(control.constant)) {
      throw new FileError(
        `This file has another ${CONTROL_WORDS[name]}.`,
        `Its header says “${stated}”; the layout says “${control.constant}”. Is it the right file?`,
      );
    }
    facts[name] = "format" in control ? dayOf(record, stated, control) : stated;
  }
  return facts;
}

/** Returns the day in ISO form. Throws FileError. */
function dayOf(record: RawRecord, text: string, { format, pivot }: BusinessDate): string {
  const read = readFormat(format, pivot);
  const day = "wrong" in read ? undefined : read.toIso(text);
  if (day && "iso" in day && new Date(day.iso).toJSON()?.startsWith(day.iso)) return day.iso;
  throw new FileError("The header cannot be read.", `${nameRecord(record)}: its business date is “${text}”, which is no day as ${format}.`);
}

const CONTROL_WORDS: Record<ControlName, string> = {
  ...{ sender: "sender", fileId: "file id", sequence: "sequence number", businessDate: "business date" },
};

function readTrailer(record: RawRecord, cut: CutText, { trailer }: FixedLayout): ControlValue[] {
  if (record.wrong !== undefined) throw new FileError("The trailer cannot be read.", record.wrong);
  const places = [
    ...(trailer?.count ? [{ name: "count" as const, place: trailer.count, of: trailer.count.of ?? "detail" }] : []),
    ...(trailer?.totals ?? []).map((total) => ({ name: "total" as const, place: total, of: total.of })),
  ];
  return places.map(({ name, place, of }) => {
    const { from, to } = placeOf(place);
    const what = name === "count" ? "count" : `total of ${of}`;
    if (record.absent?.some(([first]) => from < first && first < to))
      throw new FileError("The trailer cannot be read.", `${nameRecord(record)} ends within its ${what}.`);
    const text = readControl(cut, place)?.trim() ?? (record.bytes === NO_BYTES ? "" : dumpOf(record.bytes.subarray(from, to)));
    if (place.length === 0 && name === "total" ? readDecimal(text) !== undefined : /^-?[0-9]+$/.test(text)) return { name, text, of };
    throw new FileError("The trailer cannot be read.", `${nameRecord(record)}: its ${what} is “${text}”, which is not a number.`);
  });
}

function noHeader(first: RawRecord | undefined): FileError {
  const where = first ? `${nameRecord(first)} is the first, and it is not a header.` : "There is no record in it.";
  return new FileError("This file has no header.", `${where} Ask the sender for the whole file, or correct the layout.`);
}

function unknownType(
  record: RawRecord,
  type: string | undefined,
  { header, detail, otherDetails = [], trailer, ignoredTypes = [] }: FixedLayout,
): FileError {
  const known = [header?.type, detail.type, ...otherDetails.map((other) => other.type), trailer?.type, ...ignoredTypes].filter(
    (each) => each !== undefined,
  );
  const found = type === undefined ? "a type that cannot be read" : `the type “${type}”`;
  const hint = record.wrong === undefined ? "" : ` ${record.wrong}`;
  return new FileError(
    "This file has a record of an unknown type.",
    `${nameRecord(record)} has ${found}; the layout knows ${known.map((each) => `“${each}”`).join(", ")}.${hint}`,
  );
}
