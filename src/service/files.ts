// The files of records: sent, removed and read with the rights of who is signed in.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { addFile, putFile, readFile, removeFile, takeFileOut, type UnfinishedFile } from "../../client/files.ts";
import type { Client } from "../../client/http-client.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { FileValue } from "../../core/dictionary/files.ts";
import { cacheSavedRecord } from "./cache-updates.ts";
import { idOf } from "./records.ts";

interface FileChange {
  record: WireRecord;
  /** Undefined: the file is removed. */
  file: File | undefined;
  /** Says which one is removed of several. */
  hash?: string | undefined;
  signal: AbortSignal;
  /** Is told how many bytes have left so far. */
  onSent: (bytes: number) => void;
}

/** Says where the service keeps what has come of a large file, so that it goes on there when it is sent again, also from another page. */
const unfinished = new WeakMap<File, UnfinishedFile>();

function unfinishedOf(file: File): UnfinishedFile {
  const known = unfinished.get(file) ?? {};
  unfinished.set(file, known);
  return known;
}

/** Sends or removes the file of a field, against the version that the user saw. `onStored`: called before lists and pages get the new version. */
export function useChangeFile(client: Client, collection: Collection, field: Field, onStored: (record: WireRecord) => void) {
  const queries: QueryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ record, file, hash, signal, onSent }: FileChange) => {
      const place = { id: idOf(collection, record), version: record.version };
      const { name } = field;
      const sent = file && { content: file, name: file.name, signal, onSent, unfinished: unfinishedOf(file) };
      if (sent && field.item) return addFile(client, collection.name, place, name, sent);
      if (hash !== undefined) return takeFileOut(client, collection.name, place, name, hash);
      return sent ? putFile(client, collection.name, place, name, sent) : removeFile(client, collection.name, place, name);
    },
    onSuccess: (record) => {
      onStored(record);
      return cacheSavedRecord(queries, collection, record);
    },
  });
}

/** Returns the content of a file in memory. Its type is none that a browser would show by itself. */
export async function readContent(
  client: Client,
  collection: Collection,
  id: number,
  { name, item }: Field,
  { hash }: FileValue,
  signal?: AbortSignal,
): Promise<Blob> {
  const stream = await readFile(client, collection.name, id, name, { signal, hash: item && hash });
  return new Blob([await new Response(stream).blob()], { type: "application/octet-stream" });
}
