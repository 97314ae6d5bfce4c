// Attempts to guess a secret, in a table of PostgreSQL: several processes then allow no more than one.

import { createHash } from "node:crypto";

interface Limit {
  name: string;
  most: number;
}

export interface AttemptTable {
  /**
   * Counts one attempt under each name, unless one of them has had its `most` in a window of so many ms: then none is counted. `wait`:
   * ms until the name that is full has room. `giveBack` takes back what was counted, if its windows go on.
   */
  count(limits: readonly Limit[], ms: number): Promise<{ giveBack(): Promise<void> } | { full: Limit; wait: number }>;
}

/** Is what PostgreSQL's connections offer. */
type Query = (sql: string, parameters: readonly unknown[]) => Promise<{ rows: (string | number | null | Buffer)[][] }>;

const SWEEP_AFTER = 100; // attempts that this process has counted

// It takes the database's clock, because those of the processes may differ.
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
// The clock was set back meanwhile where a window lies far ahead.
const GOES_ON = `(attempts.until > ${NOW} AND attempts.until <= ${NOW} + 2 * $3::bigint)`;
const COUNT = `INSERT INTO attempts (name, remaining, until) VALUES ($1, $2::integer - 1, ${NOW} + $3::bigint)
  ON CONFLICT (name) DO UPDATE SET
    remaining = CASE WHEN ${GOES_ON} THEN attempts.remaining - 1 ELSE excluded.remaining END,
    until = CASE WHEN ${GOES_ON} THEN attempts.until ELSE excluded.until END
  WHERE attempts.remaining > 0 OR NOT ${GOES_ON} RETURNING until`;
const WAIT = `SELECT until - ${NOW} FROM attempts WHERE name = $1`;
const GIVE_BACK = "UPDATE attempts SET remaining = remaining + 1 WHERE name = $1 AND until = $2";
const SWEEP = `DELETE FROM attempts WHERE until <= ${NOW}`;

/**
 * Each statement is a transaction of its own with one row, so that no two of them can wait for each other. It may run twice, as `run`
 * does after a broken connection; then one attempt counts as two.
 */
export function createAttemptTable(run: Query): AttemptTable {
  let counted = 0;

  async function sweep(): Promise<void> {
    if (counted++ % SWEEP_AFTER === 0) await run(SWEEP, []);
  }

  async function giveBack(windows: readonly (readonly [string, number])[]): Promise<void> {
    for (const window of windows) await run(GIVE_BACK, window);
  }

  return {
    async count(limits, ms) {
      await sweep();
      const windows: [string, number][] = [];
      for (const limit of limits) {
        const name = rowName(limit.name);
        const [row] = (await run(COUNT, [name, limit.most, ms])).rows;
        if (!row) {
          await giveBack(windows);
          const { rows } = await run(WAIT, [name]);
          return { full: limit, wait: Math.max(1, Number(rows[0]?.[0] ?? 1)) };
        }
        windows.push([name, Number(row[0])]);
      }
      return { giveBack: () => giveBack(windows) };
    },
  };
}

/** Names hold addresses of people, so only their hash is stored; all have one length. */
function rowName(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}
