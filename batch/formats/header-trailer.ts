// What kind each record of a file is, and whether header and trailer are there, in their places and right. Refuses the whole file: a wrong order, an unknown type, a count or total that does not match.

import { FileError } from "../../pipeline/model/file-error.ts";
import type { CutText } from "../layouts/character-sets.ts";
import { dumpOf } from "../layouts/cobol-numbers.ts";
import { cutControl, isTotal, Tally } from "../layouts/control-totals.ts";
import { type Cell, createStrip, fillingOf, placeOf } from "../layouts/field-codec.ts";
import { CONTROLS, type ControlName, type FixedLayout } from "../layouts/layout.ts";
import { nameRecord, type RawRecord } from "./split-records.ts";

export interface HeaderFacts extends Partial<Record<ControlName, string>> {
  /** The record as it stands in the file, its line end included. */
  offset: number;
  end: number;
}

type RecordKind = "header" | "detail" | "trailer" | "ignored" | "unknown";

const NOTHING_STORED = "Nothing is stored of it.";

export class Controls {
  readonly #layout: FixedLayout;
  readonly #tally: Tally;
  #trailer: { record: RawRecord; said: ControlValue[] } | undefined;
  #hasHeader = false;

  constructor(layout: FixedLayout, cells: readonly Cell[]) {
    this.#layout = layout;
    this.#tally = new Tally(layout.trailer, cells);
  }

  /** Every record, in order. True: it is a detail record. Throws FileRefused. */
  see(record: RawRecord, cut: CutText): boolean {
    const kind = kindOf(cut, this.#layout);
    if (this.#trailer) {
      if (kind === "trailer") throw refused("This file has two trailers.", `${nameRecord(record)} is the second one.`);
      throw refused("Something follows the trailer.", `${nameRecord(record)} stands behind it: the file may be two in one.`);
    }
    this.#seeOrder(record, cut, kind);
    if (kind === "detail") {
      this.#seeDetail(record, cut);
      return true;
    }
    this.#tally.addOther();
    if (kind === "trailer") this.#trailer = { record, said: readTrailer(record, cut, this.#layout) };
    return false;
  }

  /** After the last record. Throws FileRefused when something is missing or does not match, with both figures. */
  close(): void {
    const { header, trailer } = this.#layout;
    if (header && !this.#hasHeader) throw noHeader(undefined);
    if (!trailer) return;
    if (!this.#trailer) {
      throw refused(
        "This file has no trailer.",
        `It ends after ${this.#tally.details} detail records: it may be cut. Ask the sender for the whole file.`,
      );
    }
    const { said, record } = this.#trailer;
    const wrong = [...said.flatMap((each) => this.#wrongCount(each)), ...this.#wrongTotals(said)];
    if (wrong.length === 0) return;
    throw refused(
      "The trailer does not match.",
      `${wrong.join(" ")} ${nameRecord(record)} is the trailer. Ask the sender for the whole file.`,
    );
  }

  #seeOrder(record: RawRecord, cut: CutText, kind: RecordKind): void {
    const { header, recordType } = this.#layout;
    if (kind === "unknown") throw unknownType(record, recordType ? cutControl(cut, recordType) : undefined, this.#layout);
    if (kind === "header") {
      if (this.#hasHeader)
        throw refused("This file has two headers.", `${nameRecord(record)} is the second one: the file may be two in one.`);
      if (record.number !== 1) throw refused("The header is not the first record.", `${nameRecord(record)} is the header.`);
      this.#hasHeader = true;
      readHeader(record, cut, this.#layout);
    } else if (header && !this.#hasHeader) {
      throw noHeader(record);
    }
  }

  #seeDetail(record: RawRecord, cut: CutText): void {
    const [wrong] = this.#tally.addDetail(cut);
    if (!wrong) return;
    throw refused(
      `The total of ${wrong.cell.title} cannot be made.`,
      `${nameRecord(record)} has “${wrong.text?.trim() ?? dumpOf(record.bytes.subarray(wrong.cell.place?.from, wrong.cell.place?.to))}” there, which is no number; so nobody can tell whether the file is whole.`,
    );
  }

  #wrongCount({ name, text, of }: ControlValue): string[] {
    if (name !== "count") return [];
    const found = of === "all" ? this.#tally.all : this.#tally.details;
    const what = of === "all" ? "records, header and trailer counted" : "detail records";
    return isTotal(text, String(found)) ? [] : [`It says ${text} ${what}; the file has ${found}.`];
  }

  #wrongTotals(said: readonly ControlValue[]): string[] {
    return this.#tally.totals().flatMap(({ total, text }, i) => {
      const { text: told = "" } = said.filter(({ name }) => name === "total")[i] ?? {};
      return isTotal(told, text) ? [] : [`It says ${told} as the total of ${total.of}; the records add up to ${text}.`];
    });
  }
}

interface ControlValue {
  name: "count" | "total";
  text: string;
  of: string;
}

function kindOf(cut: CutText, { recordType, header, detail, trailer, ignoredTypes = [] }: FixedLayout): RecordKind {
  if (!recordType) return "detail";
  const type = cutControl(cut, recordType);
  if (type === detail.type) return "detail";
  if (type === undefined) return "unknown";
  if (type === header?.type) return "header";
  if (type === trailer?.type) return "trailer";
  return ignoredTypes.includes(type) ? "ignored" : "unknown";
}

/** What a header says. Throws FileRefused when it is of another length, or says something else than the layout. */
export function readHeader(record: RawRecord, cut: CutText, layout: FixedLayout): HeaderFacts {
  if (kindOf(cut, layout) !== "header") throw noHeader(record);
  if (record.wrong !== undefined) throw refused("The header cannot be read.", record.wrong);
  const facts: HeaderFacts = { offset: record.offset, end: record.end };
  for (const name of CONTROLS) {
    const control = layout.header?.[name];
    if (!control) continue;
    const text = cutControl(cut, control);
    if (text === undefined)
      throw refused("The header cannot be read.", `${nameRecord(record)}: its ${WORDS[name]} has bytes that are no characters.`);
    const strip = createStrip(fillingOf(control, name === "sequence"));
    const said = strip(text);
    if (control.constant !== undefined && said !== strip(control.constant)) {
      throw refused(
        `This file has another ${WORDS[name]}.`,
        `Its header says “${said}”; the layout says “${control.constant}”. Is it the right file?`,
      );
    }
    facts[name] = said;
  }
  return facts;
}

const WORDS: Record<ControlName, string> = { sender: "sender", fileId: "file id", sequence: "sequence number" };

function readTrailer(record: RawRecord, cut: CutText, { trailer }: FixedLayout): ControlValue[] {
  if (record.wrong !== undefined) throw refused("The trailer cannot be read.", record.wrong);
  const places = [
    ...(trailer?.count ? [{ name: "count" as const, place: trailer.count, of: trailer.count.of ?? "detail" }] : []),
    ...(trailer?.totals ?? []).map((total) => ({ name: "total" as const, place: total, of: total.of })),
  ];
  return places.map(({ name, place, of }) => {
    const { from, to } = placeOf(place);
    const text = cutControl(cut, place)?.trim() ?? dumpOf(record.bytes.subarray(from, to));
    if (/^-?[0-9]+$/.test(text)) return { name, text, of };
    throw refused(
      "The trailer cannot be read.",
      `${nameRecord(record)}: its ${name === "count" ? "count" : `total of ${of}`} is “${text}”, which is no number.`,
    );
  });
}

function noHeader(first: RawRecord | undefined): FileError {
  const where = first ? `${nameRecord(first)} is the first, and it is none.` : "There is no record in it.";
  return refused("This file has no header.", `${where} Ask the sender for the whole file, or mend the layout.`);
}

function unknownType(record: RawRecord, type: string | undefined, { header, detail, trailer, ignoredTypes = [] }: FixedLayout): FileError {
  const known = [header?.type, detail.type, trailer?.type, ...ignoredTypes].filter((each) => each !== undefined);
  const seen = type === undefined ? "a type that cannot be read" : `the type “${type}”`;
  const hint = record.wrong === undefined ? "" : ` ${record.wrong}`;
  return refused(
    "This file has a record of an unknown type.",
    `${nameRecord(record)} has ${seen}; the layout knows ${known.map((each) => `“${each}”`).join(", ")}.${hint}`,
  );
}

function refused(title: string, detail: string): FileError {
  return new FileError(title, `${detail} ${NOTHING_STORED}`);
}
