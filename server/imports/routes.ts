// Takes files as import jobs, says how far they are, and ends them.

import { createHash, randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Import, ImportOptions } from "../../core/contract/imports.ts";
import { API_ROOT, importPath, importsPath } from "../../core/contract/paths.ts";
import type { OnDuplicate } from "../../core/contract/records.ts";
import { isRunId } from "../../core/contract/runs.ts";
import type { Needed } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Content, Kept, Received } from "../content/content.ts";
import { cleanFileName } from "../content/file-name.ts";
import { keepBody, receiveBody } from "../content/receive-body.ts";
import { type Store, StoreInDoubt } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { idempotencyKeyOf } from "../http/idempotency.ts";
import { named } from "../http/json-schemas.ts";
import { type Limits, limitErrors } from "../http/limits.ts";
import {
  acknowledge,
  countUpTo,
  flag,
  oneOf,
  type Parameter,
  type Parameters,
  parameterText,
  readParameters,
  text,
} from "../http/query-parameters.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import { ANY_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { duplicateParameter, requireCompared } from "../records/on-duplicate.ts";
import { mayWrite } from "../saved/kind.ts";
import type { NewImport, StoredImport } from "./store/imports.ts";

const MAX_NAME = 1_000; // characters
const MOST_ROWS = 999_999_999;
const MISSING = "There is no import with this id, or it is no longer kept.";

/** Works on imports. Without it, or without a place for files, the service takes none. */
export interface ImportWork {
  content: Content | undefined;
  wake(): void;
}

interface Parts {
  store: Store;
  work: ImportWork | undefined;
  limits: Limits;
}

/** `collection` and `store`: as the caller may know them. */
export function importRoute(collection: Collection, parts: Parts): Route {
  return { url: API_ROOT + importsPath(collection.name), POST: postHandler(collection, parts) };
}

/** Says how far the imports into all of these collections are. */
export function importStateRoute(collections: readonly Collection[], parts: Parts): Route {
  return { url: API_ROOT + importPath(":id"), GET: readHandler(collections, parts), DELETE: cancelHandler(collections, parts) };
}

const names: Parameter<string[]> = {
  expects: "names of fields with commas between",
  schema: { type: "string", minLength: 1 },
  read: (given) => (/^[^,\0]{1,200}(,[^,\0]{1,200}){0,19}$/.test(given) ? given.split(",") : undefined),
};

type Given = ImportOptions & { name: string };

function parametersFor(collection: Collection): Parameters<Omit<Given, "onDuplicate">> & { onDuplicate?: Parameter<OnDuplicate> } {
  return {
    name: { ...text(MAX_NAME), meaning: "The name of the file in Uploads." },
    dryRun: flag,
    recipe: {
      ...text(MAX_NAME),
      meaning: "A recipe, by its name, in place of `mode` and `matchBy`.",
    },
    mode: {
      ...oneOf("create", "update", "upsert"),
      meaning: "What a row may do; create unless given.",
    },
    matchBy: { ...names, meaning: "The unique fields that say which record a row means; the key unless given." },
    sheet: { ...text(MAX_NAME), meaning: "The sheet of a workbook." },
    entry: { ...text(MAX_NAME), meaning: "The file within a ZIP file with several." },
    heading: { ...countUpTo(MOST_ROWS), meaning: "The row of the heading." },
    encoding: { ...text(40), meaning: "How the text is written, such as `windows-1252`." },
    separator: { ...text(8), meaning: "What stands between cells." },
    acknowledge,
    ...duplicateParameter(collection),
    maxRejects: {
      ...countUpTo(MOST_ROWS),
      meaning: "With more wrong rows nothing is stored.",
    },
  };
}

/** Holds what `receive` makes of a body. */
interface Incoming {
  received: Received;
  kept: Kept;
  options: ImportOptions;
  fileName: string;
}

function postHandler(collection: Collection, { store, work, limits }: Parts): RouteHandler {
  const { name } = collection;
  const parameters = parametersFor(collection);
  const tooLarge = () => httpErrors.tooLarge(`A file may have at most ${limits.importBytes} bytes here.`);
  return {
    scope: "signed-in",
    needsOneOf: [`${name}:create`, `${name}:update`],
    alsoNeeds: ({ query }) => neededBy(name, query),
    acceptedTypes: [ANY_TYPE],
    doc: {
      id: `import_${name}`,
      summary: `Stores the rows of a file (CSV, xlsx, ods or JSON Lines) as ${collection.title}, in the background`,
      parameters,
      headers: ["Idempotency-Key"],
      body: { type: "string" },
      responses: { 202: named("IntakeImport") },
      sentHeaders: { 202: ["Location"] },
      errors: [404, 422],
    },
    async receive(request, session, response): Promise<Incoming> {
      if (!work?.content) throw httpErrors.noFilesHere();
      requireCompared(collection, request);
      const { name: fileName = "", ...options } = readParameters<Given>(request.query, parameters as Parameters<Given>);
      if (options.recipe !== undefined && (options.mode ?? options.matchBy) !== undefined)
        throw wrongParameter(options.mode ? "mode" : "matchBy", "The recipe says what a row means: leave mode and matchBy out.");
      idempotencyKeyOf(request); // throws before the body comes
      const received = await receiveBody(work.content, request, response, { bytes: limits.importBytes, tooLarge });
      const kept = await keepBody(received, request, session, name);
      return { received, kept, options, fileName: cleanFileName(fileName, name) };
    },
    async handle(request, session) {
      const { received, kept, options, fileName } = request.body as Incoming;
      // Where nobody knows whether it is written, the file must stay: the next sweep decides.
      let isKnown = true;
      try {
        const given = newImport(request, session, { collection: name, fileName, bytes: received.size, body: received.hash, options });
        const added = await store.imports.addImport(given, limits.importsPerKey);
        if (added === "many") throw limitErrors.tooManyImports(limits.importsPerKey);
        if (added === "reused") throw httpErrors.idempotencyKeyReused();
        const { import: job, isNew } = added;
        if (isNew) logSecurityEvent(request, "import begun", { principal: session.principal, collection: name, target: job.id });
        const replayed: Record<string, string> = isNew ? {} : { "Idempotent-Replayed": "true" };
        return jsonAnswer(202, toWire(job, session), { ...NO_STORE, location: API_ROOT + importPath(job.id), ...replayed });
      } catch (error) {
        isKnown = !(error instanceof StoreInDoubt);
        throw error;
      } finally {
        if (isKnown) await kept.release();
        work?.wake();
      }
    },
  };
}

/** Lists the rights that the mode needs. A recipe says it once it is read; until then either right is enough. */
function neededBy(name: string, query: unknown): Needed[] {
  if (parameterText(query, "recipe") !== undefined) return [];
  const mode = parameterText(query, "mode");
  return [
    ...(mode === "update" ? [] : [`${name}:create` as const]),
    ...(mode === "update" || mode === "upsert" ? [`${name}:update` as const] : []),
  ];
}

function wrongParameter(parameter: string, detail: string) {
  return httpErrors.badParameters([{ parameter, code: "BAD_PARAMETER", detail }]);
}

type Described = Pick<NewImport, "collection" | "fileName" | "bytes" | "body" | "options">;

function newImport(
  request: FastifyRequest,
  { principal, owner, limitedAs, scope, rightsTag = "" }: Session,
  described: Described,
): NewImport {
  const { collection, fileName, body, options } = described;
  const key = idempotencyKeyOf(request);
  const hashOf = (parts: readonly string[]) => createHash("sha256").update(parts.join("\n")).digest("base64url");
  return {
    ...described,
    id: randomUUID(),
    owner: limitedAs,
    byType: principal.type as NewImport["byType"],
    byId: principal.id,
    scope,
    rights: rightsTag,
    key: key === undefined ? null : hashOf([owner, key]),
    fingerprint: hashOf([collection, fileName, body, JSON.stringify(options)]),
    now: Date.now(),
  };
}

function readHandler(collections: readonly Collection[], parts: Parts): RouteHandler {
  return {
    scope: "signed-in",
    isBackground: true,
    doc: {
      id: "read_import",
      summary: "How far an import of your own is, and what is wrong with its file",
      responses: { 200: named("IntakeImport") },
      errors: [404],
    },
    async handle(request, session) {
      return jsonAnswer(200, toWire(await ownImport(collections, parts, request, session), session), NO_STORE);
    },
  };
}

function cancelHandler(collections: readonly Collection[], parts: Parts): RouteHandler {
  const { store, work } = parts;
  return {
    scope: "signed-in",
    doc: {
      id: "cancel_import",
      summary: "Ends an import of your own. What is stored by then stays, until its run is taken back",
      responses: { 200: named("IntakeImport") },
      errors: [404],
    },
    async handle(request, session) {
      const { id } = await ownImport(collections, parts, request, session);
      const job = await store.imports.cancelImport(id, Date.now());
      work?.wake();
      if (!job) throw httpErrors.notFound(MISSING);
      return jsonAnswer(200, toWire(job, session), NO_STORE);
    },
  };
}

/** Throws NOT_FOUND, also for one of somebody else, and of a collection into which the caller may not write any more. */
async function ownImport(
  collections: readonly Collection[],
  { store }: Parts,
  { params }: FastifyRequest,
  { limitedAs, scope }: Session,
): Promise<StoredImport> {
  const { id } = params as { id: string };
  const job = isRunId(id) ? await store.imports.readImport(id) : undefined;
  const isThere = collections.some(({ name }) => name === job?.collection);
  if (!job || !isThere || job.owner !== limitedAs || !mayWrite(scope, job.collection)) throw httpErrors.notFound(MISSING);
  return job;
}

/** Whoever may know less than when it began is told no sentence, for that may quote what is hidden now. */
function toWire(job: StoredImport, { narrowed, rightsTag = "" }: Session): Import {
  const { options, progress, result, begun } = job;
  const isSame = job.rights === rightsTag || !(narrowed?.hidesFields || narrowed?.rows);
  const { problems, notes, why } = isSame ? result : { problems: [], notes: [], why: null };
  return {
    ...{ id: job.id, collection: job.collection, fileName: job.fileName, bytes: job.bytes },
    dryRun: options.dryRun ?? false,
    recipe: options.recipe ?? null,
    state: job.state,
    createdAt: timeOf(job.createdAt) ?? "",
    startedAt: timeOf(job.startedAt),
    endedAt: timeOf(job.endedAt),
    ...progress,
    ...{ problems, notes, why },
    run: begun !== null && !options.dryRun ? job.id : null,
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
