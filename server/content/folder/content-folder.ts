// Keeps the content of files in a folder.

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type Content, type Found, HASH, type Kept, type Received } from "../content.ts";
import { asStoreError, receiveInto } from "../receive-file.ts";
import { removeContent } from "../remove-content.ts";
import { makeFolders, namesIn, passMissing, placesIn, syncFolder } from "./folder-places.ts";
import { folderRemoval } from "./folder-removal.ts";
import { createPiecesFolder } from "./pieces-folder.ts";

const LOOKS = 3; // for content that changes its place meanwhile

/**
 * `folder`: is made with the first content. Below it `ab/abcd…` is content, `incoming` has what comes and a mark for each hash that a write
 * is about to name, `leaving` what is taken out of its place to be removed, and `unfinished` pieces of files that
 * come in several requests.
 */
export function createContentFolder(folder: string): Content {
  const places = placesIn(folder);
  const { incoming, leaving, unfinished, placeOf } = places;

  async function receive(stream: Readable, most: number, tooLarge: () => Error): Promise<Received> {
    stream.on("error", () => undefined); // it may break off before it is read, and is told so then
    await makeFolders(incoming);
    const id = randomUUID();
    const path = join(incoming, id);
    const file = await open(path, "wx", 0o600).catch(asStoreError);
    const drop = () => rm(path, { force: true });
    try {
      const received = await receiveInto(file, stream, most, tooLarge);
      await file.sync();
      await file.close();
      return { ...received, read: () => createReadStream(path), drop, keep: () => keep(path, received.hash, id) };
    } catch (error) {
      await file.close().catch(() => undefined); // the first error counts
      await drop();
      return asStoreError(error);
    }
  }

  async function keep(path: string, hash: string, id: string): Promise<Kept> {
    const mark = join(incoming, `${hash}.${id}`);
    const release = () => rm(mark, { force: true });
    try {
      await (await open(mark, "wx", 0o600)).close();
      await makeFolders(join(folder, hash.slice(0, 2)));
      await rename(path, placeOf(hash)); // over the same content, if it is there
      for (const one of [join(folder, hash.slice(0, 2)), folder]) await syncFolder(one);
      return { release };
    } catch (error) {
      await Promise.all([release(), rm(path, { force: true })]);
      return asStoreError(error);
    }
  }

  /** Lists the paths at which the content is now. */
  async function pathsOf(hash: string): Promise<string[]> {
    const left = await namesIn(leaving);
    return [placeOf(hash), ...left.filter((name) => name.startsWith(hash)).map((name) => join(leaving, name))];
  }

  async function find(hash: string): Promise<Found | undefined> {
    if (!HASH.test(hash)) return undefined;
    for (let turn = 0; turn < LOOKS; turn++)
      for (const path of await pathsOf(hash)) {
        const file = await open(path, "r").catch(passMissing);
        if (!file) continue;
        const { size } = await file.stat();
        return { size, stream: async (range) => file.createReadStream(range), close: () => file.close() };
      }
    return undefined;
  }

  async function list(): Promise<string[]> {
    const parts = (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
    const names = await Promise.all(parts.map((part) => namesIn(join(folder, part))));
    return names.flat().filter((name) => HASH.test(name));
  }

  return {
    pieces: createPiecesFolder(unfinished),
    receive,
    find,
    list,
    remove: (hashes, named) => removeContent(folderRemoval(places), hashes, named),
  };
}
