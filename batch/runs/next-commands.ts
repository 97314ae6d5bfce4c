// The commands that messages tell the operator to run next. They work in any folder.

import { basename } from "node:path";
import { isContained } from "../../pipeline/containers/row-source.ts";
import { COMMAND_LINE } from "../console/command-line.ts";
import type { ReadingChoices } from "../files/choose-reader.ts";
import { stateFolder } from "../files/source-file.ts";
import type { StoredRun } from "./run-registry.ts";

/**
 * `folder`: the state folder of the run. A resume names the file when its state folder is beside it. Otherwise it names the id, which
 * stays right when a watched folder moves the file. An undo always names the id, because it works without the file.
 */
export function commandFor(name: "resume" | "undo", { id, path }: Pick<StoredRun, "id" | "path">, folder: string): string {
  const isNextToFile = name === "resume" && folder === stateFolder(path, undefined);
  return formatCommand(isNextToFile ? [name, path] : [name, id, "--state", folder]);
}

/** Says in a sentence how rejects are loaded once they are right. `path`: the file of the rejected records. */
export function loadRejects(run: StoredRun, path: string): string {
  const { collection, parts, plan, readBy, dictionary } = run;
  const name = basename(path);
  if (readBy && "recipe" in readBy && parts)
    return `Correct ${name}, then load it with --layout and --collection ${collection}: the recipe would load the other collections again.`;
  const by = readBy ? ("recipe" in readBy ? ["--recipe", readBy.recipe] : ["--layout", readBy.layout]) : [];
  const { resources } = dictionary as { resources?: readonly unknown[] };
  const isNamed = parts !== undefined || (by.length === 0 && (resources ?? []).length > 1);
  const mode = plan.mode === "create" || by[0] === "--recipe" ? [] : ["--mode", plan.mode];
  const meaning = by.length > 0 ? [] : optionWords({ "match-by": plan.matchBy, "empty-cells": plan.clears && "clear" });
  const words = [
    "run",
    path,
    ...by,
    ...(isNamed ? ["--collection", collection] : []),
    ...mode,
    ...meaning,
    ...readingWords(choicesForRejects(run)),
  ];
  return `Correct ${name}, then load it with: ${formatCommand(words)}`;
}

/**
 * Rejects are written as their file is, but those of a workbook or an archive as CSV: UTF-8, commas, the first row is the heading. A recipe
 * may say another row, and of a packed file another encoding and separator.
 */
function choicesForRejects({ plan: { dialect }, readBy, readWith = {} }: StoredRun): ReadingChoices {
  if (!isContained(dialect)) return readWith;
  const { heading, suspectRows, acknowledge, onDuplicate, createParents } = readWith;
  return {
    heading: heading === undefined && !readBy ? undefined : Math.min(1, dialect.headingLine),
    ...(readBy && dialect.entry !== undefined && { fileEncoding: "UTF-8", separator: "," }),
    suspectRows,
    ...(acknowledge && { acknowledge }),
    ...(onDuplicate && { onDuplicate }),
    ...(createParents && { createParents }),
  };
}

/** Returns how a file without a layout is read, as options of a command. */
export function readingWords({
  sheet,
  entry,
  heading,
  fileEncoding,
  separator,
  suspectRows = "refuse",
  acknowledge = [],
  onDuplicate,
  createParents,
}: ReadingChoices): string[] {
  const words = optionWords({
    sheet,
    entry,
    heading,
    encoding: fileEncoding,
    separator: separator === "\t" ? "tab" : separator,
    "suspect-rows": suspectRows === "refuse" ? undefined : suspectRows,
    acknowledge: acknowledge.length > 0 ? acknowledge.join(",") : undefined,
    "on-duplicate": onDuplicate,
  });
  return createParents ? [...words, "--create-parents"] : words;
}

export function optionWords(options: Record<string, string | number | undefined>): string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
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
