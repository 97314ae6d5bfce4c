// The views for reports, in a schema of their own: reports.customers for the collection customers.

import { createHash } from "node:crypto";
import { quoted } from "../columns.ts";
import { compareReports, type Report } from "../report-views.ts";
import { codeOf } from "./database-errors.ts";
import type { Query } from "./pool.ts";

const MADE = "Intake makes this view anew with each version of the dictionary. ";

// Stores that share a database have different schemas, and so have their views.
const PLACE = `SELECT quote_ident(s.name), n.oid, quote_ident(current_user),
    CASE WHEN n.oid IS NULL THEN has_database_privilege(current_database(), 'CREATE') ELSE has_schema_privilege(n.oid, 'CREATE') END
  FROM (SELECT CASE current_schema() WHEN 'public' THEN 'reports' ELSE current_schema() || '_reports' END AS name) AS s
  LEFT JOIN pg_namespace n ON n.nspname = s.name`;

const STORED = "SELECT relname, CASE relkind WHEN 'v' THEN obj_description(oid, 'pg_class') END FROM pg_class WHERE relnamespace = $1";

const READERS = `SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
  FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass($1) AND privilege_type = 'SELECT' AND grantee <> relowner`;

/**
 * Drops outdated views, before the tables change. What it returns makes the missing ones afterwards, for those who might read them before, and
 * answers sentences. A view upon which others have built gets another name and goes on as it was, until nothing is built upon it.
 */
export async function renewReports(query: Query, reports: readonly Report[]): Promise<() => Promise<string[]>> {
  const [[schema, oid, user, mayMake] = []] = (await query(PLACE)).rows;
  const placeOf = (name: string) => `${schema}.${quoted(name)}`;
  const wanted = reports.map(({ collection: name, select }) => {
    const mark = MADE + createHash("sha256").update(select).digest("hex").slice(0, 16);
    return { name, mark, sql: [`CREATE VIEW ${placeOf(name)} AS ${select}`, `COMMENT ON VIEW ${placeOf(name)} IS '${mark}'`] };
  });
  const stored = oid === null ? [] : (await query(STORED, [oid])).rows;
  const marks = stored.map(([name, mark]) => [String(name), String(mark).startsWith(MADE) ? String(mark) : undefined] as const);
  const { outdated, missing, notes } = compareReports(wanted, new Map(marks));
  if (!mayMake && outdated.length + missing.length > 0) {
    const make = oid === null ? `CREATE SCHEMA ${schema} AUTHORIZATION ${user}` : `GRANT CREATE ON SCHEMA ${schema} TO ${user}`;
    return async () => [`reports: the views are not made until an administrator of the database runs ${make}`];
  }
  const readers = new Map<string, unknown[]>();
  for (const name of outdated) {
    readers.set(name, (await query(READERS, [placeOf(name)])).rows.flat());
    const reason = await drop(query, placeOf(name));
    if (reason === undefined) continue;
    const isNeeded = missing.some((one) => one.name === name);
    const old = `${name.slice(0, 40)}_until_${Date.now()}`;
    if (isNeeded) await query(`ALTER VIEW ${placeOf(name)} RENAME TO ${quoted(old)}`);
    notes.push(`reports: ${placeOf(isNeeded ? old : name)} stays as it was, because others have built upon it: ${reason}`);
  }
  return async () => {
    if (oid === null && missing.length > 0) await query(`CREATE SCHEMA ${schema}`);
    for (const { name, sql } of missing) {
      for (const statement of sql) await query(statement);
      for (const reader of readers.get(name) ?? []) await query(`GRANT SELECT ON ${placeOf(name)} TO ${reader}`);
    }
    return notes;
  };
}

export const OTHERS_DEPEND = "2BP01"; // SQLSTATE

/** Never drops what depends on the view: then it stays, and what the server says of that is answered. */
async function drop(query: Query, view: string): Promise<string | undefined> {
  await query("SAVEPOINT report");
  try {
    await query(`DROP VIEW ${view}`);
  } catch (error) {
    if (codeOf(error) !== OTHERS_DEPEND) throw error;
    await query("ROLLBACK TO SAVEPOINT report");
    return dependents(error);
  }
}

/** Returns what the server says depends on the thing that would go. */
export function dependents(error: unknown): string {
  return String((error as { detail?: unknown }).detail ?? (error as Error).message).replaceAll("\n", "; ");
}
