// A file as people have them, with what each of its rows must become. The same at each call.

import { fileURLToPath } from "node:url";
import type { Row } from "./service.ts";

export const MEMBERS_DICTIONARY = fileURLToPath(new URL("members.datapackage.json", import.meta.url));
export const UGLY_ROWS = 5_000;

export interface UglyFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
  /** Says what the rows mean that leave no doubt, by the number of the member. */
  clear: Map<number, Row>;
  /** The members of whom one date can be read in two ways, with both. */
  ambiguous: Map<number, [dayFirst: string, monthFirst: string]>;
}

/** A cell, and the value that it means: null for none, undefined when the cell alone does not say it. */
type Cell = [text: string, value: unknown];

const HEADINGS = ["Mitgliedsnummer", "Name", "Kontakt", "Status", "Eintritt", "Beitrag", "Newsletter", "Bemerkung"];
const FIELDS = ["number", "name", "email", "status", "joined", "fee", "newsletter", "note"];
const NAMES = [
  "Jörg Müller",
  "Çağla Yılmaz",
  "Ana-María O’Neill",
  'Robert "Bob" Smith',
  "Šimůnek, Zoë",
  "van 't Hoff; Åsa",
  "Łukasz Wiśniewski",
];
const NOTES = [
  "",
  "Zahlt bar, sagt er",
  'Wants the "large" locker',
  "Adresse: Hauptstr. 5; 2. Stock",
  "+31 20 123 45 67",
  "1.234,50 gestundet",
];
const STEPS = [7, 1_237, 2_311, 3_407, 4_001, 1_701, 2_903, 601]; // one for each column, without a factor of the number of rows
const OF_FORM = { dots: 3_120, american: 1_004, iso: 804, none: 60 }; // dates; the others are ambiguous

export function uglyFile(): UglyFile {
  const clear: UglyFile["clear"] = new Map();
  const ambiguous: UglyFile["ambiguous"] = new Map();
  const lines = [HEADINGS.join(";")];
  for (let i = 0; i < UGLY_ROWS; i++) {
    const cells = [numberOf(i), nameOf(i), emailOf(i), statusOf(i), joinedOf(i), feeOf(i), newsletterOf(i), noteOf(i)];
    lines.push(cells.map(([text]) => (/[";]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(";"));
    const both = bothReadings(cells[4]?.[0] ?? "");
    if (cells.every(([, value]) => value !== undefined)) clear.set(10_001 + i, recordOf(cells));
    else if (both && cells.filter(([, value]) => value === undefined).length === 1) ambiguous.set(10_001 + i, both);
  }
  const buffer = Buffer.from(`${lines.join("\r\n")}\r\n`);
  return { name: "Mitglieder alt.csv", mimeType: "text/csv", buffer, clear, ambiguous };
}

function recordOf(cells: readonly Cell[]): Row {
  return Object.fromEntries(FIELDS.map((name, at) => [name, cells[at]?.[1]]));
}

/** Row i among all rows in the order of a column of its own, so that each class has its exact number of rows, spread over the file. */
function place(i: number, column: number): number {
  return (i * (STEPS[column] as number) + 97 * column) % UGLY_ROWS;
}

function numberOf(i: number): Cell {
  return [String(10_001 + i), 10_001 + i];
}

function nameOf(i: number): Cell {
  const name = `${NAMES[i % NAMES.length]} ${i}`;
  return [i % 50 === 3 ? `  ${name} ` : name, name];
}

function emailOf(i: number): Cell {
  const at = place(i, 2);
  return at < 20 ? [`m${i}(at)example.org`, undefined] : at < 200 ? ["", null] : same(`m${i}@example.org`);
}

function statusOf(i: number): Cell {
  const at = place(i, 3);
  if (at < 709) return ["Actve", "Active"];
  if (at < 809) return ["inactive", "Inactive"];
  if (at < 869) return ["k.A.", null];
  if (at < 881) return ["gone", undefined];
  return same(at < 2_000 ? "Inactive" : "Active");
}

function joinedOf(i: number): Cell {
  let at = place(i, 4);
  const [year, month, day] = [2001 + (i % 25), 1 + (i % 12), 1 + (i % 28)];
  const iso = `${year}-${pad(month)}-${pad(day)}`;
  if (at < OF_FORM.dots) return [`${pad(day)}.${pad(month)}.${year}`, iso];
  at -= OF_FORM.dots;
  if (at < OF_FORM.american) {
    const late = 13 + (i % 16);
    return [`${pad(month)}/${late}/${pad(year % 100)}`, `${year}-${pad(month)}-${late}`];
  }
  at -= OF_FORM.american;
  if (at < OF_FORM.iso) return same(iso);
  return at < OF_FORM.iso + OF_FORM.none ? ["n/a", null] : [`03/04/${pad(year % 100)}`, undefined];
}

function bothReadings(date: string): [string, string] | undefined {
  const year = /^03\/04\/(\d\d)$/.exec(date)?.[1];
  return year === undefined ? undefined : [`20${year}-04-03`, `20${year}-03-04`];
}

function feeOf(i: number): Cell {
  const at = place(i, 5);
  if (at < 300) return [["-", "k.A.", "NULL"][at % 3] as string, null];
  const cents = (i * 7_919) % 900_000;
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})$)/, ".");
  return [`${whole},${pad(cents % 100)}${at < 500 ? " €" : ""}`, cents / 100];
}

function newsletterOf(i: number): Cell {
  const at = place(i, 6);
  return at < 100 ? ["n/a", null] : at < 3_000 ? [at % 7 === 0 ? "Ja" : "ja", true] : ["nein", false];
}

function noteOf(i: number): Cell {
  const note = NOTES[i % NOTES.length] as string;
  return note === "" ? ["", null] : same(note);
}

function same(text: string): Cell {
  return [text, text];
}

function pad(n: number): string {
  return String(n).padStart(2, "0");
}
