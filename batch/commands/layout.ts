// `layout new`, `layout sample` and `layout check`. They ask the service for its dictionary and store nothing.

import { writeFile } from "node:fs/promises";
import type { Options } from "../console/arguments.ts";
import { COMMAND_LINE } from "../console/command-line.ts";
import { CommandError, count, EXIT, type Exit, systemError } from "../console/exit-codes.ts";
import { chooseCollection, readLayoutFile } from "../formats/choose-reader.ts";
import { proposeLayout } from "../formats/propose-layout.ts";
import { makeSample } from "../formats/sample.ts";
import { NoRoom } from "../formats/write-fixed.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { readCollections, signIn } from "../runs/service.ts";

/** `new [FILE]`, `sample LAYOUT [FILE]`, `check LAYOUT`. Without FILE the result goes to `print`. Throws CommandError. */
export async function runLayoutCommand(
  [what, first, second]: readonly string[],
  options: Options,
  { connection }: CommandContext,
  print: (bytes: Uint8Array) => void,
): Promise<Exit> {
  if (what !== "new" && what !== "sample" && what !== "check") {
    throw new CommandError(EXIT.nothing, `layout is followed by new, sample or check, not "${what}". See: ${COMMAND_LINE} --help`);
  }
  if (what !== "new" && first === undefined) throw new CommandError(EXIT.nothing, `layout ${what} takes the layout's file.`);
  const { dictionary } = await signIn(connection, "read");
  const collections = readCollections(dictionary);
  if (what === "new") {
    const layout = proposeLayout(chooseCollection(collections, options.collection), options.encoding);
    return give(Buffer.from(`${JSON.stringify(layout, null, 2)}\n`), first, print);
  }
  const { layout, collection } = await readLayoutFile(String(first), collections, options.mode);
  if (what === "sample")
    return give(
      sampleOf(() => makeSample(layout, collection)),
      second,
      print,
    );
  const fields = layout.kind === "fixed" ? count(layout.detail.fields.length, "field") : "its columns";
  return { code: EXIT.stored, sentence: `The layout ${first} is right: ${layout.kind}, ${fields}, for ${collection.name}.` };
}

function sampleOf(make: () => Uint8Array): Uint8Array {
  try {
    return make();
  } catch (error) {
    throw error instanceof NoRoom ? new CommandError(EXIT.nothing, error.message) : error;
  }
}

async function give(bytes: Uint8Array, path: string | undefined, print: (bytes: Uint8Array) => void): Promise<Exit> {
  if (path === undefined) {
    print(bytes);
    return { code: EXIT.stored, sentence: "" };
  }
  try {
    await writeFile(path, bytes, { flag: "wx" });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new CommandError(
      EXIT.nothing,
      `${path} is not written: ${isThere ? "it is there already" : (systemError(error) ?? String(error))}.`,
    );
  }
  return { code: EXIT.stored, sentence: `Written to ${path}.` };
}
