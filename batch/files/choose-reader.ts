// Decides how the records of a file are read: by its layout, or by detection as an upload does.

import type { OnDuplicate } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { currentName } from "../../core/dictionary/column-name.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { uniquesOf } from "../../core/dictionary/unique-keys.ts";
import type { HeaderFacts } from "../../layouts/formats/header-trailer.ts";
import { describeEbcdic, describeFixed } from "../../layouts/formats/odd-bytes.ts";
import { type OpenedLayout, openLayout } from "../../layouts/formats/open-layout.ts";
import type { Action, Layout } from "../../layouts/layouts/layout.ts";
import { collectionsOf, selectDetail } from "../../layouts/layouts/select-detail.ts";
import type { OpenRows } from "../../pipeline/containers/row-source.ts";
import { type FileInspection, inspectFile } from "../../pipeline/inspection/inspect-file.ts";
import { noteColumns, noteLosses } from "../../pipeline/mapping/column-notes.ts";
import { missingFields } from "../../pipeline/mapping/match-columns.ts";
import { columnNamesOf, matchFields } from "../../pipeline/mapping/match-records.ts";
import { applyRecipe } from "../../pipeline/mapping/recipe.ts";
import { meaningOf, type RowMeaning } from "../../pipeline/mapping/remembered-mapping.ts";
import { addedColumns } from "../../pipeline/model/column-rules.ts";
import { type Corrections, NO_CORRECTIONS, withAccepted, withLeftOutGroup } from "../../pipeline/model/corrections.ts";
import type { Choices, Delimiter, Encoding } from "../../pipeline/model/dialect.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import { type Plan, type RowMode, SUSPECT_CODES, type SuspectCode, type UploadMode } from "../../pipeline/model/plan.ts";
import type { RowBlock } from "../../pipeline/reading/csv-rows.ts";
import type { SuspectRows } from "../console/arguments.ts";
import { CommandError, EXIT, InvalidFile } from "../console/exit-codes.ts";
import { type KnownLayout, loadLayoutReader, readLayoutFile } from "./read-layout-file.ts";
import { type ColumnsRecipe, type LayoutRecipe, type LoadedRecipe, loadRecipe, type Recipes } from "./service-recipes.ts";
import type { Source } from "./source-file.ts";

/** Says how the records of a file are read. `notes` are sentences for the report. */
export interface Reading {
  plan: Plan;
  openRows?: OpenRows;
  /** The text of the layout, the layout, and the file opened with it; undefined when the form of the file was detected. */
  layout?: { text: string; is: Layout; of: OpenedLayout };
  notes: string[];
  /** Sentences for the end of the command: what of a file without a layout or recipe is not loaded. */
  losses?: string[];
  /** Names which stored records the items of a table replace; see `replaceItems`. */
  items?: number[];
  /** Holds what the header says of the file. */
  header?: HeaderFacts;
}

/** Holds what the person chose about a file without a layout; undefined: found out. */
export interface ReadingChoices {
  sheet?: string | undefined;
  entry?: string | undefined;
  heading?: number | undefined;
  fileEncoding?: Encoding | undefined;
  separator?: Delimiter | undefined;
  suspectRows?: SuspectRows | undefined;
  acknowledge?: readonly string[] | undefined;
  onDuplicate?: OnDuplicate | undefined;
  createParents?: true | undefined;
}

export interface ReadingOptions extends ReadingChoices {
  mode: UploadMode;
  /** The unique fields that say which record a row means, instead of the key. */
  matchBy?: readonly string[] | undefined;
  /** An empty cell takes the stored value away. */
  clears?: true | undefined;
  collection: string | undefined;
  /** Names the collection whose records are read, where the layout has several. */
  part?: string;
  /** The path of the layout. */
  layout: string | undefined;
  /** The name of a recipe of the service. */
  recipe: string | undefined;
}

interface Planned {
  collection: Collection;
  reading: Reading;
}

/** Throws CommandError. */
export async function planReading(...given: Parameters<typeof findReading>): Promise<Planned> {
  const { collection, reading } = await findReading(...given);
  const [, , { acknowledge, onDuplicate }] = given;
  return { collection, reading: withDuplicates(withAcknowledged(reading, acknowledge), collection, onDuplicate) };
}

async function findReading(
  source: Source,
  collections: readonly Collection[],
  options: ReadingOptions,
  recipes: Recipes,
): Promise<Planned> {
  if (options.recipe !== undefined) {
    const known = await loadRecipe(recipes, options.recipe, collections, options.collection);
    const reading = await readByRecipe(source, known, collections, options);
    const collection = "layout" in known && options.part ? chooseCollection(collections, options.part) : known.collection;
    return { collection, reading: withSuspectRows(reading, options.suspectRows) };
  }
  if (options.layout === undefined) {
    const collection = chooseCollection(collections, options.collection);
    return { collection, reading: withSuspectRows(await detectReading(source, collection, options), options.suspectRows) };
  }
  const known = await readLayoutFile(options.layout, collections, options.mode);
  const { layout, collection } = known;
  const chosen = selectDetail(layout, options.part ?? options.collection ?? collection.name);
  if (!chosen) {
    throw new CommandError(
      EXIT.nothing,
      `The layout is for ${collectionsOf(layout).join(" and ")}, and --collection says ${options.collection}. Name one of those, or leave --collection out.`,
    );
  }
  const of = chooseCollection(collections, chosen.collection);
  return { collection: of, reading: await openWithLayout(source, { ...known, layout: chosen, collection: of, mode: options.mode }) };
}

/** Adds the warnings that the options confirm, besides those that the recipe does. */
function withAcknowledged(reading: Reading, rules: readonly string[] = []): Reading {
  if (rules.length === 0) return reading;
  const { plan } = reading;
  const accept = (fixes: Corrections, rule: string) => withAccepted(fixes, `WARNING.${rule}`, true);
  return { ...reading, plan: { ...plan, fixes: rules.reduce(accept, plan.fixes ?? NO_CORRECTIONS) } };
}

/** Throws CommandError where nothing is compared. */
function withDuplicates(reading: Reading, { title, match }: Collection, onDuplicate: OnDuplicate | undefined): Reading {
  if (!onDuplicate) return reading;
  if (!match)
    throw new CommandError(EXIT.nothing, `${title} are not compared: the dictionary has no "match" for them. Leave --on-duplicate out.`);
  return { ...reading, plan: { ...reading.plan, onDuplicate } };
}

/** Does as the recipe says without the option, or with "refuse". */
function withSuspectRows(reading: Reading, what: SuspectRows = "refuse"): Reading {
  if (what === "refuse") return reading;
  const { plan } = reading;
  const decide = (fixes: Corrections, code: SuspectCode) =>
    what === "load" ? withAccepted(fixes, code, true) : withLeftOutGroup(withAccepted(fixes, code, false), "", code, true);
  return { ...reading, plan: { ...plan, fixes: SUSPECT_CODES.reduce(decide, plan.fixes ?? NO_CORRECTIONS) } };
}

/** Holds what a run stores about the reading of its file. */
interface StoredReading extends Pick<Reading, "plan" | "notes"> {
  id: string;
  collection: string;
  /** The text of the layout. */
  layout?: string;
}

/** Reads a file as the run did before, so that its batches are the same. Throws CommandError. */
export async function planAgain(
  source: Source,
  collections: readonly Collection[],
  run: StoredReading,
): Promise<{ collection: Collection; reading: Reading }> {
  const collection = chooseCollection(collections, run.collection);
  const { plan, notes, layout: text } = run;
  if (text === undefined) return { collection, reading: { plan, notes } };
  const { readLayout } = await loadLayoutReader();
  const read = readLayout(text, collections, plan.mode);
  if ("mistakes" in read)
    throw new CommandError(
      EXIT.nothing,
      `Nothing more was sent: the layout of run ${run.id} cannot be read by this version. Continue with the version of the program that began it.`,
    );
  const chosen = selectDetail(read.layout, run.collection) ?? read.layout;
  const { openRows, layout } = await openWithLayout(source, { text, layout: chosen, collection, mode: plan.mode });
  return { collection, reading: { plan, notes, ...(openRows && { openRows }), ...(layout && { layout }) } };
}

async function openWithLayout(
  { file, name }: Source,
  { text, layout, collection, mode, renamed }: KnownLayout & { mode: UploadMode },
): Promise<Reading> {
  try {
    const notes: string[] = []; // those of a pass follow when it has ended
    const of = await openLayout(file, layout, collection, (note) => void (notes.includes(note) || notes.push(note)));
    const header = await of.readHeader();
    const openRows = layout.action ? () => withModes(of.openRows()) : () => of.openRows();
    notes.unshift(...notesOn(layout, header), ...(renamed === undefined ? [] : [renamed]));
    const isOfItems = layout.kind === "fixed" && layout.detail.table !== undefined;
    return {
      plan: { ...of.plan, mode: isOfItems && mode === "update" ? "upsert" : mode },
      openRows,
      layout: { text, is: layout, of },
      notes,
      ...(header && { header }),
    };
  } catch (error) {
    throw error instanceof FileError ? new InvalidFile(`Nothing of ${name} was stored. ${error.message}`) : error;
  }
}

/** Says what an action of a layout is called in an upload. */
export const ROW_MODES: Record<Action, RowMode> = { add: "create", change: "update", delete: "delete" };

async function* withModes(blocks: ReturnType<OpenedLayout["openRows"]>): AsyncGenerator<RowBlock> {
  for await (const block of blocks) yield { ...block, modes: block.actions.map((action) => action && ROW_MODES[action]) };
}

function notesOn(layout: Layout, header: HeaderFacts | undefined): string[] {
  const { title, kind, encoding = "utf-8" } = layout;
  const [, ...others] = collectionsOf(layout);
  const notes = [`Read by the layout ${title ? `“${title}”` : "that was given"}: ${kind}, ${encoding}.`];
  const { sender, fileId, sequence, businessDate } = header ?? {};
  const day = businessDate === undefined ? "" : `, business date ${businessDate}`;
  if (header) notes.push(`Its header says: sender ${sender || "–"}, file ${fileId || "–"}, sequence ${sequence || "–"}${day}.`);
  for (const name of others) notes.push(`The layout also describes records for ${name}, which have a run and a report of their own.`);
  return notes;
}

/** Detects the form of a delimited file and matches its headings, as an upload does. Throws CommandError. */
async function detectReading(source: Source, collection: Collection, options: ReadingOptions): Promise<Reading> {
  const inspection = await inspect(source, collection, options);
  const { dialect, columns } = inspection;
  const meaning = meaningOf({ ...options, matchBy: readMatch(collection, options.matchBy) });
  const { mode, matchBy } = meaning;
  const missing = missingIn(collection, columns, meaning);
  if (missing.length > 0) {
    const fields = missing.map(({ title, name }) => `${title} (${name})`).join(", ");
    const whatToDo = dialect.keys
      ? "Name the keys so."
      : ((await describeFixed(source.file)) ?? "Name the columns so, or describe the file with --layout.");
    throw new InvalidFile(
      `Nothing of ${source.name} was stored: no column is matched with ${fields}. ${headingOf(inspection)} ${whatToDo}`,
    );
  }
  const losses = noteLosses(collection, inspection.header, columns, mode);
  return { plan: { dialect, columns, ...meaning }, notes: notesOfReading(inspection, collection, columns, mode, matchBy), losses };
}

/** Returns the fields without a column that the rows need, also those that say which record each means. */
function missingIn(collection: Collection, columns: readonly (string | null)[], { mode, matchBy }: RowMeaning): Field[] {
  const naming = matchBy === undefined ? [] : matchFields(collection, matchBy);
  const lacking = naming.filter((field) => !columnNamesOf(collection, field).some((name) => columns.includes(name)));
  return [...new Set([...missingFields(collection, columns, mode, matchBy), ...lacking])];
}

/** Returns the name of what is unique. Throws CommandError. */
function readMatch(collection: Collection, names: readonly string[] | undefined): string | undefined {
  if (names === undefined) return undefined;
  const own = names
    .map((name) => currentName(collection, name) ?? name)
    .sort()
    .join();
  if (own === collection.key.name) return undefined;
  const choices = uniquesOf(collection);
  const found = choices.find(
    ({ fields }) =>
      fields
        .map(({ name }) => name)
        .sort()
        .join() === own,
  );
  if (found) return found.name;
  const there =
    choices.length > 0
      ? `Records of ${collection.name} can be matched by ${[collection.key.name, ...choices.map(({ name }) => name)].join(" or by ")}.`
      : `In ${collection.name} nothing but ${collection.key.name} is unique.`;
  throw new CommandError(EXIT.nothing, `--match-by says ${names.join(",")}, which is not unique. ${there}`);
}

/** `known`: what a recipe says of how it is written; the options come first. Throws CommandError. */
async function inspect(
  { file, name }: Source,
  collection: Collection,
  options: ReadingOptions,
  known: Choices = {},
): Promise<FileInspection> {
  const { sheet = known.sheet, entry = known.entry, heading = known.headingLine } = options;
  const { fileEncoding, separator } = options;
  const choices = {
    ...known,
    ...(fileEncoding !== undefined && { encoding: fileEncoding }),
    ...(separator !== undefined && { delimiter: separator }),
    ...(sheet !== undefined && { sheet }),
    ...(entry !== undefined && { entry }),
    ...(heading !== undefined && { headingLine: heading }),
  };
  const ebcdic = fileEncoding === undefined ? await describeEbcdic(file) : undefined;
  const refused = (sentence: string) => new InvalidFile(`Nothing of ${name} was stored. ${sentence}`);
  const inspection = await inspectFile(file, collection, choices).catch(async (error) => {
    if (!(error instanceof FileError)) throw error;
    throw refused(ebcdic ?? `${error.message} ${(await describeFixed(file)) ?? ""}`.trimEnd());
  });
  if (ebcdic !== undefined && !inspection.container) throw refused(ebcdic); // what is packed may have any bytes
  // A recipe for workbooks and archives also reads the CSV file of their rejects.
  requireChosenTable(name, inspection, inspection.container ? { sheet, entry } : options);
  requireSureEncoding(name, inspection);
  return inspection;
}

function headingOf({ header, dialect }: FileInspection): string {
  return `${dialect.keys ? "It has the keys" : "Its heading is read as"}: ${header.slice(0, 20).join(", ").slice(0, 200)}.`;
}

function notesOfReading(
  { dialect, header, why }: FileInspection,
  collection: Collection,
  columns: readonly (string | null)[],
  mode: UploadMode,
  matchBy: string | undefined,
): string[] {
  const read =
    dialect.sheet === undefined
      ? `Read as ${dialect.keys ? "JSON Lines" : dialect.encoding}, because ${dialect.keys ? "its first line is a JSON object" : why}.`
      : `Read from the sheet “${dialect.sheet}”, with its heading in row ${dialect.headingLine}.`;
  const packed = dialect.entry ? [`Unpacked: ${dialect.entry}.`] : [];
  const wrapped = dialect.quote === "wrapped" ? ["Every line stands in quotation marks; it is read as the cells that it holds."] : [];
  return [...packed, read, ...wrapped, ...noteColumns(collection, header, columns, mode, matchBy)];
}

/** Nobody is there to look at a sample. */
function requireSureEncoding(name: string, { plausible }: FileInspection): void {
  if (plausible.length === 0) return;
  const list = plausible.map(({ encoding, sample }) => `${encoding} (“${sample.slice(0, 60)}”)`).join(", ");
  throw new InvalidFile(`Nothing of ${name} was stored: its encoding is not sure. Say with --encoding which it is: ${list}.`);
}

/** Nobody looks at the proposal of a command: what was named must be there, and of several packed tables one must be named. */
function requireChosenTable(name: string, { container }: FileInspection, { sheet, entry }: Pick<ReadingOptions, "sheet" | "entry">): void {
  const kind = container?.kind;
  const names = container?.tables.map((table) => table.name) ?? [];
  const list = names.slice(0, 20).join(", ");
  if (sheet !== undefined && (kind !== "workbook" || !names.includes(sheet))) {
    const why = kind === "workbook" ? `it has no sheet “${sheet}”. It has ${list}.` : `it is no workbook. Leave --sheet out.`;
    throw new InvalidFile(`Nothing of ${name} was stored: ${why}`);
  }
  const packed = kind === "archive" ? names : (container?.packed ?? []);
  const files = packed.slice(0, 20).join(", ");
  if (entry !== undefined && !packed.includes(entry)) {
    const why =
      packed.length > 0 ? `it has no packed file “${entry}”. It has ${files}.` : "it is no ZIP file with tables. Leave --entry out.";
    throw new InvalidFile(`Nothing of ${name} was stored: ${why}`);
  }
  if (packed.length > 1 && entry === undefined) {
    throw new InvalidFile(`Nothing of ${name} was stored: it has several tables. Say with --entry which one is meant: ${files}.`);
  }
}

/** Throws CommandError. */
async function readByRecipe(
  source: Source,
  known: LoadedRecipe,
  collections: readonly Collection[],
  options: ReadingOptions,
): Promise<Reading> {
  const { recipe } = known;
  const by = recipe.updatedBy ? `, ${recipe.updatedBy.name}` : "";
  const note = `Read by the recipe “${recipe.name}” (version ${recipe.version}${by}).`;
  const reading = "layout" in known ? await readByLayout(source, known, collections, options) : await readByColumns(source, known, options);
  reading.notes.unshift(note); // the same list, to which reading adds
  return reading;
}

async function readByLayout(
  source: Source,
  { recipe, ...known }: LayoutRecipe,
  collections: readonly Collection[],
  options: ReadingOptions,
): Promise<Reading> {
  const { sheet, entry, heading, fileEncoding, separator, suspectRows = "refuse" } = options;
  if ((sheet ?? entry ?? heading ?? fileEncoding ?? separator) !== undefined || suspectRows !== "refuse") {
    throw new CommandError(
      EXIT.nothing,
      `The recipe “${recipe.name}” has a layout, which describes the whole file: leave --sheet, --entry, --heading, --encoding, --separator and --suspect-rows out.`,
    );
  }
  const layout = selectDetail(known.layout, options.part ?? known.collection.name) ?? known.layout;
  return openWithLayout(source, { ...known, layout, collection: chooseCollection(collections, layout.collection) });
}

async function readByColumns(source: Source, { recipe, collection, content }: ColumnsRecipe, options: ReadingOptions): Promise<Reading> {
  const inspection = await inspect(source, collection, options, content.choices);
  const { dialect, header } = inspection;
  const { columns, gone, meaning, rules, columnRules } = applyRecipe(content, recipe.headings, collection, header);
  if (content.matchBy !== undefined && meaning.matchBy === undefined)
    throw new CommandError(
      EXIT.nothing,
      `The recipe “${recipe.name}” matches records by ${content.matchBy}, which is not unique any more. Save it again in the app.`,
    );
  const missing = missingIn(collection, columns, meaning).map((field) => field.title);
  if (gone.length + missing.length > 0) {
    const lacks =
      gone.length > 0
        ? `the column${gone.length === 1 ? "" : "s"} ${gone.map((one) => `“${one}”`).join(", ")}`
        : `a column for ${missing.join(", ")}`;
    const sentence = `Nothing of ${source.name} was stored: the recipe “${recipe.name}” needs ${lacks}. ${headingOf(inspection)} Choose the file in the app to match it anew, and save the recipe again.`;
    throw new InvalidFile(sentence);
  }
  const changed = columnRules.length > 0 && { rules: columnRules };
  const all = { ...inspection, header: [...header, ...addedColumns(columnRules)] };
  const notes = notesOfReading(all, collection, columns, meaning.mode, meaning.matchBy);
  return { plan: { dialect, columns, ...meaning, ...changed, fixes: { ...NO_CORRECTIONS, ...rules } }, notes };
}

/** Throws CommandError. */
export function chooseCollection(collections: readonly Collection[], name: string | undefined): Collection {
  const [only] = collections;
  const names = collections.map((collection) => collection.name).join(", ");
  if (name === undefined) {
    if (only && collections.length === 1) return only;
    throw new CommandError(EXIT.nothing, `The service has several collections. Say with --collection which one is meant: ${names}.`);
  }
  const found = collections.find((collection) => collection.name === name);
  if (!found) throw new CommandError(EXIT.nothing, `The service has no collection ${name}. It has ${names}.`);
  return found;
}
