// A layout's detail fields against the dictionary: unknown, doubled, and ways of reading that do not suit the field's kind. Knows no other record.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field, Say } from "../../../core/dictionary/fields.ts";
import { checkValue } from "../../../core/dictionary/validate.ts";
import { closest } from "../../../core/text/similarity.ts";
import type { Codec } from "../character-sets.ts";
import { readFormat } from "../dates.ts";
import { codesOf, type LayoutField } from "../layout.ts";
import { checkNumerals } from "./check-numerals.ts";

interface World {
  collection: Collection;
  codec: Codec;
}

export function checkFields(fields: readonly LayoutField[], world: World, say: Say): void {
  const seen = new Map<string, number>();
  for (const [i, placed] of fields.entries()) {
    const path = `/detail/fields/${i}`;
    const first = seen.get(placed.name);
    if (first !== undefined) say(`${path}/name`, `${placed.name} stands in /detail/fields/${first} already`);
    seen.set(placed.name, i);
    const field = world.collection.byName.get(placed.name);
    if (!field && !placed.skip)
      say(`${path}/name`, unknownField(placed.name, world.collection, '; "skip": true reads a field for a total only'));
    if (field && placed.skip) say(`${path}/skip`, `${placed.name} is a field of ${world.collection.title}: call what is skipped otherwise`);
    checkWhere(placed, path, say);
    const { usage } = placed;
    if (usage) checkNumerals({ ...placed, usage }, { field, codec: world.codec }, path, say);
    else checkBytes(placed, world.codec, path, say);
    if (field) checkWays(placed, field, path, say);
  }
}

/** `orElse`: what else could be done, where no name is like it. */
export function unknownField(name: string, { title, byName }: Collection, orElse = ""): string {
  const meant = closest(name, [...byName.keys()]);
  return `${title} have no field "${name}"; ${meant ? `did you mean "${meant}"?` : `there are ${[...byName.keys()].join(", ")}${orElse}`}`;
}

function checkWhere({ start, length, constant, skip }: LayoutField, path: string, say: Say): void {
  const hasPlace = start !== undefined && length !== undefined;
  if (constant === undefined && start === undefined) say(`${path}/start`, 'is missing; a field that is not in the file has a "constant"');
  if (constant === undefined && length === undefined) say(`${path}/length`, "is missing");
  if (constant !== undefined && (start !== undefined || length !== undefined))
    say(`${path}/constant`, "cannot stand beside a place: leave out one of them");
  if (skip && !hasPlace) say(`${path}/skip`, "needs a place: there is nothing to read");
}

function checkBytes({ pad, length = 0, values = {}, digits, ...rest }: LayoutField, codec: Codec, path: string, say: Say): void {
  if (digits !== undefined) say(`${path}/digits`, 'is for a "usage": characters show their zeros');
  if (pad !== undefined && codec.encode(pad)?.length !== 1) say(`${path}/pad`, "must be one byte in this encoding");
  const codes: [path: string, code: string][] = [
    ...codesOf(rest.null).map((code): [string, string] => [`${path}/null`, code]),
    ...Object.keys(values).map((code): [string, string] => [`${path}/values`, code]),
  ];
  for (const [at, code] of codes) {
    const needed = codec.encode(code)?.length;
    if (needed === undefined) say(at, `"${code}" has a character that this encoding has not`);
    else if (needed > length) say(at, `"${code}" has ${needed} bytes; the field has ${length}`);
  }
}

/** Keys that say how a value is written, each with the kinds that it suits. */
function checkWays(placed: LayoutField, field: Field, path: string, say: Say): void {
  const { format, zone, decimals, sign, values = {}, constant } = placed;
  const { kind } = field;
  const isNumber = kind === "integer" || kind === "number";
  if (decimals !== undefined && kind !== "number") say(`${path}/decimals`, `is for a number; ${field.name} is of type ${kind}`);
  if (sign !== undefined && !isNumber) say(`${path}/sign`, `is for numbers; ${field.name} is of type ${kind}`);
  if (zone !== undefined && kind !== "datetime") say(`${path}/zone`, `is for a date and time; ${field.name} is of type ${kind}`);
  if (format !== undefined) checkFormat(format, field, placed, path, say);
  for (const [code, meaning] of Object.entries(values)) checkMeaning(field, meaning, `${path}/values/${code}`, say);
  if (constant !== undefined) checkMeaning(field, constant, `${path}/constant`, say);
}

function checkMeaning(field: Field, text: string, path: string, say: Say): void {
  const judged = checkValue({ ...field, required: false }, text, "text");
  if (typeof judged === "object" && judged !== null) say(path, judged.message);
}

function checkFormat(format: string, { kind, name }: Field, { zone, length, usage }: LayoutField, path: string, say: Say): void {
  const read = readFormat(format);
  const wrong =
    kind !== "date" && kind !== "datetime" ? `is for dates; ${name} is of type ${kind}` : "wrong" in read ? read.wrong : undefined;
  if (wrong !== undefined) say(`${path}/format`, wrong);
  if ("wrong" in read || wrong !== undefined) return;
  if (length !== undefined && !usage && format.length > length)
    say(`${path}/format`, `has ${format.length} characters; the field has ${length}`);
  if (kind === "date" && read.hasTime) say(`${path}/format`, `has a time; ${name} is a date`);
  if (kind === "datetime" && !read.hasTime) say(`${path}/format`, `needs the time (hh, mm): ${name} is a date and time`);
  if (kind === "datetime" && zone === undefined)
    say(`${path}/zone`, "is missing: a time without its zone could be any; say Z or such as +01:00");
}
