// Makes an update of a stored record out of each row of which the user said that it is that record.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { SimilarTarget } from "../model/corrections.ts";
import type { Plan, RowMode } from "../model/plan.ts";
import type { RowWay } from "./batches.ts";

/** Returns how a row is sent, and makes its record name the stored one. `mode`: where the file says it for each row. */
export function wayFinder({
  collection,
  plan,
}: {
  collection: Collection;
  plan: Plan;
}): (row: number, record: Fields, mode: RowMode | undefined) => RowWay | undefined {
  const targets = targetsOf(plan);
  if (targets.size === 0) return (_, __, mode) => (mode === undefined ? undefined : { mode });
  return (row, record, mode) => {
    const target = targets.get(row);
    const own = mode ?? plan.mode;
    if (target === undefined || own === "delete" || own === "update") {
      // A request that asks for versions asks each row that may change a record.
      const isVersioned = own === "create" && plan.matchBy === undefined;
      return isVersioned ? { mode: own, isVersioned } : mode === undefined ? undefined : { mode };
    }
    for (const name in record) if (record[name] === null && !plan.clears) delete record[name]; // a gap in place of a default for new records
    record[collection.key.name] = target.id;
    return { mode: "update", version: target.version, isVersioned: true };
  };
}

/** Maps a row to the stored record that it changes. */
export function targetsOf({ fixes }: Pick<Plan, "fixes">): Map<number, SimilarTarget> {
  const all = Object.entries(fixes?.similar ?? {});
  return new Map(all.flatMap(([row, to]) => (to !== null && to !== "new" ? [[Number(row), to] as const] : [])));
}
