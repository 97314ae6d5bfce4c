// Reads the body by which an upload begins or reports.

import { MAX_COLLECTION_BODY } from "../../core/contract/limits.ts";
import {
  isRunId,
  MAX_REASON,
  MAX_RUN_ROWS,
  MAX_RUN_TEXT,
  ROW_OUTCOMES,
  type RowOutcome,
  RUN_OUTCOMES,
  RUN_STATES,
  type RunCounts,
  type RunMeaning,
  type RunReport,
  type RunRow,
  type RunUpdate,
} from "../../core/contract/runs.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { listOf, named, object, oneOfWords, type Schema } from "../http/json-schemas.ts";
import { type FieldReader, optional, readFields, text } from "../http/read-fields.ts";

export const BODY_BYTES = MAX_COLLECTION_BODY; // UTF-8 has up to three bytes for each character of the rows
const MODES = ["create", "update", "upsert"] as const;
const ENDS = RUN_STATES.filter((state) => state !== "running");
const MAX_NAMES = 1_000; // fields of a row
const MAX_NAME = 200; // characters
const MAX_FILE_NAME = 255; // characters
const COUNT: Schema = { type: "integer", minimum: 0 };

/** The fields of the body beside the collection. */
export const BODY: { all: Record<string, Schema>; required: readonly string[] } = {
  all: {
    fileName: { type: "string", minLength: 1, maxLength: MAX_FILE_NAME },
    file: { type: "string", pattern: "^([0-9a-f]{64})?$", description: "Says which bytes the file has; empty: it is not known." },
    recipe: { type: "string", minLength: 1, maxLength: MAX_NAME },
    meaning: {
      ...object({ mode: oneOfWords(MODES), matchBy: listOf({ type: "string" }), clears: { type: "boolean" } }, ["mode"]),
      description: "What a row means: what it may do, the unique fields that say which record it is, and whether an empty cell clears.",
    },
    round: { ...COUNT, description: "0: the file itself; each time that rows not stored are sent again it is one more." },
    upload: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$", description: "Begins the idempotency keys of the round." },
    report: {
      ...object(
        {
          state: oneOfWords(ENDS),
          counts: object(Object.fromEntries(RUN_OUTCOMES.map((outcome) => [outcome, COUNT]))),
          rowsRead: COUNT,
          seconds: { type: "number", minimum: 0 },
          why: { type: "string", minLength: 1, maxLength: MAX_REASON },
          rows: { ...listOf(named("IntakeRunRow")), maxItems: MAX_RUN_ROWS },
        },
        ["state", "counts", "rowsRead", "seconds", "rows"],
      ),
      description: `Left out at the beginning. It has the first rows that were not stored, ${MAX_RUN_ROWS} and ${MAX_RUN_TEXT} characters at most; the counts are of all rows, and add up to rowsRead.`,
    },
  },
  required: ["fileName", "file", "meaning", "round", "upload"],
};

const file: FieldReader<string> = (given) =>
  typeof given === "string" && /^(?:[0-9a-f]{64})?$/.test(given)
    ? { value: given }
    : { problem: "file must be 64 hexadecimal digits, or empty." };

const fileName: FieldReader<string> = (given) => {
  const read = text("fileName", MAX_FILE_NAME)(given);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return "value" in read ? { value: read.value.replace(/[\u0000-\u001f\u007f]/g, " ") } : read;
};

const meaning: FieldReader<RunMeaning> = (given) => {
  const problem = "meaning must have a mode (create, update or upsert), and may have matchBy, a list of names, and clears.";
  if (!isObject(given) || Object.keys(given).some((name) => !["mode", "matchBy", "clears"].includes(name))) return { problem };
  const { mode, matchBy, clears } = given;
  const known = MODES.find((one) => one === mode);
  const isWrong = (matchBy !== undefined && !isNames(matchBy)) || (clears !== undefined && typeof clears !== "boolean");
  if (!known || isWrong) return { problem };
  return { value: { mode: known, ...(isNames(matchBy) && matchBy.length > 0 && { matchBy }), ...(clears === true && { clears: true }) } };
};

const round: FieldReader<number> = (given) =>
  isCount(given) && given <= 999 ? { value: given } : { problem: "round must be a whole number from 0 to 999." };

const upload: FieldReader<string> = (given) =>
  typeof given === "string" && isRunId(given) ? { value: given } : { problem: "upload must have up to 64 letters, digits, - and _." };

const report: FieldReader<RunReport> = (given) => {
  if (!isObject(given)) return { problem: "report must be an object." };
  const { state, counts, rowsRead, seconds, why, rows, ...others } = given;
  const end = ENDS.find((one) => one === state);
  const isWhole = Object.keys(others).length === 0 && end && isCount(rowsRead) && typeof seconds === "number" && seconds >= 0;
  if (!isWhole) return { problem: "report must have state, counts, rowsRead, seconds and rows, and may have why." };
  if (why !== undefined && (typeof why !== "string" || why.length > MAX_REASON))
    return { problem: `why may have ${MAX_REASON} characters.` };
  if (!isCounts(counts)) return { problem: `report.counts must have a number for each of ${RUN_OUTCOMES.join(", ")}.` };
  if (RUN_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0) !== rowsRead)
    return { problem: "report.counts must add up to rowsRead: each row has exactly one outcome." };
  if (!Array.isArray(rows) || rows.length > MAX_RUN_ROWS) return { problem: `report.rows must be a list of at most ${MAX_RUN_ROWS}.` };
  const read = rows.map(rowOf);
  const isInOrder = read.every((row, i) => row && (i === 0 || row.row > (read[i - 1]?.row ?? 0)));
  if (!isInOrder) return { problem: "Each of report.rows must be as IntakeRunRow says, and they must stand in the order of the file." };
  const all = read as RunRow[];
  const isMore = ROW_OUTCOMES.some((outcome) => all.filter((row) => row.outcome === outcome).length > counts[outcome]);
  if (isMore) return { problem: "report.rows must not be more than report.counts says." };
  if (JSON.stringify(all).length > MAX_RUN_TEXT) return { problem: `report.rows must have at most ${MAX_RUN_TEXT} characters.` };
  return { value: { state: end, counts, rowsRead, seconds, ...(typeof why === "string" && why !== "" && { why }), rows: all } };
};

function rowOf(given: unknown): RunRow | undefined {
  if (!isObject(given)) return undefined;
  const { row, line, outcome, reason, fields, codes, values, ...others } = given;
  const known = ROW_OUTCOMES.find((one): one is RowOutcome => one === outcome);
  const isText = reason === null || (typeof reason === "string" && reason.length <= MAX_REASON);
  const hasCells =
    isObject(values) && Object.keys(values).length <= MAX_NAMES && Object.values(values).every((cell) => typeof cell === "string");
  if (!known || !isText || !hasCells || Object.keys(others).length > 0) return undefined;
  if (!isCount(row) || row === 0 || !isCount(line) || !isNames(fields) || !isNames(codes)) return undefined;
  return { row, line, outcome: known, reason, fields, codes, values: values as Record<string, string> };
}

function isNames(given: unknown): given is string[] {
  return Array.isArray(given) && given.length <= MAX_NAMES && given.every((one) => typeof one === "string" && one.length <= MAX_NAME);
}

function isCount(given: unknown): given is number {
  return Number.isSafeInteger(given) && (given as number) >= 0;
}

function isCounts(given: unknown): given is RunCounts {
  return isObject(given) && Object.keys(given).length === RUN_OUTCOMES.length && RUN_OUTCOMES.every((outcome) => isCount(given[outcome]));
}

/** Throws VALIDATION. */
export function readRun(body: unknown, collections: readonly Collection[]): RunUpdate {
  const collection: FieldReader<string> = (given) =>
    collections.some(({ name }) => name === given)
      ? { value: given as string }
      : { problem: "collection must be one that you may read, by its name." };
  const {
    recipe,
    report: ended,
    ...run
  } = readFields(body, {
    ...{ collection, fileName, file, recipe: optional(text("recipe", MAX_NAME)), meaning, round, upload },
    report: optional(report),
  });
  return { ...run, ...(recipe !== undefined && { recipe }), ...(ended && { report: ended }) };
}
