// A backup of the whole store as one file, for administrators.

import { API_ROOT, BACKUP_PATH } from "../../core/contract/paths.ts";
import { SQLITE_TYPE } from "../../core/contract/records.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import type { Route } from "../http/route.ts";
import type { CheckProof } from "../people/auth/proof-check.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";

/** It needs a proof: the copy has all records, and the secrets with which the service seals and signs. */
export function backupRoute(store: Store, checkProof: CheckProof): Route {
  return {
    url: API_ROOT + BACKUP_PATH,
    GET: {
      scope: "admin",
      isUntimed: true,
      produces: [SQLITE_TYPE],
      doc: {
        id: "backup",
        summary: "The whole store as one SQLite file, as it is at one moment; on PostgreSQL there is none (404). It needs a proof",
        responses: store.copy ? { 200: { type: "string" } } : {},
        sentHeaders: { 200: ["Content-Disposition"] },
        errors: store.copy ? [] : [404],
      },
      async handle(request, session) {
        await checkProof(session);
        const { principal } = session;
        if (!store.copy) throw httpErrors.notFound("The store is a PostgreSQL database: use pg_dump.");
        const headers = {
          "content-type": SQLITE_TYPE,
          "content-disposition": `attachment; filename="intake-${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}.db"`,
          "cache-control": "no-store",
        };
        if (request.method === "HEAD") return { status: 200, headers, stream: [] };
        const { bytes, stream } = await store.copy();
        logSecurityEvent(request, "backed up", { principal });
        return { status: 200, headers: { ...headers, "content-length": String(bytes) }, stream };
      },
    },
  };
}
