// Notices that a file was saved again after it was first read: Firefox reads on, in the new bytes. Chromium refuses.

/** SHA-256 of each slice that was read, by its place and length. */
type Digests = Map<string, Promise<string>>;

const READ = new WeakMap<Blob, Digests>();
const PLACES = new WeakMap<Blob, { file: Blob; from: number }>();

/** Returns a part of a file. What is read of it is compared with what was read there before. */
export function partOf(file: Blob, from: number, to: number): Blob {
  const part = file.slice(from, to);
  PLACES.set(part, { file, from });
  return part;
}

/**
 * Says whether these bytes from `from` on are the same as when this slice was first read. It is true for one that is read for the first time,
 * and where the browser has no digests, as on a page without HTTPS.
 */
export async function isSame(blob: Blob, from: number, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (!globalThis.crypto?.subtle) return true;
  const place = PLACES.get(blob);
  const file = place?.file ?? blob;
  const digests = READ.get(file) ?? new Map<string, Promise<string>>();
  READ.set(file, digests);
  const slice = `${(place?.from ?? 0) + from} ${bytes.length}`;
  const [before, now] = [digests.get(slice), digestOf(bytes)];
  if (before) return (await before) === (await now);
  digests.set(slice, now); // not awaited: the bytes are used meanwhile
  return true;
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
