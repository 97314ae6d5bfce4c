// Keeps pieces of files that come in several requests: a folder for each upload, and in it a file for each piece.

import { open, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Pieces } from "../content.ts";
import { asStoreError } from "../receive-file.ts";
import { makeFolders, namesIn, passMissing, syncFolder } from "./folder-places.ts";

export function createPiecesFolder(folder: string): Pieces {
  const placeOf = (upload: string, piece = "") => join(folder, upload, piece);

  async function write(upload: string, piece: string, bytes: Buffer): Promise<void> {
    await makeFolders(placeOf(upload));
    const path = placeOf(upload, piece);
    const make = () => open(path, "wx", 0o600);
    // Between the two a request that this one takes over from may have removed the folder with its last piece.
    const again = (error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? makeFolders(placeOf(upload)).then(make) : Promise.reject(error);
    const file = await make().catch(again).catch(asStoreError);
    try {
      await file.writeFile(bytes);
      await file.sync();
      await file.close();
      for (const one of [placeOf(upload), folder]) await syncFolder(one);
    } catch (error) {
      await file.close().catch(() => undefined); // the first error counts
      await rm(path, { force: true });
      asStoreError(error);
    }
  }

  return {
    write,
    read: (upload, piece) => readFile(placeOf(upload, piece)).catch(passMissing),
    async remove(upload, piece) {
      await rm(placeOf(upload, piece), { recursive: true, force: true, maxRetries: 3 }); // a piece may just come
      if (piece !== undefined) await rmdir(placeOf(upload)).catch(() => undefined); // it has others, or is gone
    },
    list: () => namesIn(folder),
  };
}
