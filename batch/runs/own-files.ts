// The state folder and its files: this user's alone, and never through a symbolic link that somebody else put there.
// Without promises: a watcher reads and writes small files again and again, and a promise costs it several times as much.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";

/** Windows has neither; there only administrators and developers may make symbolic links. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Flags of `open` for a file to read and append to, which is created when there is none. */
export const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | O_NOFOLLOW;

const WRITABLE_BY_OTHERS = 0o022;

/** Creates the folder unless it is there. Throws CommandError when it cannot be used: without a journal nothing is sent. */
export async function prepareFolder(folder: string): Promise<void> {
  if (statsOf(folder)) return requireOwnFolder(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return requireOwnFolder(folder);
    throw unusable(folder, systemError(error) ?? "it cannot be made");
  }
}

/** Throws CommandError for a folder in which somebody else may have put runs. One that is not there is all right. */
export async function requireOwnFolder(folder: string): Promise<void> {
  const found = statsOf(folder);
  if (!found) return;
  if (found.isSymbolicLink()) throw unusable(folder, "it is a symbolic link");
  if (!found.isDirectory()) throw unusable(folder, "it is no folder");
  if (process.getuid && found.uid !== process.getuid()) throw unusable(folder, "it belongs to another user");
  if (process.platform !== "win32" && (found.mode & WRITABLE_BY_OTHERS) !== 0)
    throw unusable(folder, "other users may write to it (chmod go-w ends that)");
}

/** Returns undefined when there is nothing. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function unusable(folder: string, why: string): CommandError {
  return new CommandError(EXIT.nothing, `The state folder ${folder} cannot be used: ${why}. Name another one with --state.`);
}

/** Returns the text of a file that is no symbolic link. Does not wait for the writer of a pipe. */
export async function readOwnFile(path: string): Promise<string> {
  const file = openSync(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** These codes say that a system does not open or flush folders. Any other error, such as too many open files, is one of this folder. */
const NOT_FOR_FOLDERS = ["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP", "EBADF"];

/** Makes new names in a folder durable. Systems that do not support it need no such call. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!NOT_FOR_FOLDERS.includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/** After a power cut the file has either the old text or the new one. */
export async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `${name}.${randomBytes(6).toString("hex")}.new`);
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, join(folder, name));
  } catch (error) {
    rmSync(draft, { force: true }); // on a full disk it takes room until somebody finds it
    throw error;
  }
  await syncFolder(folder);
}
