// The floor for uploading: a Node client that posts prepared JSON batches and ignores the results.

import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { ADVISED_BATCH } from "../../core/contract/limits.ts";
import { CUSTOMER_HEADER, type CustomerRow, customerRows } from "../support/customers.ts";
import type { Service } from "../support/service.ts";

const IN_FLIGHT = 4; // requests, as the app has

/** The bodies of all batches, made before the clock starts. */
export function prepareBatches(rows: number, seed: number): string[] {
  return [...batchesOf(rows, seed)];
}

/** The body of one batch after the other. */
export function* batchesOf(rows: number, seed: number): Generator<string> {
  let records: unknown[] = [];
  for (const row of customerRows(rows, seed)) {
    records.push(toRecord(row));
    if (records.length < ADVISED_BATCH) continue;
    yield JSON.stringify({ customers: records });
    records = [];
  }
  if (records.length > 0) yield JSON.stringify({ customers: records });
}

/** Posts all batches, four at a time, and returns the seconds. `source`: for the history. Throws when one is refused. */
export async function post(service: Service, bodies: Iterable<string>, source?: string, path = "/v1/customers"): Promise<number> {
  const token = await service.signIn();
  const run = Math.random().toString(36).slice(2);
  let sent = 0;
  const rest = bodies[Symbol.iterator]();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (let { value, done } = rest.next(); !done; { value, done } = rest.next()) {
        await postOne(service, { token, key: `${run}-${sent++}`, source, path }, value as string);
      }
    }),
  );
  return (performance.now() - started) / 1000;
}

interface Sender {
  token: string;
  key: string;
  source: string | undefined;
  /** The address of the collection. */
  path: string;
}

async function postOne(service: Service, { token, key, source, path }: Sender, body: string): Promise<void> {
  const reply = await fetch(`${service.origin}${path}?onError=continue&onConflict=error`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      ...(source && { [SOURCE_HEADER]: source }),
    },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const text = await reply.text();
  if (reply.status !== 207) throw new Error(`The service answered ${reply.status}: ${text.slice(0, 300)}`);
}

function toRecord([id, ...texts]: CustomerRow): Record<string, string | number> {
  const given = texts.map((text, i) => [CUSTOMER_HEADER[i + 1], text]).filter(([, text]) => text !== "");
  return { objectId: Number(id), ...Object.fromEntries(given) };
}
