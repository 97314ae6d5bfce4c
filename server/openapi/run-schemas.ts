import { IMPORT_STATES } from "../../core/contract/imports.ts";
import { ROW_OUTCOMES, RUN_OUTCOMES, RUN_STATES } from "../../core/contract/runs.ts";
import { listOf, named, nullable, object, type Schema, TIME } from "../http/json-schemas.ts";

const COUNT: Schema = { type: "integer", minimum: 0 };
const WHO: Schema = nullable(named("Principal"));
const STATE: Schema = {
  enum: [...RUN_STATES],
  description: "running: it has sent no report yet; stopped: its computer can go on with it.",
};

const COUNTS: Schema = nullable(object(Object.fromEntries(RUN_OUTCOMES.map((outcome) => [outcome, COUNT]))));

/** Says what the API answers of runs and imports as JSON Schema. */
export const RUN_SCHEMAS: Record<string, Schema> = {
  IntakeRun: object({
    id: { type: "string" },
    collection: { type: "string" },
    fileName: { type: "string" },
    file: { type: "string", description: "Says which bytes the file has; empty: it is not known." },
    recipe: nullable({ type: "string" }),
    meaning: {
      ...object({ mode: { enum: ["create", "update", "upsert"] }, matchBy: listOf({ type: "string" }), clears: { type: "boolean" } }, [
        "mode",
      ]),
      description: "What a row means.",
    },
    by: WHO,
    begunAt: TIME,
    state: STATE,
    round: { ...COUNT, description: "How often rows not stored were sent again." },
    roundBy: { ...WHO, description: "Who has begun the latest round." },
    roundAt: TIME,
    counts: COUNTS,
    rowsRead: nullable(COUNT),
    seconds: nullable({ type: "number", minimum: 0 }),
    why: { ...nullable({ type: "string" }), description: "Why it stopped. Null also for callers from whom fields are hidden." },
    reportedAt: nullable(TIME),
    keptRows: { ...COUNT, description: "How many of the rows not stored are kept with their values." },
    isForgotten: { type: "boolean", description: "Their values were removed, because a record was erased since." },
    takenBack: { ...COUNT, description: "How many of its changes of this collection were taken back since." },
  }),
  IntakeRunRow: object({
    row: { type: "integer", minimum: 1, description: "Its number in the file." },
    line: { ...COUNT, description: "The line of the file at which it begins." },
    outcome: { enum: [...ROW_OUTCOMES] },
    reason: {
      ...nullable({ type: "string" }),
      description: "In the language of whoever uploaded. Null where it may tell of fields that are hidden from the caller.",
    },
    fields: { ...listOf({ type: "string" }), description: "What the reason is about; none: the whole row, or nobody knows." },
    codes: listOf({ type: "string" }),
    values: { type: "object", additionalProperties: { type: "string" }, description: "The cells by the names of fields." },
  }),
  IntakeSameFile: object({ id: { type: "string" }, by: WHO, at: { ...TIME, description: "When it last did something." }, state: STATE }),
  IntakeImport: object({
    id: { type: "string" },
    collection: { type: "string" },
    fileName: { type: "string" },
    bytes: COUNT,
    dryRun: { type: "boolean" },
    recipe: nullable({ type: "string" }),
    state: { enum: [...IMPORT_STATES], description: "stopped: it ended before its end, as `why` says." },
    createdAt: TIME,
    startedAt: nullable(TIME),
    endedAt: nullable(TIME),
    rowsTotal: { ...nullable(COUNT), description: "Null until all rows were counted." },
    rowsDone: COUNT,
    counts: COUNTS,
    problems: {
      ...listOf(object({ field: { type: "string" }, code: { type: "string" }, message: { type: "string" }, rows: COUNT })),
      description: "What is wrong with rows, the most frequent first. An empty field: the whole row.",
    },
    notes: listOf({ type: "string" }),
    why: nullable({ type: "string" }),
    run: { ...nullable({ type: "string" }), description: "Its run; null while nothing was sent, and for a dry run." },
  }),
};
