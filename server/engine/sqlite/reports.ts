// The views for reports, in the store's file: report_customers for the collection customers.

import type { Database } from "libsql";
import { compareReports, type Report } from "../report-views.ts";

const MADE = " AS /* Intake makes this view anew with each version of the dictionary. */ ";

/** Drops outdated views, before the tables change. What it returns makes the missing ones afterwards, and answers sentences. */
export function renewReports(db: Database, reports: readonly Report[]): () => string[] {
  const wanted = reports.map(({ collection, select }) => {
    const name = `report_${collection}`;
    return { name, mark: `CREATE VIEW "${name}"${MADE}${select}` };
  });
  const stored = db.prepare("SELECT name, sql FROM sqlite_schema WHERE name LIKE 'report\\_%' ESCAPE '\\'").raw().all() as string[][];
  const marks = stored.map(([name = "", sql]) => [name, sql?.includes(MADE) ? sql : undefined] as const);
  const { outdated, missing, notes } = compareReports(wanted, new Map(marks));
  for (const name of outdated) db.exec(`DROP VIEW "${name}"`);
  return () => {
    for (const { mark } of missing) db.exec(mark);
    return notes;
  };
}
