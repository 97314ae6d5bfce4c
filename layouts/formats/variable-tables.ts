// OCCURS DEPENDING ON: spreads a record out as if its tables were full, and closes it up again.

import { count } from "../../core/text/count.ts";
import type { Codec } from "../layouts/character-sets.ts";
import { placeOf } from "../layouts/field-codec.ts";
import type { Detail, FixedLayout, VariableTable } from "../layouts/layout.ts";
import { detailsOf } from "../layouts/select-detail.ts";
import { bytes as bytesAt } from "../layouts/validate/check-layout.ts";
import { inOrder, slides } from "../layouts/variable-table.ts";
import { lengthOf, nameRecord, type RawRecord } from "./split-records.ts";

type Spread = (record: RawRecord) => RawRecord;

/** Spreads every kind of detail record out. Other records are returned as they are. A record whose number of items is wrong has a reason in `wrong`. */
export function createSpread(layout: FixedLayout, codec: Codec): Spread {
  const spreads = detailsOf(layout).flatMap((detail) => (detail.occurs ? [spreadOne(layout, detail, codec)] : []));
  return (record) => spreads.reduce((spread, one) => one(spread), record);
}

function spreadOne({ recordType, recordLength }: FixedLayout, detail: Detail, codec: Codec): Spread {
  const tables = inOrder(detail.occurs);
  const blank = (codec.encode(" ") as Uint8Array)[0] as number;
  const type = recordType && placeOf(recordType);
  return (given) => {
    if (given.wrong !== undefined || (type && codec.openRecord(given.bytes)(type.from, type.to) !== detail.type)) return given;
    const bytes = Uint8Array.from(given.bytes);
    const absent: [number, number][] = [];
    let length = lengthOf(given);
    for (const table of tables) {
      const items = readItems(bytes, table, codec);
      if (typeof items === "string") return { ...given, wrong: `${nameRecord(given)}: ${items}` };
      const [end, full] = [table.start - 1 + items * table.length, table.start - 1 + table.max * table.length];
      if (end > length)
        return {
          ...given,
          wrong: `${nameRecord(given)} ends after byte ${length}, within the ${count(items, "item")} that it says it has.`,
        };
      if (slides(table)) {
        const moved = length + full - end;
        if (moved > recordLength)
          return {
            ...given,
            wrong: `${nameRecord(given)} has ${count(moved - recordLength, "byte")} more than the ${count(items, "item")} that it says it has.`,
          };
        bytes.copyWithin(full, end, length);
        length = moved;
      }
      bytes.fill(blank, end, full);
      if (full > end) absent.push([end, full]);
    }
    if (length < recordLength) {
      bytes.fill(blank, length);
      absent.push([length, recordLength]);
    }
    return { ...given, bytes, absent };
  };
}

/** Returns the record without the items that it has not. `counts`: how many items each table has, in the order of `inOrder`. */
export function closeUp(record: Uint8Array, layout: FixedLayout, counts: readonly number[]): Uint8Array {
  const tables = inOrder(layout.detail.occurs);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [i, table] of tables.entries()) {
    const [end, full] = [table.start - 1 + (counts[i] ?? table.max) * table.length, table.start - 1 + table.max * table.length];
    parts.push(record.subarray(at, slides(table) ? end : full));
    at = full;
  }
  return Buffer.concat([...parts, record.subarray(at)]);
}

/** Returns the number of items, or why there is none. */
function readItems(bytes: Uint8Array, { dependingOn, max }: VariableTable, codec: Codec): number | string {
  const { from, to } = placeOf(dependingOn);
  const text = codec.openRecord(bytes)(from, to, dependingOn.usage)?.trim() ?? "?";
  const where = `the number of items (${bytesAt(dependingOn)}) is`;
  if (!/^[0-9]+$/.test(text)) return `${where} “${text}”, which is not a number.`;
  return Number(text) > max ? `${where} ${Number(text)}; the table has at most ${max}.` : Number(text);
}
