// Tells whether a file is the same as before, and if not, where it begins to differ.

import { t, tNumber } from "../../core/i18n/translate.ts";
import { readSlice } from "./text-blocks.ts";

/** SHA-256 of each block of the file, one after the other: 32 bytes per MiB. */
export interface Fingerprint {
  size: number;
  blocks: Uint8Array;
}

const BLOCK = 1024 * 1024; // bytes
const DIGEST = 32; // bytes

/**
 * Reads the file once and calls `each` with every block, for copying; its promise is awaited. Throws FileError when
 * the file can no longer be read, or has other bytes than when it was checked.
 */
export async function takeFingerprint(file: Blob, each?: (bytes: Uint8Array) => Promise<void> | void): Promise<Fingerprint> {
  const blocks = new Uint8Array(Math.ceil(file.size / BLOCK) * DIGEST);
  for (let from = 0, at = 0; from < file.size; from += BLOCK, at += DIGEST) {
    const bytes = await readSlice(file, from, BLOCK);
    blocks.set(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), at);
    await each?.(bytes);
  }
  return { size: file.size, blocks };
}

/** Returns undefined when the files are the same, byte for byte. Otherwise a sentence about the difference. */
export function howItDiffers(before: Fingerprint, now: Fingerprint): string | undefined {
  const length = Math.min(before.blocks.length, now.blocks.length);
  let at = 0;
  while (at < length && before.blocks[at] === now.blocks[at]) at++;
  if (before.size === now.size && at === before.blocks.length) return undefined;
  const n = tNumber(Math.abs(now.size - before.size));
  const size =
    before.size === now.size
      ? t("It is as long as before")
      : now.size > before.size
        ? t("It is {n} bytes longer", { n })
        : t("It is {n} bytes shorter", { n });
  const block = Math.floor(at / DIGEST);
  if (block === 0) return t("{size} and differs within its first MiB.", { size });
  return t("{size} and differs from MiB {block} on.", { size, block: block + 1 });
}
