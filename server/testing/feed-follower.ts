// A process that follows the change feed from a cursor and writes a line for each change: cursor, record, version.

import { writeSync } from "node:fs";
import type { ChangePage } from "../../core/contract/history.ts";

const [url, token, cursor] = process.argv.slice(2) as [string, string, string];
const limit = 1 + (process.pid % 40); // pages of many sizes
const headers = { authorization: `Bearer ${token}` };

for (let after = cursor; ; ) {
  const reply = await fetch(`${url}/v1/changes?after=${after}&limit=${limit}&wait=5`, { headers });
  const { changes, next } = (await reply.json()) as ChangePage;
  // One write a line, so that whoever kills the process gets whole lines.
  for (const { cursor: place, objectId, version } of changes) writeSync(1, `${place} ${objectId} ${version}\n`);
  after = next;
}
