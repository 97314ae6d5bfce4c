// Keeps who has a record open in a table, because several processes serve the people who look at one record.

import { MOST_LISTED, type Viewers } from "../viewers.ts";
import type { Query } from "./pool.ts";

const RENEW_EVERY = 20_000; // ms; when it is said more often, the row stays as it is
const SWEEP_AFTER = 100; // rows that this process has written

const ADD = `INSERT INTO viewers (collection, id, person, tab, name, until) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (collection, id, person, tab) DO UPDATE SET name = excluded.name, until = excluded.until
  WHERE viewers.until < excluded.until - ${RENEW_EVERY} RETURNING 1`;
const REMOVE = "DELETE FROM viewers WHERE collection = $1 AND id = $2 AND person = $3 AND tab = $4";
const SWEEP = "DELETE FROM viewers WHERE until <= $1";
const LIST = `SELECT person, min(name) FROM viewers WHERE collection = $1 AND id = $2 AND until > $3
  GROUP BY person ORDER BY min(name COLLATE "C") LIMIT ${MOST_LISTED}`;

/** Each statement may run twice, as `run` does after a broken connection. */
export function createViewers(run: Query): Viewers {
  let written = 0;
  return {
    async add({ collection, id }, { person, tab }, until) {
      const { rows } = await run(ADD, [collection, id, person.id, tab, person.name, until]);
      written += rows.length;
      if (written < SWEEP_AFTER) return;
      written = 0;
      await run(SWEEP, [Date.now()]);
    },
    async remove({ collection, id }, { person, tab }) {
      await run(REMOVE, [collection, id, person.id, tab]);
    },
    async list({ collection, id }, now) {
      const { rows } = await run(LIST, [collection, id, now]);
      return rows.map(([person, name]) => ({ type: "user", id: String(person), name: String(name) }));
    },
  };
}
