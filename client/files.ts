// The files of records: the content of a field with a file.

import { filePath, oneFilePath } from "../core/contract/paths.ts";
import { type Acknowledged, etagOf, type WireRecord } from "../core/contract/records.ts";
import { fetchWithProgress } from "./fetch-with-progress.ts";
import type { Client } from "./http-client.ts";
import { putInPieces } from "./put-in-pieces.ts";
import { acknowledgement } from "./write-records.ts";

const PATIENCE = 3_600_000; // ms: a large file by a slow line

/** Content of more bytes goes in several requests, and goes on by itself after a connection that broke. */
export const LARGE_FILE = 16_777_216;

export interface UnfinishedFile {
  /** Says where the service keeps what has come. */
  address?: string;
}

export interface SentFile {
  content: Blob;
  /** The name under which it is saved later. */
  name: string;
  signal?: AbortSignal | undefined;
  acknowledge?: Acknowledged | undefined;
  /** Is told how many bytes have left so far, in a browser. After an expired session, or a connection that broke, they are fewer again. */
  onSent?: ((bytes: number) => void) | undefined;
  /** Milliseconds without a new byte after which a large file is given up: ten minutes unless given. */
  patience?: number | undefined;
  /** Notes where a large file is kept: given again with the same content after an error, it goes on there. */
  unfinished?: UnfinishedFile | undefined;
}

/**
 * Stores the file of a record, in the place of the one that is there, and resolves with the record. Throws `ApiError` with status 412 when
 * the record no longer has `version`, 413 when the file is too large, and 415 when the field takes no files of this type. A large file (more
 * than LARGE_FILE) is sent again from where a connection broke; an abort of `signal` removes what has come of it.
 */
export async function putFile(
  client: Client,
  collection: string,
  { id, version }: { id: number; version: number },
  field: string,
  sent: SentFile,
): Promise<WireRecord> {
  const { content, name, signal, acknowledge, onSent } = sent;
  if (content.size > LARGE_FILE) return putInPieces(client, collection, { id, version }, field, sent);
  const headers = { "If-Match": etagOf(id, version), "Content-Type": content.type || "application/octet-stream" };
  const query = { name, ...acknowledgement(acknowledge) };
  const options = { query, headers, body: content, signal, patience: PATIENCE, fetch: onSent && fetchWithProgress(onSent) };
  return (await client.request("PUT", filePath(collection, id, field), options)).json as WireRecord;
}

/** Takes the file out of a record, and resolves with the record. Earlier versions keep theirs. Throws as `putFile` does. */
export async function removeFile(
  client: Client,
  collection: string,
  { id, version }: { id: number; version: number },
  field: string,
): Promise<WireRecord> {
  const headers = { "If-Match": etagOf(id, version) };
  return (await client.request("DELETE", filePath(collection, id, field), { headers })).json as WireRecord;
}

/**
 * Adds a file to a field with several, and resolves with the record. Others may add at the same time: without `version` nothing is in their
 * way. The same content again changes nothing but its name. Throws as `putFile` does, and with status 422 where the field is full.
 */
export async function addFile(
  client: Client,
  collection: string,
  { id, version }: { id: number; version?: number },
  field: string,
  sent: SentFile,
): Promise<WireRecord> {
  const { content, name, signal, acknowledge, onSent } = sent;
  if (content.size > LARGE_FILE) return putInPieces(client, collection, { id, ...(version !== undefined && { version }) }, field, sent);
  const headers = { ...matching(id, version), "Content-Type": content.type || "application/octet-stream" };
  const query = { name, ...acknowledgement(acknowledge) };
  const options = { query, headers, body: content, signal, patience: PATIENCE, fetch: onSent && fetchWithProgress(onSent) };
  return (await client.request("POST", filePath(collection, id, field), options)).json as WireRecord;
}

/** Takes one of several files out, by the SHA-256 of its content, and resolves with the record. Earlier versions keep theirs. */
export async function takeFileOut(
  client: Client,
  collection: string,
  { id, version }: { id: number; version?: number },
  field: string,
  hash: string,
): Promise<WireRecord> {
  const path = oneFilePath(collection, id, field, hash);
  return (await client.request("DELETE", path, { headers: matching(id, version) })).json as WireRecord;
}

function matching(id: number, version: number | undefined): Record<string, string> {
  return version === undefined ? {} : { "If-Match": etagOf(id, version) };
}

/** Returns the content of a record's file as a stream. `version`: of the record, for an earlier file. `hash`: says which of several is meant. */
export function readFile(
  client: Client,
  collection: string,
  id: number,
  field: string,
  { version, hash, signal }: { version?: number; hash?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const query = version === undefined ? {} : { version: String(version) };
  const path = hash === undefined ? filePath(collection, id, field) : oneFilePath(collection, id, field, hash);
  return client.download(path, { query, signal, headers: { Accept: "*/*" } });
}
