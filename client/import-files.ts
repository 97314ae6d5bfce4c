// Imports of whole files: the service reads them, and stores their rows in the background.

import type { Import, ImportOptions } from "../core/contract/imports.ts";
import { importPath, importsPath } from "../core/contract/paths.ts";
import type { Client } from "./http-client.ts";
import { type RetryOptions, withRetries } from "./retries.ts";

const PATIENCE = 3_600_000; // ms: a large file by a slow line
const EVERY = 2_000; // ms

export interface ImportFileOptions extends ImportOptions, RetryOptions {
  /** The name of the file in Uploads; that of a `File` unless given. */
  name?: string;
  /** A text of your own for this file. The same file with the same key is one import, also by a program that begins anew. */
  idempotencyKey?: string;
}

/**
 * Sends a file (CSV, xlsx, ods or JSON Lines) and resolves once the service has it. What becomes of its rows, `untilImported` tells.
 *
 * @example
 * const { id } = await importFile(client, "customers", await openAsBlob("monday.csv"), { name: "monday.csv", recipe: "SAP" });
 * const { state, counts, problems, why } = await untilImported(client, id);
 */
export async function importFile(
  client: Client,
  collection: string,
  content: Blob,
  {
    name = (content as Partial<File>).name,
    idempotencyKey = crypto.randomUUID(),
    patience,
    signal,
    matchBy,
    acknowledge,
    ...options
  }: ImportFileOptions = {},
): Promise<Import> {
  const lists = { matchBy: matchBy?.join(","), acknowledge: typeof acknowledge === "string" ? acknowledge : acknowledge?.join(",") };
  const texts = Object.entries(options).map(([parameter, value]): [string, string] => [parameter, String(value)]);
  const headers = { "Content-Type": content.type || "application/octet-stream", "Idempotency-Key": idempotencyKey };
  const sent = { query: { name, ...lists, ...Object.fromEntries(texts) }, headers, body: content, signal, patience: PATIENCE };
  const send = async () => (await client.request("POST", importsPath(collection), sent)).json as Import;
  return withRetries(send, { patience, signal });
}

/** Reads how far an import is. Its id is that of its run, too. */
export async function readImport(client: Client, id: string, signal?: AbortSignal): Promise<Import> {
  return (await client.request("GET", importPath(id), { signal })).json as Import;
}

/** Ends an import. What is stored by then stays, until its run is taken back. */
export async function cancelImport(client: Client, id: string): Promise<Import> {
  return (await client.request("DELETE", importPath(id))).json as Import;
}

/** Resolves when the import has ended, however that was. `every`: milliseconds between two questions, 2,000 unless given. */
export async function untilImported(
  client: Client,
  id: string,
  { every = EVERY, ...retry }: RetryOptions & { every?: number } = {},
): Promise<Import> {
  for (;;) {
    const found = await withRetries(() => readImport(client, id, retry.signal), retry);
    if (found.endedAt !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
