// Reads which files a field of a Table Schema takes.

import { FILE, isObject, type ReportMistake } from "./fields.ts";
import { DEFAULT_FILE_SIZE, type FileRules, MOST_FILE_SIZE, MOST_FILES } from "./files.ts";

const MEDIA_TYPE = /^[a-z]+\/(?:\*|[a-z0-9.+-]+)$/;
const ELSEWHERE = 'must be left out: only a field with "format": "file" has files';

/** An expression could name the content of another record, and nobody can send a file along with a new one. */
const NOT_OF_FILES = ["requiredIf", "choicesIf", "default", "computed", "sticky", "categories"];

/** Returns undefined for a field of another format. Mistakes go to `report`. */
export function readFile(
  { type = "string", itemType = "string", format, accept, maxSize, constraints, ...others }: Readonly<Record<string, unknown>>,
  path: string,
  report: ReportMistake,
): FileRules | undefined {
  const isSeveral = type === "list" && itemType === "string";
  if ((type !== "string" && !isSeveral) || format !== FILE) {
    if (accept !== undefined) report(`${path}/accept`, ELSEWHERE);
    if (maxSize !== undefined) report(`${path}/maxSize`, ELSEWHERE);
    return undefined;
  }
  const types = accept === undefined ? [] : accept;
  const isTypes = Array.isArray(types) && types.every((one) => typeof one === "string" && MEDIA_TYPE.test(one));
  if (!isTypes) report(`${path}/accept`, 'must be a list of media types, such as ["image/*", "application/pdf"]');
  const size = maxSize ?? DEFAULT_FILE_SIZE;
  const isSize = Number.isInteger(size) && Number(size) >= 1 && Number(size) <= MOST_FILE_SIZE;
  if (!isSize) report(`${path}/maxSize`, `must be a whole number of bytes from 1 to ${MOST_FILE_SIZE}`);
  const own = isObject(constraints) ? constraints : {};
  for (const word of ["required", "unique"])
    if (own[word] === true) report(`${path}/constraints/${word}`, "must be left out: a file is sent once its record is there");
  if (own.enum !== undefined) report(`${path}/constraints/enum`, "must be left out: a file is no value of a list");
  if (isSeveral && Number(own.maxLength) > MOST_FILES) report(`${path}/constraints/maxLength`, `must be at most ${MOST_FILES}, of files`);
  if (isSeveral && own.minLength !== undefined)
    report(`${path}/constraints/minLength`, "must be left out: files are sent one by one, and the first would be too few");
  for (const word of NOT_OF_FILES)
    if (others[word] !== undefined) report(`${path}/${word}`, "must be left out: only who sends a file says which one it is");
  return { accept: isTypes ? types : [], maxSize: Number(size) };
}
