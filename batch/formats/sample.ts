// Makes an example file for a layout: a few records with plausible values, and a matching header and trailer.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KINDS, textOfValue } from "../../core/dictionary/kinds.ts";
import type { TextFormat } from "../../core/dictionary/text-formats.ts";
import { validateValue } from "../../core/dictionary/validate.ts";
import { csvLine } from "../../core/text/csv.ts";
import { createCodec } from "../layouts/character-sets.ts";
import { ACTIONS, codesOf, type DelimitedLayout, type FixedLayout, type Layout } from "../layouts/layout.ts";
import { FixedWriter, NoRoom } from "./write-fixed.ts";

const ROWS = 3;
const [DAY, HOUR] = [86_400_000, 3_600_000]; // ms

/** Returns the bytes of a whole file. Throws NoRoom. */
export function makeSample(layout: Layout, collection: Collection, rows = ROWS): Uint8Array {
  return layout.kind === "fixed" ? fixedSample(layout, collection, rows) : delimitedSample(layout, collection, rows);
}

function fixedSample(layout: FixedLayout, collection: Collection, rows: number): Uint8Array {
  const writer = new FixedWriter(layout, collection);
  const placed = layout.detail.fields.filter(({ skip, start }) => !skip && start !== undefined).map(({ name }) => name);
  const actions = ACTIONS.filter((action) => codesOf(layout.action?.[action]).length > 0);
  const { fileId, sequence } = layout.header ?? {};
  const controls = { ...(fileId?.constant === undefined && { fileId: "1" }), ...(sequence?.constant === undefined && { sequence: "1" }) };
  const parts = [writer.header(controls)];
  for (let i = 0; i < rows; i++) {
    const texts: Record<string, string> = {};
    for (const name of placed) texts[name] = valueWithRoom(collection.byName.get(name) as Field, i, writer);
    parts.push(writer.detail(texts, actions[i % actions.length]));
  }
  return Buffer.concat([...parts, writer.trailer()]);
}

/** The first example value that fits into the place of the field. */
function valueWithRoom(field: Field, row: number, writer: FixedWriter): string {
  const found = valuesOf(field, row).find((text) => writer.hasRoom(field.name, text));
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
  const lines =
    headingLine === 0 ? [] : [cells.map((name, i) => (i === at && typeof action?.column === "string" ? action.column : (name ?? "")))];
  for (let row = 0; row < rows; row++) {
    const values = cells.map((name) => (name === null ? "" : (valuesOf(collection.byName.get(name) as Field, row)[0] ?? "")));
    if (at >= 0) values[at] = actions[row % actions.length] ?? "";
    lines.push(values);
  }
  const above = "\n".repeat(Math.max(0, headingLine - 1));
  const text = above + lines.map((line) => line.map((cell) => csvLine([cell]).trimEnd()).join(delimiter)).join("\n");
  const bytes = createCodec(encoding).encode(`${text}\n`);
  if (!bytes) throw new NoRoom("An example has a character that the encoding has not.");
  return bytes;
}

/** Example values that the dictionary accepts, the best first. */
function valuesOf(field: Field, row: number): string[] {
  const candidates = [...(field.enum ?? []).slice(row % (field.enum?.length ?? 1)).map(String), ...likeExample(field, row), field.example];
  return candidates.filter((text) => {
    const validated = text === "" ? null : validateValue(field, text, "text");
    return validated !== null && typeof validated !== "object";
  });
}

function likeExample({ kind, title, example, minimum, maximum, format }: Field, row: number): string[] {
  if (format && format !== "multiline") return [SAMPLES[format](row + 1)];
  switch (kind) {
    case "string":
      return [...(row === 0 ? [example] : [`${example} ${row + 1}`]), `${title} ${row + 1}`, LETTERS[row % LETTERS.length] as string];
    case "integer":
    case "number":
    case "decimal":
      return [String(Number(example || (minimum ?? 1)) + row), String(Number(minimum ?? 1) + row), String(maximum ?? "")];
    case "boolean":
      return [String(row % 2 === 0)];
    case "date":
      return [new Date(Date.parse(example || "2026-01-31") + row * DAY).toISOString().slice(0, 10)];
    case "datetime":
      return [new Date(Date.parse(example || "2026-01-31T08:30:00Z") + row * DAY).toISOString()];
    case "time":
      return [new Date(Date.parse(`2026-01-31T${KINDS.time.fromText(example) ?? "08:30:00"}Z`) + row * HOUR).toISOString().slice(11, 19)];
    case "year":
      return [textOfValue("year", Number(example || (minimum ?? 2026)) + row)];
  }
}

/** Of names and numbers that are kept free for examples (RFC 2606; Ofcom for drama). */
const SAMPLES: Record<Exclude<TextFormat, "multiline">, (n: number) => string> = {
  email: (n) => `person${n}@example.com`,
  uri: (n) => `https://example.com/${n}`,
  phone: (n) => `+44 1632 960${String(n % 1000).padStart(3, "0")}`,
};

const LETTERS = "ABCDEFGHIJ"; // for fields too short for their example
