// Sends a large file of a record in several requests, which goes on where a connection broke off (tus 1.0).

import { PIECE_TYPE, TUS_VERSION } from "../core/contract/file-uploads.ts";
import { fileUploadsPath } from "../core/contract/paths.ts";
import { etagOf, type WireRecord } from "../core/contract/records.ts";
import { ApiError } from "./errors.ts";
import { fetchWithProgress } from "./fetch-with-progress.ts";
import type { SentFile } from "./files.ts";
import type { Client } from "./http-client.ts";
import { isPassing, withRetries } from "./retries.ts";
import { acknowledgement } from "./write-records.ts";

const SLICE = 8_388_608; // bytes of one request: a proxy that passes bodies on when they are whole loses no more
const REQUEST_PATIENCE = 300_000; // ms for one request; what has come by then is kept
const PATIENCE = 600_000; // ms without a new byte, after which it gives up

/** Does as `putFile`, and as `addFile` where the field has several. The file that `unfinished` names is gone on with, if the service still has it. */
export async function putInPieces(
  client: Client,
  collection: string,
  { id, version }: { id: number; version?: number },
  field: string,
  { content, name, signal, acknowledge, onSent, patience = PATIENCE, unfinished = {} }: SentFile,
): Promise<WireRecord> {
  const path = fileUploadsPath(collection, id, field);
  const headers = { "Tus-Resumable": TUS_VERSION, ...(version !== undefined && { "If-Match": etagOf(id, version) }) };
  let offset: number | undefined; // undefined while nobody knows what the service has
  let kept = -1; // bytes that it had when it was asked last

  async function begin(): Promise<string> {
    const own = { ...headers, "Upload-Length": String(content.size) };
    const { headers: made } = await client.request("POST", path, { query: { name }, headers: own, signal });
    offset = 0;
    return `${path}/${made.get("Location")?.split("/").at(-1)}`;
  }

  /** Returns undefined where it is not, or no longer, under way. */
  async function ask(address: string): Promise<number | undefined> {
    try {
      return Number((await client.request("HEAD", address, { headers, signal })).headers.get("Upload-Offset"));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Sends one slice. Resolves with the record after the last one. */
  async function send(): Promise<WireRecord | undefined> {
    if (unfinished.address !== undefined) offset ??= await ask(unfinished.address);
    if (unfinished.address === undefined || offset === undefined) unfinished.address = await begin();
    const from = offset ?? 0;
    offset = undefined;
    kept = from;
    const reply = await client.request("PATCH", unfinished.address, {
      query: acknowledgement(acknowledge),
      headers: { ...headers, "Upload-Offset": String(from), "Content-Type": PIECE_TYPE },
      body: content.slice(from, from + SLICE),
      signal,
      patience: REQUEST_PATIENCE,
      fetch: onSent && fetchWithProgress((bytes) => onSent(from + bytes)),
    });
    offset = Number(reply.headers.get("Upload-Offset"));
    return reply.status === 200 ? (reply.json as WireRecord) : undefined;
  }

  async function sendOn(): Promise<WireRecord | undefined> {
    const before = kept;
    try {
      return await withRetries(send, { patience, signal });
    } catch (error) {
      if (kept > before && isPassing(error) && !signal?.aborted) return undefined; // slowly, but it goes on
      throw error;
    }
  }

  try {
    for (;;) {
      const record = await sendOn();
      if (record) return record;
    }
  } catch (error) {
    if (signal?.aborted && unfinished.address !== undefined) drop(client, unfinished.address);
    throw error;
  }
}

function drop(client: Client, address: string): void {
  void client.request("DELETE", address).catch(() => undefined); // otherwise it expires
}
