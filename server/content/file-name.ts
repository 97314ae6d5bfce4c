// Says how the name of a file that was sent is kept, and how it is sent again.

import { MOST_FILE_NAME } from "../../core/dictionary/files.ts";
import { FORBIDDEN, withoutInvisible } from "../../core/text/clean-text.ts";

const ALL_FORBIDDEN = new RegExp(FORBIDDEN.source, "gu");
const IN_FILE_NAMES = /[<>:"|?*]/g; // signs that some systems have in no name
const LONGEST_END = 12; // characters of what stands behind the last point

/** Returns the name without a path and without what no name of a file may have; `fallback` where nothing is left. */
export function cleanFileName(given: string, fallback: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const text = withoutInvisible(last.normalize("NFC").replace(ALL_FORBIDDEN, " ")).replace(IN_FILE_NAMES, "_");
  const name = text.replace(/\s+/g, " ").replace(/^[. ]+|[. ]+$/g, "");
  if (name === "") return fallback;
  const characters = [...name];
  if (characters.length <= MOST_FILE_NAME) return name;
  const [end = ""] = new RegExp(`\\.[^.]{1,${LONGEST_END}}$`, "u").exec(name) ?? [];
  return characters.slice(0, MOST_FILE_NAME - [...end].length).join("") + end;
}

/** Makes the field Content-Disposition under which a browser saves the file and never shows it (RFC 6266, with the coding of RFC 8187). */
export function attachmentNamed(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const coded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`;
}
