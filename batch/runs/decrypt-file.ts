// Reads encrypted files through a command such as gpg. Their clear text never has a name on the disk.

import { randomBytes } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openAsBlob, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { CommandError, EXIT, InvalidFile } from "../console/exit-codes.ts";
import { prepareFolder } from "./own-files.ts";
import { runShell } from "./shell-command.ts";

const DESCRIPTORS = "/proc/self/fd";
const SMALL = 1024 * 1024; // bytes that are kept in memory
const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;

/** The clear text of the file at a path. Throws CommandError. */
export type Decrypt = (path: string) => Promise<Blob>;

/** `folderOf`: the state folder for a file, whose disk keeps the clear text while the file is open. The latest file stays open until the next one. */
export function createDecrypt(line: string, folderOf: (path: string) => string, signal: AbortSignal): Decrypt {
  if (!existsSync(DESCRIPTORS))
    throw new CommandError(EXIT.nothing, "--decrypt needs a system with /proc, such as Linux. Decrypt the file before it is loaded.");
  let latest: { stamp: string; clear: Blob; file: number } | undefined;
  return async (path) => {
    const { ino, size, mtimeMs } = statSync(path);
    const stamp = `${path} ${ino} ${size} ${mtimeMs}`;
    if (latest?.stamp === stamp) return latest.clear;
    if (latest) closeSync(latest.file);
    latest = undefined;
    const file = await openNameless(folderOf(path));
    try {
      await decryptInto(file, path, line, signal);
      const place = join(DESCRIPTORS, String(file));
      const clear = fstatSync(file).size > SMALL ? await openAsBlob(place) : new Blob([readFileSync(place)]);
      latest = { stamp, clear, file };
      return clear;
    } finally {
      if (latest === undefined) closeSync(file);
    }
  };
}

async function openNameless(folder: string): Promise<number> {
  await prepareFolder(folder);
  const path = join(folder, `${randomBytes(6).toString("hex")}.new`);
  const file = openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  rmSync(path);
  return file;
}

async function decryptInto(file: number, path: string, line: string, signal: AbortSignal): Promise<void> {
  const source = openSync(path, "r");
  try {
    const failed = await runShell(line, { stdin: source, stdout: file, signal });
    const name = basename(path);
    if (failed !== undefined && signal.aborted)
      throw new CommandError(EXIT.nothing, `Nothing of ${name} was stored. The command was asked to stop.`);
    if (failed !== undefined) throw new InvalidFile(`Nothing of ${name} was stored: the command of --decrypt ${failed}`);
  } finally {
    closeSync(source);
  }
}
