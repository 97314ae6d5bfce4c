// The whole store as one file, for administrators: a copy of one moment, made while everybody goes on working. Knows no SQL.

import { API_ROOT, BACKUP_PATH } from "../../core/contract/paths.ts";
import { SQLITE_TYPE } from "../../core/contract/records.ts";
import { notFound } from "../http/errors.ts";
import { readParameters } from "../http/query-parameters.ts";
import type { Door } from "../http/route.ts";
import type { Store } from "../store/store.ts";

export function backupDoor(store: Store): Door {
  return {
    url: API_ROOT + BACKUP_PATH,
    GET: {
      scope: "admin",
      gives: [SQLITE_TYPE],
      doc: {
        id: "backup",
        summary: "The whole store as one SQLite file, as it is at one moment; on PostgreSQL there is none (404)",
        answers: store.copy ? { 200: { type: "string" } } : {},
        tells: { 200: ["Content-Disposition"] },
        refuses: store.copy ? [] : [404],
      },
      async handle(request) {
        readParameters(request.query, {});
        if (!store.copy) throw notFound("The store is a PostgreSQL database: use pg_dump.");
        const headers = {
          "content-type": SQLITE_TYPE,
          "content-disposition": `attachment; filename="intake-${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}.db"`,
          "cache-control": "no-store",
        };
        if (request.method === "HEAD") return { status: 200, headers, stream: [] };
        const { bytes, stream } = await store.copy();
        return { status: 200, headers: { ...headers, "content-length": String(bytes) }, stream };
      },
    },
  };
}
