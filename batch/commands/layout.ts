// `layout new`, `sample` and `check` ask the service for its dictionary; `layout save` keeps a layout there as a recipe.

import { writeFile } from "node:fs/promises";
import { count } from "../../core/text/count.ts";
import { proposeLayout } from "../../layouts/formats/propose-layout.ts";
import { makeSample } from "../../layouts/formats/sample.ts";
import { NoRoom } from "../../layouts/formats/write-fixed.ts";
import type { FixedLayout } from "../../layouts/layouts/layout.ts";
import { collectionsOf, detailsOf } from "../../layouts/layouts/select-detail.ts";
import type { LayoutContent } from "../../pipeline/mapping/recipe.ts";
import type { Options } from "../console/arguments.ts";
import { COMMAND_LINE } from "../console/command-line.ts";
import { CommandError, EXIT, type Exit, writeError } from "../console/exit-codes.ts";
import { chooseCollection } from "../files/choose-reader.ts";
import { type KnownLayout, readLayoutFile } from "../files/read-layout-file.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import type { Connection } from "../runs/connection.ts";
import { formatCommand } from "../runs/next-commands.ts";
import { readCollections, saveLayoutRecipe, signIn } from "../runs/service.ts";

/** `new [FILE]`, `sample LAYOUT [FILE]`, `check LAYOUT`, `save LAYOUT`. Without FILE the result goes to `print`. Throws CommandError. */
export async function runLayoutCommand(
  [what, first, second]: readonly string[],
  options: Options,
  { connection }: CommandContext,
  print: (bytes: Uint8Array) => void,
): Promise<Exit> {
  if (what !== "new" && what !== "sample" && what !== "check" && what !== "save") {
    throw new CommandError(
      EXIT.nothing,
      `layout is followed by new, from, sample, check or save, not "${what}". See: ${COMMAND_LINE} --help`,
    );
  }
  if ((what === "save") !== (options.recipe !== undefined)) {
    const sentence = what === "save" ? "layout save takes --recipe, the name under which it is kept." : "Only layout save takes --recipe.";
    throw new CommandError(EXIT.nothing, sentence);
  }
  if (what === "new" || what === "sample") requireFile(what === "new" ? first : second, options);
  if (what !== "new" && first === undefined) throw new CommandError(EXIT.nothing, `layout ${what} takes the layout's file.`);
  const { dictionary, token } = await signIn(connection, what === "save" ? "write" : "read");
  const collections = readCollections(dictionary);
  if (what === "new") {
    const layout = proposeLayout(chooseCollection(collections, options.collection), options.encoding);
    return give(Buffer.from(`${JSON.stringify(layout, null, 2)}\n`), first, print);
  }
  const known = await readLayoutFile(String(first), collections, options.mode);
  if (what === "save") return save(known, options, connection, token);
  const { layout, collection, renamed = "" } = known;
  if (what === "sample")
    return give(
      sampleOf(() => makeSample(layout, collection)),
      second,
      print,
    );
  const fields = layout.kind === "fixed" ? count(countFields(layout), "field") : "its columns";
  return {
    code: EXIT.stored,
    sentence: `The layout ${first} is right: ${layout.kind}, ${fields}, for ${collectionsOf(layout).join(" and ")}. ${renamed}`.trimEnd(),
  };
}

/** The recipe has the mode, because whoever loads by it names nothing else. */
async function save(
  { text, collection }: KnownLayout,
  { recipe = "", mode }: Options,
  connection: Connection,
  token: string,
): Promise<Exit> {
  const layout = JSON.parse(text.replace(/^\uFEFF/, "")) as Record<string, unknown>;
  const content: LayoutContent = { form: 1, mode, layout };
  const { name, version } = await saveLayoutRecipe(connection, token, { name: recipe.trim(), collection: collection.name, content });
  const how = version === 1 ? "kept" : `kept in place of version ${version - 1}`;
  const sentence = `The layout is ${how} as the recipe “${name}” for ${collection.name}. Load files by it: ${formatCommand(["run", "FILE", "--recipe", name])}`;
  return { code: EXIT.stored, sentence };
}

function sampleOf(make: () => Uint8Array): Uint8Array {
  try {
    return make();
  } catch (error) {
    throw error instanceof NoRoom ? new CommandError(EXIT.nothing, error.message) : error;
  }
}

/** Counts the fields of all kinds of records and of the items of their tables. */
function countFields(layout: FixedLayout): number {
  const kinds = detailsOf(layout).flatMap((detail) => [detail, ...(detail.children ?? [])]);
  return kinds.flatMap(({ fields }) => fields).length;
}

/** With `--json` standard output has JSON lines, and nothing else. Throws CommandError. */
export function requireFile(file: string | undefined, { json }: Options): void {
  if (!json || file !== undefined) return;
  throw new CommandError(EXIT.nothing, "With --json name a file for the result: without one it would stand between the lines of JSON.");
}

/** Prints the result, or writes it to a new file. Throws CommandError. */
export async function give(bytes: Uint8Array, path: string | undefined, print: (bytes: Uint8Array) => void): Promise<Exit> {
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
      `${path} is not written: ${isThere ? "it is there already" : (writeError(error, path) ?? String(error))}.`,
    );
  }
  return { code: EXIT.stored, sentence: `Written to ${path}.` };
}
