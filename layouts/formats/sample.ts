// Makes an example file for a layout: a few records with plausible values, and a matching header and trailer.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { sampleTexts } from "../../core/dictionary/sample-texts.ts";
import { csvLine } from "../../core/text/csv.ts";
import { createCodec } from "../layouts/character-sets.ts";
import { ACTIONS, CONTROLS, codesOf, type DelimitedLayout, type FixedLayout, type Layout } from "../layouts/layout.ts";
import { dayIn } from "../layouts/time-zones.ts";
import { DelimitedTotals } from "./delimited-controls.ts";
import { FixedWriter, NoRoom } from "./write-fixed.ts";

const ROWS = 3;

/** Returns the bytes of a whole file. `now`: epoch milliseconds, for its business date. Throws NoRoom. */
export function makeSample(layout: Layout, collection: Collection, rows = ROWS, now = Date.now()): Uint8Array {
  return layout.kind === "fixed" ? fixedSample(layout, collection, rows, now) : delimitedSample(layout, collection, rows);
}

function fixedSample(layout: FixedLayout, collection: Collection, rows: number, now: number): Uint8Array {
  const writer = new FixedWriter(layout, collection);
  const placed = layout.detail.fields.filter(({ skip, start }) => !skip && start !== undefined).map(({ name }) => name);
  const actions = ACTIONS.filter((action) => codesOf(layout.action?.[action]).length > 0);
  const { fileId, sequence, businessDate } = layout.header ?? {};
  const controls = {
    ...(fileId?.constant === undefined && { fileId: "1" }),
    ...(sequence?.constant === undefined && { sequence: "1" }),
    ...(businessDate && { businessDate: dayIn(businessDate.zone, now) }),
  };
  const parts = [writer.header(controls)];
  for (let i = 0; i < rows; i++) {
    const texts: Record<string, string> = {};
    for (const name of placed) texts[name] = valueWithRoom(collection.byName.get(name) as Field, i, writer);
    parts.push(writer.detail(texts, actions[i % actions.length]));
  }
  return Buffer.concat([...parts, writer.trailer()]);
}

/** Returns the first example value that fits into the place of the field. */
function valueWithRoom(field: Field, row: number, writer: FixedWriter): string {
  const found = sampleTexts(field, row).find((text) => writer.hasRoom(field.name, text));
  if (found !== undefined) return found;
  if (field.required) throw new NoRoom(`${field.title} has no room for any example; make its place longer.`);
  return "";
}

function delimitedSample(
  { encoding = "utf-8", delimiter = ",", headingLine = 1, ...layout }: DelimitedLayout,
  collection: Collection,
  rows: number,
): Uint8Array {
  const columns = layout.columns ?? collection.fields.map(({ name }) => name).filter((name) => !collection.lookups.has(name));
  const cells = [...columns];
  const { action } = layout;
  const at = typeof action?.column === "number" ? action.column - 1 : action ? cells.push(null) - 1 : -1;
  const actions = ACTIONS.flatMap((each) => codesOf(action?.[each])[0] ?? []);
  const { detail, header } = layout;
  const totals = new DelimitedTotals({ ...layout, columns }, collection);
  const lines =
    headingLine === 0 ? [] : [cells.map((name, i) => (i === at && typeof action?.column === "string" ? action.column : (name ?? "")))];
  for (let row = 0; row < rows; row++) {
    const values = cells.map((name) => (name === null ? "" : (sampleTexts(collection.byName.get(name) as Field, row)[0] ?? "")));
    if (at >= 0) values[at] = actions[row % actions.length] ?? "";
    if (detail) values[0] = detail.type;
    totals.addDetail(values);
    lines.push(values);
  }
  if (header) lines.unshift(sampleHeader(header));
  lines.push(...[totals.trailer() ?? []].filter(({ length }) => length > 0));
  const above = "\n".repeat(Math.max(0, headingLine - 1));
  const text = above + lines.map((line) => line.map((cell) => csvLine([cell]).trimEnd()).join(delimiter)).join("\n");
  const bytes = createCodec(encoding).encode(`${text}\n`);
  if (!bytes) throw new NoRoom("An example has a character that the encoding does not have.");
  return bytes;
}

function sampleHeader({ type, ...controls }: NonNullable<DelimitedLayout["header"]>): string[] {
  const cells = [type];
  for (const name of CONTROLS) {
    const control = controls[name];
    if (control) cells[control.column - 1] = control.constant ?? "1";
  }
  return Array.from(cells, (cell) => cell ?? "");
}
