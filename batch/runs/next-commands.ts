// The commands that messages tell the operator to run next. They work in any folder.

import { COMMAND_LINE } from "../console/command-line.ts";
import { stateFolder } from "../formats/source-file.ts";
import type { StoredRun } from "./run-registry.ts";

/**
 * `folder`: the state folder of the run. A resume names the file when its state folder is beside it. Otherwise it names the id, which
 * stays right when a watched folder moves the file. An undo always names the id, because it works without the file.
 */
export function commandFor(name: "resume" | "undo", { id, path }: Pick<StoredRun, "id" | "path">, folder: string): string {
  const isNextToFile = name === "resume" && folder === stateFolder(path, undefined);
  return formatCommand(isNextToFile ? [name, path] : [name, id, "--state", folder]);
}

export function statusCommand(folder: string): string {
  return formatCommand(["status", "--state", folder]);
}

export function formatCommand(words: readonly string[]): string {
  return `${COMMAND_LINE} ${words.map(quoted).join(" ")}`;
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
