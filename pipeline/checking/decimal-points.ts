// Finds out whether a file says what the point in "50.000" means: fifty, or fifty thousand.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { plainCell } from "../../core/text/csv.ts";
import type { DecimalSigns, Plan } from "../model/plan.ts";

/** 50.000 is no whole number as it stands, so for a field of whole numbers it is a problem anyway. */
export function hasDecimals({ kind }: Field): boolean {
  return KIND_TRAITS[kind].hasDecimals === true;
}

const EITHER = /^\s*[-+]?[1-9]\d{0,2}\.\d{3}\s*$/; // 1.234
const POINT = /^\s*[-+]?\d+\.\d+\s*$/;
const COMMA = /^\s*[-+]?[\d.]*\d,\d+\s*$/;
const COMMA_EITHER = /^\s*[-+]?[1-9]\d{0,2},\d{3}\s*$/; // 1,234

/**
 * Is true of a cell whose point may be a decimal sign or stand between thousands. In a workbook only text can end with a zero there:
 * numbers are stored without, so their point is a decimal sign.
 */
export function mayBeThousands(cell: string, { sheet, isExact }: Plan["dialect"]): boolean {
  return !isExact && EITHER.test(cell) && (sheet === undefined || cell.trimEnd().endsWith("0"));
}

/** Keeps what the numbers of a file say, while it is read. */
export interface PointWatch {
  see(rows: readonly (readonly string[])[]): void;
  /**
   * Returns the fields of which the file does not say it: no number in the column is clear, and none of the others has a decimal point
   * or one has a decimal comma. `isNeeded`: such a cell is in it. `signs`: of the numbers that are clear.
   */
  found(): { fields: string[]; isNeeded: boolean; signs: DecimalSigns };
}

export function watchPoints(collection: Collection, { columns, dialect }: Plan): PointWatch {
  const seen = collection.fields
    .filter((field) => hasDecimals(field) && columns.includes(field.name))
    .map(({ name }) => ({ name, at: columns.indexOf(name), hasEither: false, hasPoint: false, hasComma: false }));
  // In a workbook the point is that of a number cell, which says nothing of the cells of text.
  const isClear = ({ hasPoint }: { hasPoint: boolean }) => hasPoint && dialect.sheet === undefined;
  return {
    see(rows) {
      for (const column of seen) {
        if (isClear(column) && column.hasComma) continue;
        for (const row of rows) {
          const cell = plainCell(row[column.at] ?? "", dialect.isExact);
          if (mayBeThousands(cell, dialect)) column.hasEither = true;
          else if (POINT.test(cell)) column.hasPoint = true;
          else if (COMMA.test(cell) && !COMMA_EITHER.test(cell)) column.hasComma = true;
        }
      }
    },
    found() {
      const isPointElsewhere = seen.some(isClear) && !seen.some(({ hasComma }) => hasComma);
      const unsure = seen.filter((column) => !isClear(column) && !isPointElsewhere);
      const signs = seen.flatMap(({ name, hasPoint, hasComma }) => {
        const own = (hasPoint ? "." : "") + (hasComma ? "," : "");
        return own ? [[name, own] as const] : [];
      });
      return {
        fields: unsure.map(({ name }) => name),
        isNeeded: unsure.some(({ hasEither }) => hasEither),
        signs: Object.fromEntries(signs),
      };
    },
  };
}
