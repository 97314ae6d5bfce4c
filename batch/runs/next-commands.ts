// What the operator may type next, so that it works in whatever folder it is typed. Runs nothing.

import { stateFolder } from "../formats/source-file.ts";
import type { StoredRun } from "./run-registry.ts";

/**
 * `folder`: where the run's state is kept. A run that goes on is named by its file where the state lies beside that; otherwise by its id,
 * which holds wherever a watched folder has moved the file, and an undo always, as it takes back a run whatever became of the file.
 */
export function commandFor(name: "resume" | "undo", { id, path }: Pick<StoredRun, "id" | "path">, folder: string): string {
  const isBeside = name === "resume" && folder === stateFolder(path, undefined);
  return typed(isBeside ? [name, path] : [name, id, "--state", folder]);
}

export function statusCommand(folder: string): string {
  return typed(["status", "--state", folder]);
}

export function typed(words: readonly string[]): string {
  return `npm run batch -- ${words.map(quoted).join(" ")}`;
}

/** As a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
