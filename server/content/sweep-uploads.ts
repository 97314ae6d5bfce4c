// Removes what is kept of files that nobody goes on with: dropped, expired, or of a record that was erased.

import type { Store } from "../engine/store.ts";
import type { Content } from "./content.ts";
import type { UploadPlace } from "./receive-pieces.ts";

export async function dropUpload({ content, uploads }: UploadPlace, id: string): Promise<void> {
  await uploads.removeUpload(id);
  await content.pieces.remove(id);
}

/** Removes the pieces of all that is not under way. Its place in the store comes before the first piece, so that no new one is removed. */
export async function sweepPieces({ pieces }: Content, { fileUploads }: Pick<Store, "fileUploads">): Promise<number> {
  const there = await pieces.list();
  if (there.length === 0) return 0;
  const underWay = new Set(await fileUploads.listUploads());
  const left = there.filter((id) => !underWay.has(id));
  for (const id of left) await pieces.remove(id);
  return left.length;
}

/** Forgets what has expired as well. Answers of how many files it has removed pieces. */
export async function sweepUploads(content: Content, store: Pick<Store, "fileUploads">): Promise<number> {
  while (await store.fileUploads.sweepUploads(Date.now()));
  return sweepPieces(content, store);
}
