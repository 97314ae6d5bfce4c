// Spreadsheets that LibreOffice itself writes. Debian's package is installed when there is none.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const PROGRAMS = ["soffice", "localc", "libreoffice"];
const DEBIAN = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };

/** A table of an OpenDocument file in one XML. `xml`: its columns and rows. */
export interface FlatSheet {
  name: string;
  xml: string;
  isHidden?: boolean;
}

export interface FlatParts {
  /** Each style of cells with the number format that it names. */
  formats?: Readonly<Record<string, string>>;
  /** The day of the serial number 0; LibreOffice's own is 1899-12-30. */
  firstDay?: string;
}

/** The program that LIBREOFFICE_PATH names, one on the PATH, else Debian's package. Throws with what to do when there is none. */
export function findLibreOffice(): string {
  const found = installed() ?? install();
  if (!found) throw new Error("LibreOffice Calc was not found. Install it and name soffice in LIBREOFFICE_PATH.");
  return found;
}

/** Lets LibreOffice open the text in `folder` and save it in another format. `filter`: how it reads the text, for CSV. */
export function saveAs(folder: string, source: { name: string; text: string }, type: "xlsx" | "ods", filter?: string): File {
  const path = join(folder, source.name);
  const out = join(folder, type);
  mkdirSync(out, { recursive: true });
  writeFileSync(path, source.text);
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile"))}`; // nobody's own settings
  const filters = filter === undefined ? [] : [`--infilter=${filter}`];
  execFileSync(findLibreOffice(), [profile, "--headless", ...filters, "--convert-to", type, "--outdir", out, path], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 180_000,
  });
  const name = basename(source.name).replace(/\.\w+$/, `.${type}`);
  return new File([readFileSync(join(out, name))], name);
}

/** The text of a file of type .fods. */
export function flatWorkbook(sheets: readonly FlatSheet[], { formats = {}, firstDay = "1899-12-30" }: FlatParts = {}): string {
  const spaces = ["office", "table", "text", "style"].map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`);
  const styles = Object.entries(formats).map(
    ([name, format]) =>
      `${format.replace(/^<[\w:-]+/, `$& style:name="N-${name}"`)}<style:style style:name="${name}" style:family="table-cell" style:data-style-name="N-${name}"/>`,
  );
  const tables = sheets.map(
    ({ name, xml, isHidden }) => `<table:table table:name="${name}"${isHidden ? ' table:style-name="hidden"' : ""}>${xml}</table:table>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${spaces.join(" ")} xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"
  office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>${styles.join("\n")}
<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
<office:body><office:spreadsheet><table:calculation-settings><table:null-date table:date-value="${firstDay}"/></table:calculation-settings>
${tables.join("\n")}</office:spreadsheet></office:body></office:document>`;
}

function installed(): string | undefined {
  const named = process.env.LIBREOFFICE_PATH;
  if (named) return existsSync(named) ? named : undefined;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

function install(): string | undefined {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return undefined;
  const run = (...args: string[]) => execFileSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env: DEBIAN });
  run("update", "-qq");
  run("install", "-y", "-qq", "--no-install-recommends", "libreoffice-calc-nogui");
  return installed();
}
