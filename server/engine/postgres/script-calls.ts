// Runs scripts: reads, and writes as transactions that can be found again after the connection broke at COMMIT.

import { randomBytes } from "node:crypto";
import { runOn } from "../script/run-postgres.ts";
import { type Script, scriptNamed } from "../script/script.ts";
import { type RunWrite, writesOf } from "../scripts.ts";
import type { Connections } from "./connections.ts";

const KEEP_PROOF = 3_600_000; // ms; far longer than a commit is in doubt

/** Any script may have written any rows, so each transaction has one row of its own to be found by after a lost COMMIT. */
export function createScriptCalls({ read, transact }: Connections): { read(script: Script<unknown>): Promise<unknown>; write: RunWrite } {
  let sweptAt = Number.NEGATIVE_INFINITY;
  const write: RunWrite = (of, name, args) => {
    const id = randomBytes(16);
    return transact(
      async (query) => {
        const result = await runOn(query, scriptNamed(writesOf(of), name, args));
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
  return { write, read: (script) => runOn(read, script) };
}
