// A file of a record that comes in several requests (tus 1.0): begun, asked for, gone on with and dropped.

import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { MOST_UPLOADS, PIECE_TYPE, TUS_VERSION } from "../../core/contract/file-uploads.ts";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, fileUploadsPath } from "../../core/contract/paths.ts";
import { columnOf } from "../engine/columns.ts";
import type { HeldBytes } from "../http/body-budget.ts";
import { HttpError, httpErrors } from "../http/errors.ts";
import { writtenSchema } from "../http/json-schemas.ts";
import { type Limits, limitErrors } from "../http/limits.ts";
import { acknowledge, readParameters } from "../http/query-parameters.ts";
import { emptyAnswer, NO_STORE } from "../http/responses.ts";
import type { Route, RouteHandler } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { recordIdOf } from "../records/record-id.ts";
import { createWriteOne } from "../records/write-one.ts";
import {
  type FileParts,
  type Incoming,
  LONGEST_SENT_NAME,
  NAME_PARAMETER,
  requireContent,
  requireWritable,
  takeContent,
  tooLarge,
  writeFile,
} from "./file-field.ts";
import { expiryOf, joinPieces, PieceMissing, receivePieces, type UploadPlace } from "./receive-pieces.ts";
import type { FileUpload } from "./store/file-uploads.ts";
import { dropUpload } from "./sweep-uploads.ts";

export interface UploadParts extends FileParts {
  limits: Limits;
}

const TUS = ["Tus-Resumable", "Upload-Offset", "Upload-Expires"];
const GONE = "This file is not under way, or no longer. Begin it anew.";
const REFUSED = [413, 415, 422]; // statuses that the same bytes get again
const UPLOAD_ID = /^[0-9a-f-]{36}$/;
const JOINED_FOR = 600_000; // ms, after which a file that is made whole is asked about no more: its request is gone

export function fileUploadRoutes(parts: UploadParts): Route[] {
  const { collection, field } = parts;
  const url = API_ROOT + fileUploadsPath(collection.name, ":id", field.name);
  const pattern = `${API_ROOT}${fileUploadsPath(":collection", ":id", ":child")}`;
  const own = { GET: askHandler(parts), PATCH: addHandler(parts), DELETE: dropHandler(parts) };
  return [
    { url, pattern, POST: beginHandler(parts) },
    { url: `${url}/:upload`, pattern: `${pattern}/:upload`, ...own },
  ];
}

function beginHandler({ collection, field, store, content, limits }: UploadParts): RouteHandler {
  const parameters = { name: NAME_PARAMETER };
  return {
    scope: `${collection.name}:update`,
    doc: {
      id: `begin_${collection.singular}_${field.name}`,
      summary: `Begins a file of ${field.title} that comes in several requests (tus 1.0), at the address that Location names`,
      parameters,
      headers: ["Upload-Length", "Upload-Metadata", "If-Match"],
      responses: { 201: null },
      sentHeaders: { 201: ["Location", ...TUS] },
      errors: [404, 409, 412, 413, 422],
    },
    async handle(request, session) {
      requireContent(content);
      requireVersion(request);
      const { name = nameIn(request) } = readParameters<{ name: string }>(request.query, parameters);
      const length = countIn(request, "Upload-Length");
      if (length === 0) throw httpErrors.badHeader("Upload-Length", "The file is empty.");
      if (length > field.file.maxSize) throw tooLarge(field);
      await requireWritable({ collection, field, store }, request);
      const now = Date.now();
      const [id, record] = [randomUUID(), recordIdOf(collection, request)];
      const own = { id, collection: collection.name, record, field: columnOf(field), owner: session.limitedAs };
      const upload = { ...own, fileName: name, length, expiresAt: expiryOf(now) };
      const most = { count: MOST_UPLOADS, bytes: limits.uploadBytes };
      if (!(await store.fileUploads.addUpload(upload, most, now))) throw limitErrors.tooManyUploads(most.count, most.bytes);
      const location = `${API_ROOT}${fileUploadsPath(collection.name, record, field.name)}/${id}`;
      return { status: 201, headers: { location, ...stateOf({ ...upload, received: 0 }), ...NO_STORE }, body: "" };
    },
  };
}

function askHandler(parts: UploadParts): RouteHandler {
  const { collection, field } = parts;
  return {
    scope: `${collection.name}:update`,
    doc: {
      id: `ask_${collection.singular}_${field.name}`,
      summary: `How many bytes of a file of ${field.title} that you have begun are kept, for HEAD`,
      responses: { 204: null },
      sentHeaders: { 204: [...TUS, "Upload-Length", "Cache-Control"] },
      errors: [404, 409, 422],
    },
    async handle(request, session) {
      const upload = await ownUpload(parts, request, session);
      await requireWritable(parts, request, false);
      return emptyAnswer(204, { ...stateOf(upload), "upload-length": String(upload.length), ...NO_STORE });
    },
  };
}

/** Holds what a request has added. */
interface Added {
  upload: FileUpload;
  /** Bytes that are kept now. */
  received: number;
  /** The whole file, where this was its end and the record does not have it yet. */
  incoming: Incoming | undefined;
}

function addHandler(parts: UploadParts): RouteHandler {
  const { collection, field, store, content, watchRights } = parts;
  const write = createWriteOne(collection, store);
  const parameters = { acknowledge };
  // Files that are made whole now, and since when. A client whose connection ended meanwhile asks again and waits: twice would take the room twice.
  const joining = new Map<string, number>();
  return {
    scope: `${collection.name}:update`,
    acceptedTypes: [PIECE_TYPE],
    doc: {
      id: `add_to_${collection.singular}_${field.name}`,
      summary: `Adds the body to a file of ${field.title}. With its last byte the record has the file, and is answered`,
      parameters,
      headers: ["Upload-Offset", "If-Match", SOURCE_HEADER],
      body: { type: "string" },
      responses: { 200: writtenSchema(collection), 204: null },
      sentHeaders: { 200: ["ETag", ...TUS], 204: TUS },
      errors: [404, 409, 412, 422],
    },
    async receive(request, session, response, held): Promise<Added> {
      const place = { content: requireContent(content), uploads: store.fileUploads };
      requireVersion(request);
      readParameters(request.query, parameters);
      const offset = countIn(request, "Upload-Offset");
      const upload = await ownUpload(parts, request, session);
      // At its end the record may have it already: then its version is another one for that alone.
      await requireWritable(parts, request, upload.received < upload.length);
      if (offset !== upload.received) throw httpErrors.uploadOffset();
      if (performance.now() - (joining.get(upload.id) ?? Number.NEGATIVE_INFINITY) < JOINED_FOR) throw httpErrors.uploadOffset();
      const isAllowed = await watchRights(session);
      let isJoining = false;
      const onWhole = () => {
        isJoining = true;
        joining.set(upload.id, performance.now());
      };
      let added: Added | undefined;
      try {
        added = await add(parts, place, upload, { request, session, response, held, isAllowed, onWhole });
        return added;
      } finally {
        if (isJoining && !added?.incoming) joining.delete(upload.id); // otherwise it lasts until the record names the file
      }
    },
    async handle(request, session) {
      const { upload, received, incoming } = request.body as Added;
      const state = stateOf({ ...upload, received, expiresAt: expiryOf(Date.now()) });
      if (received < upload.length) return emptyAnswer(204, state);
      if (!incoming) return withState(await asItIs(parts, request, session, write), state);
      try {
        // The answer to what was written before may have been lost.
        const answer = await writeFile(parts, write, incoming, { request, session, mayBeThere: true });
        if (answer.status === 200) await endUpload(parts, upload);
        return withState(answer, state);
      } finally {
        joining.delete(upload.id);
      }
    },
  };
}

interface Adding {
  request: FastifyRequest;
  session: Session;
  response: ServerResponse;
  held: HeldBytes;
  isAllowed: Incoming["isAllowed"];
  /** Is called once all bytes are there. */
  onWhole: () => void;
}

/** Adds the body, and after the last byte gives the whole file its place. */
async function add(
  { collection, field, store }: UploadParts,
  place: UploadPlace,
  upload: FileUpload,
  { request, session, response, held, isAllowed, onWhole }: Adding,
): Promise<Added> {
  const { id, length, fileName } = upload;
  if (upload.isDone) return { upload, received: length, incoming: undefined };
  const received = await receivePieces(place, upload, { request, response, held });
  if (received < length) return { upload, received, incoming: undefined };
  onWhole();
  try {
    const whole = await joinPieces(place, upload, field.file.maxSize, () => tooLarge(field));
    const incoming = await takeContent({ collection, field }, whole, fileName, { request, session, isAllowed });
    return { upload, received, incoming };
  } catch (error) {
    if (error instanceof HttpError && REFUSED.includes(error.status)) await dropUpload(place, id);
    if (!(error instanceof PieceMissing)) throw error;
    // Another request may have brought it to its end meanwhile. Otherwise the store was restored, or the folder was not.
    if ((await store.fileUploads.readUpload(id, Date.now()))?.isDone) return { upload, received, incoming: undefined };
    await dropUpload(place, id);
    throw httpErrors.notFound(GONE);
  }
}

/** Answers with the record without a change. */
function asItIs({ collection }: UploadParts, request: FastifyRequest, session: Session, write: ReturnType<typeof createWriteOne>) {
  const op = { verb: "patch", id: recordIdOf(collection, request), given: {} } as const;
  return write(request, session, () => ({ op, pointer: "" }));
}

function withState<T extends { headers: Record<string, string> }>(answer: T, state: Record<string, string>): T {
  return { ...answer, headers: { ...answer.headers, ...state } };
}

/** The pieces are removed after the record has the file; what a crash leaves of them is swept. */
async function endUpload({ store, content }: UploadParts, { id }: FileUpload): Promise<void> {
  await store.fileUploads.endUpload(id);
  await content?.pieces.remove(id).catch(() => undefined); // the next sweep does it
}

function dropHandler(parts: UploadParts): RouteHandler {
  const { collection, field, store, content } = parts;
  return {
    scope: `${collection.name}:update`,
    doc: {
      id: `drop_${collection.singular}_${field.name}`,
      summary: `Drops a file of ${field.title} that you have begun, with all that is kept of it. The record stays as it is`,
      responses: { 204: null },
      sentHeaders: { 204: ["Tus-Resumable"] },
      errors: [404],
    },
    async handle(request, session) {
      const { id } = await ownUpload(parts, request, session);
      await dropUpload({ content: requireContent(content), uploads: store.fileUploads }, id);
      return emptyAnswer(204, { "tus-resumable": TUS_VERSION });
    },
  };
}

/** Throws NOT_FOUND, also for one of somebody else, of another record or field, and one that has expired. */
async function ownUpload({ collection, field, store }: UploadParts, request: FastifyRequest, session: Session): Promise<FileUpload> {
  const { upload: id } = request.params as { upload: string };
  const found = UPLOAD_ID.test(id) ? await store.fileUploads.readUpload(id, Date.now()) : undefined;
  const isOwn =
    found?.owner === session.limitedAs &&
    found.collection === collection.name &&
    found.record === recordIdOf(collection, request) &&
    found.field === columnOf(field);
  if (!found || !isOwn) throw httpErrors.notFound(GONE);
  return found;
}

function stateOf({ received, expiresAt }: Pick<FileUpload, "received" | "expiresAt">): Record<string, string> {
  return { "tus-resumable": TUS_VERSION, "upload-offset": String(received), "upload-expires": new Date(expiresAt).toUTCString() };
}

/** Clients of tus name the version; who names none means this one. */
function requireVersion({ headers }: FastifyRequest): void {
  const given = headers["tus-resumable"];
  if (given !== undefined && given !== TUS_VERSION) throw httpErrors.badHeader("Tus-Resumable", `Tus-Resumable is ${TUS_VERSION} here.`);
}

function countIn({ headers }: FastifyRequest, name: string): number {
  const given = headers[name.toLowerCase()];
  if (typeof given !== "string" || !/^\d{1,15}$/.test(given)) throw httpErrors.badHeader(name, `${name} is a number of bytes.`);
  return Number(given);
}

/** Returns the word `filename` of Upload-Metadata: `filename cHVtcC5qcGc=,filetype aW1hZ2UvanBlZw==`. */
function nameIn({ headers }: FastifyRequest): string {
  const [, coded = ""] = /(?:^|,) *filename +([\w+/=-]+)/.exec(String(headers["upload-metadata"] ?? "")) ?? [];
  return Buffer.from(coded, "base64").toString().replaceAll("\0", " ").slice(0, LONGEST_SENT_NAME);
}
