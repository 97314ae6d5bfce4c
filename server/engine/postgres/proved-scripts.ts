// Scripts as transactions that can be found again after the connection broke at COMMIT.

import { randomBytes } from "node:crypto";
import { runOn } from "../script/run-postgres.ts";
import type { Script } from "../script/script.ts";
import type { Connections } from "./connections.ts";

const KEEP_PROOF = 3_600_000; // ms; far longer than a commit is in doubt

/** Any script may have written any rows, so each transaction has one row of its own to be found by after a lost COMMIT. */
export function createProvedScripts({ transact }: Pick<Connections, "transact">): (begin: () => Script<unknown>) => Promise<unknown> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async (begin) => {
    const id = randomBytes(16);
    return transact(
      async (query) => {
        const result = await runOn(query, begin());
        const now = Date.now();
        await query("INSERT INTO people_commits (id, at) VALUES ($1, $2)", [id, now]);
        if (Math.abs(now - sweptAt) < KEEP_PROOF) return result;
        sweptAt = now;
        await query("DELETE FROM people_commits WHERE at < $1", [now - KEEP_PROOF]);
        return result;
      },
      async (query) => (await query("SELECT 1 FROM people_commits WHERE id = $1", [id])).count > 0,
    );
  };
}
