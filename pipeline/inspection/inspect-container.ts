// Finds what the page shows of a workbook or an archive: its tables, and the start of the one that is proposed or chosen.

import { t } from "../../core/i18n/translate.ts";
import { unpackWorkbook } from "../containers/archive.ts";
import { isContainer } from "../containers/load-containers.ts";
import { type Container, openContainer, type Sheet } from "../containers/open-container.ts";
import type { Choices, Dialect } from "../model/dialect.ts";
import { FileError } from "../model/file-error.ts";
import { readSlice } from "../reading/text-blocks.ts";
import type { Detected } from "./detect-dialect.ts";
import { type CountNames, guessHeading } from "./detect-header.ts";

/** The tables of a file that holds several, for choosing one. */
export interface ContainerFacts {
  kind: "workbook" | "archive";
  tables: { name: string; isHidden: boolean }[];
  /** The files of the archive in which the workbook is packed. */
  packed?: readonly string[];
  /** Says what a person should know of the chosen sheet, in sentences. */
  notes: readonly string[];
}

/** `table`: the start of a packed file, to be read like any file. `sheet`: the start of a sheet. */
export type ContainerStart =
  | { container: ContainerFacts; table: File; entry: string }
  | { container: ContainerFacts; sheet: { dialect: Dialect; firstLines: Detected["firstLines"]; header: string[]; rows: string[][] } };

/** Throws FileError. */
export async function inspectContainer(file: File, choices: Choices, countNames: CountNames): Promise<ContainerStart> {
  const container = await openContainer(file);
  return container.kind === "workbook"
    ? startOfSheet(container.sheets, choices, countNames)
    : startOfPacked(file, container, choices, countNames);
}

const MOST_OPENED = 10; // packed files that are looked into to find the one with the most headings
const HEADING_CHARS = 64 * 1024;

async function startOfPacked(
  file: File,
  { names, head }: Extract<Container, { kind: "archive" }>,
  choices: Choices,
  countNames: CountNames,
): Promise<ContainerStart> {
  const entry = choices.entry !== undefined && names.includes(choices.entry) ? choices.entry : await proposeEntry(names, head, countNames);
  const table = await head(entry);
  if (await isPacked(table)) {
    const workbook = await openContainer(await unpackWorkbook(file, entry));
    if (workbook.kind === "workbook") return startOfSheet(workbook.sheets, { ...choices, entry }, countNames, names);
  }
  return { container: { kind: "archive", tables: names.map((name) => ({ name, isHidden: false })), notes: [] }, table, entry };
}

async function isPacked(file: File): Promise<boolean> {
  return isContainer(await readSlice(file, 0, 4));
}

/** Returns the file with the most headings in its first lines. Commas stand for any delimiter: only the names count. */
async function proposeEntry(names: readonly string[], head: (name: string) => Promise<File>, countNames: CountNames): Promise<string> {
  let best = names[0] ?? "";
  let most = 0;
  for (const name of names.length > 1 ? names.slice(0, MOST_OPENED) : []) {
    const file = await head(name).catch(() => new File([], name)); // if it is chosen, its error is shown
    const named = (await isPacked(file)) ? 1 : await mostNamed(file, countNames); // a workbook rather than a file that names nothing
    if (named > most) [best, most] = [name, named];
  }
  return best;
}

async function mostNamed(file: File, countNames: CountNames): Promise<number> {
  const text = await file.slice(0, HEADING_CHARS).text();
  const lines = text.split(/\r\n?|\n/, 10);
  return Math.max(0, ...lines.map((line) => countNames(line.split(/[,;\t|]/).map((cell) => cell.replaceAll('"', "")))));
}

/** `packed`: of a workbook in an archive, whose `choices` name it, the files there. */
function startOfSheet(sheets: readonly Sheet[], choices: Choices, countNames: CountNames, packed?: readonly string[]): ContainerStart {
  const within = packed && { entry: choices.entry ?? "" };
  const sheet = sheets.find(({ name }) => name === choices.sheet) ?? proposeSheet(sheets, countNames);
  const { rows, name, is1904 } = sheet;
  if (rows.length === 0)
    throw new FileError(
      t("The sheet “{name}” is empty.", { name }),
      t("Choose another sheet or another file."),
      otherSheet(sheets, sheet, within),
    );
  const headingLine = choices.headingLine ?? guessHeading(rows, countNames);
  const below = rows.filter(({ line }) => line >= headingLine);
  const [first] = below;
  const header = headingLine > 0 ? (first?.cells ?? []) : (first?.cells.map((_, at) => t("Column {n}", { n: at + 1 })) ?? []);
  const data = (headingLine > 0 ? below.slice(1) : below).map(({ cells }) => [...cells, ...header.slice(cells.length).map(() => "")]);
  return {
    container: {
      kind: "workbook",
      tables: sheets.map(({ name, isHidden }) => ({ name, isHidden })),
      notes: sheet.notes,
      ...(packed && { packed }),
    },
    sheet: {
      dialect: {
        ...{ encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine, sheet: name, hasSuspects: true },
        ...(is1904 && { is1904 }),
        ...within,
      },
      firstLines: rows.slice(0, SHOWN_LINES).map(({ line, cells }) => ({ line, text: textOf(cells) })),
      header,
      rows: data,
    },
  };
}

const SHOWN_LINES = 10;

function textOf(cells: readonly string[]): string {
  const filled = cells.filter((cell) => cell.trim() !== "");
  return filled.join(" · ").slice(0, 80);
}

/** Returns the sheet with the most named headings; of equals the first that is not hidden and not empty. */
function proposeSheet(sheets: readonly Sheet[], countNames: CountNames): Sheet {
  const rank = ({ rows, isHidden }: Sheet) =>
    4 * Math.max(0, ...rows.slice(0, 30).map(({ cells }) => countNames(cells))) + (rows.length > 1 ? 2 : 0) + (isHidden ? 0 : 1);
  return sheets.reduce((best, sheet) => (rank(sheet) > rank(best) ? sheet : best));
}

/** Is offered when the chosen sheet is empty. */
function otherSheet(sheets: readonly Sheet[], empty: Sheet, within: Choices | undefined) {
  const other = sheets.find((sheet) => sheet !== empty && sheet.rows.length > 1);
  return other && { label: t("Read the sheet “{name}”", { name: other.name }), choices: { sheet: other.name, ...within } };
}
