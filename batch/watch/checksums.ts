// Checksum files beside a file, as sha256sum and md5sum write them: `customers.csv.sha256`.

import { createHash } from "node:crypto";
import { createReadStream, lstatSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { InvalidFile } from "../console/exit-codes.ts";
import { readOwnFile } from "../runs/own-files.ts";

const ALGORITHMS = ["sha256", "md5"] as const;
export const CHECKSUMS = ALGORITHMS.map((name) => `.${name}`);
/** A shorter checksum file is not written to its end. */
export const SHORTEST: Readonly<Record<string, number>> = { ".sha256": 64, ".md5": 32 };
const MOST_BYTES = 65_536; // of a checksum file
const DIGEST: Record<(typeof ALGORITHMS)[number], RegExp> = { sha256: /\b[0-9a-f]{64}\b/gi, md5: /\b[0-9a-f]{32}\b/gi };

/** Reads the whole file when a checksum lies beside it. Throws InvalidFile with both values when they differ. */
export async function requireChecksum(path: string, signal: AbortSignal): Promise<void> {
  for (const algorithm of ALGORITHMS) {
    const checksumPath = `${path}.${algorithm}`;
    const found = lstatSync(checksumPath, { throwIfNoEntry: false });
    if (!found?.isFile()) continue;
    const text = found.size > MOST_BYTES ? "" : await readOwnFile(checksumPath);
    const promised = text
      .match(DIGEST[algorithm])
      ?.find((digits) => !isName(digits, text))
      ?.toLowerCase();
    const nothing = `Nothing of ${basename(path)} was stored:`;
    if (promised === undefined) throw new InvalidFile(`${nothing} ${basename(checksumPath)} has no ${algorithm} checksum.`);
    const hash = createHash(algorithm);
    await pipeline(createReadStream(path), hash, { signal });
    const actual = hash.digest("hex");
    if (actual === promised) continue;
    const sentence = `${nothing} its ${algorithm} checksum is ${actual}, and ${basename(checksumPath)} says ${promised}.`;
    throw new InvalidFile(`${sentence} Have the file sent again.`);
  }
}

/** Says whether the digits are part of the file's name, as in `MD5 (0123….csv) = …`: a checksum ends its word. */
function isName(digits: string, text: string): boolean {
  const at = text.indexOf(digits);
  return !/^[\s\\]?$/.test(text.slice(Math.max(at - 1, 0), at)) || !/^(?:\s|$)/.test(text.slice(at + digits.length));
}
