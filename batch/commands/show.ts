// `show`: prints the first records of a file as they are read. Nothing is sent or stored.

import { count } from "../../core/text/count.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import type { Options } from "../console/arguments.ts";
import { EXIT, type Exit, InvalidFile } from "../console/exit-codes.ts";
import type { ProgressWriter } from "../console/progress.ts";
import { planReading } from "../files/choose-reader.ts";
import { dumpStart, type FieldView, type RecordView, viewRecords } from "../files/record-view.ts";
import { openSource } from "../files/source-file.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { formatCommand, optionWords, readingWords } from "../runs/next-commands.ts";
import { createRecipeReader, readCollections, signIn } from "../runs/service.ts";

/** `show FILE`. Throws CommandError. */
export async function showFile(path: string, options: Options, { connection, progress, decrypt }: CommandContext): Promise<Exit> {
  const source = await openSource(path, decrypt);
  const { token, dictionary } = await signIn(connection, "read");
  const recipes = createRecipeReader(connection, token);
  const { collection, reading } = await planReading(source, readCollections(dictionary), options, recipes);
  for (const note of reading.notes) progress.line(note, { step: "reading", sentence: note });
  let [shown, wrong] = [0, 0];
  try {
    for await (const view of viewRecords(source, collection, reading, { most: options.records })) {
      printRecord(view, progress);
      shown++;
      if (view.problems.length > 0 || view.fields.some(({ problem }) => problem)) wrong++;
    }
  } catch (error) {
    throw error instanceof FileError ? new InvalidFile(`${source.name} cannot be read further. ${error.message}`) : error;
  }
  return { code: wrong === 0 ? EXIT.stored : EXIT.rejects, sentence: sentenceFor(path, options, { shown, wrong }) };
}

function sentenceFor(path: string, options: Options, { shown, wrong }: { shown: number; wrong: number }): string {
  const which = shown === 0 ? "No record is shown" : `${count(shown, "record")} shown`;
  const how = shown === 0 ? "" : wrong === 0 ? ", none of them wrong" : `, ${wrong.toLocaleString("en")} of them wrong`;
  const { layout, recipe, collection, mode, config } = options;
  const by = { layout, recipe, collection, mode: mode === "create" ? undefined : mode, config };
  const given = [...optionWords(by), ...readingWords(options)];
  return `${which}${how}. Nothing was sent or stored. Check the whole file with: ${formatCommand(["validate", path, ...given])}`;
}

function printRecord(view: RecordView, progress: ProgressWriter): void {
  const { number, offset, action, fields, problems } = view;
  const name = offset === undefined ? `Line ${number}` : `Record ${number} (byte offset ${offset})`;
  const lines = [action ? `${name}: ${action}` : name, ...tableOf(fields), ...problems.map((problem) => `  wrong: ${problem}`)];
  const facts = {
    step: "record",
    number,
    ...(offset !== undefined && { offset }),
    ...(action && { action }),
    fields: fields.map(({ name, heading, place, bytes, text, problem }) => ({
      name,
      ...(heading !== undefined && { heading }),
      ...place,
      ...(bytes && { bytes: Buffer.from(bytes).toString("hex").toUpperCase() }),
      text,
      ...(problem !== undefined && { problem }),
    })),
    problems,
  };
  for (const [i, line] of lines.entries()) progress.line(line, i === 0 ? facts : undefined);
}

function tableOf(fields: readonly FieldView[]): string[] {
  const rows = fields.map(({ name, heading, place, bytes, text }) => [
    place ? `${place.start}–${place.start + place.length - 1}` : (heading ?? (bytes ? "" : "constant")),
    name ?? (place ? heading : undefined) ?? "not used",
    bytes ? dumpStart(bytes) : "",
    text === "" ? "no value" : `“${text}”`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? "").length)));
  return rows.flatMap((row, i) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).filter((_, column) => (widths[column] ?? 1) > 0);
    const problem = fields[i]?.problem;
    return [`  ${cells.join("  ")}`.trimEnd(), ...(problem === undefined ? [] : [`    wrong: ${problem}`])];
  });
}
