// The content of a field with a file: PUT, GET and DELETE at an address of its own.

import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, filePath } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { type FileRules, type FileValue, isAcceptedType, readFileValue, writeFileValue } from "../../core/dictionary/files.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { readOnlyProblem } from "../../core/dictionary/validate.ts";
import { type Store, StoreInDoubt } from "../engine/store.ts";
import { valuesAt } from "../history/record-history.ts";
import { httpErrors } from "../http/errors.ts";
import { writtenSchema } from "../http/json-schemas.ts";
import { ifMatch } from "../http/preconditions.ts";
import { acknowledge, countUpTo, readParameters, text } from "../http/query-parameters.ts";
import { emptyAnswer } from "../http/responses.ts";
import { ANY_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Sent } from "../http/send-answer.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { leadToSurvivor } from "../records/merged-address.ts";
import { recordIdOf, recordNotFound } from "../records/record-id.ts";
import { mergedInto, toDetails } from "../records/store-errors.ts";
import { createWriteOne, type WriteOne } from "../records/write-one.ts";
import type { Content, Found, Kept } from "./content.ts";
import { attachmentNamed, cleanFileName } from "./file-name.ts";
import { mediaTypeOf, sentType } from "./media-type.ts";
import { keepBody, receiveBody } from "./receive-body.ts";

export type FileField = Field & { file: FileRules };

/** What `receive` makes of a body. */
export interface Incoming {
  /** The content in its place, which must be released. */
  kept: Kept;
  value: FileValue;
}

export const LONGEST_SENT_NAME = 1_000; // characters, with its path

/** The routes of each field with one file. `content`: undefined where the service keeps no files. */
export function contentRoutes(collection: Collection, store: Store, content: Content | undefined): Route[] {
  const isFile = (field: Field): field is FileField => field.file !== undefined && !field.item;
  return collection.fields.filter(isFile).map((field) => {
    const url = API_ROOT + filePath(collection.name, ":id", field.name);
    const parts = { collection, field, store, content };
    return { url, pattern: PATTERN, GET: readHandler(parts), PUT: putHandler(parts), DELETE: removeHandler(parts) };
  });
}

/** The same as that of the records below a parent. */
const PATTERN = `${API_ROOT}/:collection/:id/:child`;

export interface Parts {
  collection: Collection;
  field: FileField;
  store: Store;
  content: Content | undefined;
}

function requireContent(content: Content | undefined): Content {
  if (!content) throw httpErrors.noFilesHere();
  return content;
}

/** Receives the body as content that the field takes. `name`: as it was sent. */
export async function receiveFile(
  parts: Parts,
  request: FastifyRequest,
  session: Session,
  response: ServerResponse,
  name: string,
): Promise<Incoming> {
  const { collection, field, content } = parts;
  const { file, title } = field;
  const place = requireContent(content);
  await requireWritable(parts, request);
  const received = await receiveBody(place, request, response, { bytes: file.maxSize, tooLarge: () => tooLarge(field) });
  const type = mediaTypeOf(received.head, name);
  if (!isAcceptedType(file, type)) {
    await received.drop();
    throw httpErrors.fileRefused(title, file.accept, type);
  }
  const { hash, size } = received;
  const kept = await keepBody(received, request, session, `${collection.name}/${recordIdOf(collection, request)}`);
  return { kept, value: { name: cleanFileName(name, field.name), type, size, hash } };
}

/** Writes what names the content, which stays until that is done. */
export async function writeKept(kept: Kept, write: () => ReturnType<WriteOne>): ReturnType<WriteOne> {
  // Where nobody knows whether it is written, the content must stay: the next sweep decides.
  let isKnown = true;
  try {
    return await write();
  } catch (error) {
    isKnown = !(error instanceof StoreInDoubt);
    throw error;
  } finally {
    if (isKnown) await kept.release();
  }
}

function putHandler(parts: Parts): RouteHandler {
  const { collection, field, store } = parts;
  const { title } = field;
  const write = createWriteOne(collection, store);
  const parameters = { name: { ...text(LONGEST_SENT_NAME), meaning: "The name of the file, under which it is saved later." }, acknowledge };
  return {
    scope: `${collection.name}:update`,
    acceptedTypes: [ANY_TYPE],
    doc: {
      id: `put_${collection.singular}_${field.name}`,
      summary: `Stores the body as the file of ${title}, or in the place of the one that is there`,
      parameters,
      headers: ["If-Match", SOURCE_HEADER],
      body: { type: "string" },
      responses: { 200: writtenSchema(collection) },
      sentHeaders: { 200: ["ETag"] },
      errors: [404, 409, 412, 422],
    },
    receive(request, session, response): Promise<Incoming> {
      const { name = "" } = readParameters<{ name: string }>(request.query, parameters as never);
      return receiveFile(parts, request, session, response, name);
    },
    handle(request, session) {
      const { kept, value } = request.body as Incoming;
      return writeKept(kept, async () => {
        const given = readParameters(request.query, parameters);
        const id = recordIdOf(collection, request);
        const confirmed = given.acknowledge && { acknowledge: given.acknowledge };
        const op = { verb: "patch", id, given: { [field.name]: writeFileValue(value) }, ...ifMatch(request, id), ...confirmed } as const;
        return write(request, session, () => ({ op, pointer: "" }));
      });
    },
  };
}

const tooLarge = ({ title, file }: FileField) => httpErrors.tooLarge(`${title} may have at most ${file.maxSize} bytes.`);

/** Throws before the body is read what would refuse it afterwards. */
export async function requireWritable({ collection, field, store }: Omit<Parts, "content">, request: FastifyRequest): Promise<WireRecord> {
  const id = recordIdOf(collection, request);
  const record = await store.read(collection, id);
  if (!record) {
    const survivor = (await store.merges.findSurvivors(collection.name, [id])).get(id);
    throw survivor === undefined ? recordNotFound(collection) : mergedInto(collection, survivor);
  }
  if (field.readOnly) throw httpErrors.validation(toDetails([readOnlyProblem(field)], ""));
  const { ifMatch: versions } = ifMatch(request, id);
  if (versions && versions !== "any" && !versions.includes(record.version)) throw httpErrors.preconditionFailed();
  return record;
}

function removeHandler({ collection, field, store }: Parts): RouteHandler {
  const write = createWriteOne(collection, store);
  const parameters = { acknowledge };
  return {
    scope: `${collection.name}:update`,
    doc: {
      id: `remove_${collection.singular}_${field.name}`,
      summary: `Takes the file of ${field.title} out of the record. Earlier versions of it keep theirs`,
      parameters,
      headers: ["If-Match", SOURCE_HEADER],
      responses: { 200: writtenSchema(collection) },
      sentHeaders: { 200: ["ETag"] },
      errors: [404, 409, 412, 422],
    },
    async handle(request, session) {
      const given = readParameters(request.query, parameters);
      const id = recordIdOf(collection, request);
      await requireWritable({ collection, field, store }, request);
      const op = { verb: "patch", id, given: { [field.name]: null }, ...ifMatch(request, id), ...given } as const;
      return write(request, session, () => ({ op, pointer: "" }));
    },
  };
}

/** Nothing of it runs in a page of the service: it is saved and not shown, has no other type than it says, and no rights. */
const SAFE = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
};

/** `valueIn`: finds the file that a request asks for in what the record has. `below`: the parts of the address after the field. */
export function readHandler(
  { collection, field, store, content }: Parts,
  valueIn = (value: unknown, _request: FastifyRequest) => readFileValue(value as Value | null),
  below = (_request: FastifyRequest) => "",
): RouteHandler {
  const parameters = { version: { ...countUpTo(Number.MAX_SAFE_INTEGER), meaning: "The file that this version of the record had." } };
  return {
    scope: `${collection.name}:read`,
    produces: [ANY_TYPE],
    doc: {
      id: `read_${collection.singular}_${field.name}`,
      summary: `The content of the file of ${field.title}, of now or of an earlier version of the record`,
      parameters,
      headers: ["If-None-Match", "Range", "If-Range"],
      responses: { 200: { type: "string" }, 206: { type: "string" }, 304: null, 308: null },
      sentHeaders: {
        200: ["ETag", "Content-Disposition", "Accept-Ranges"],
        206: ["ETag", "Content-Disposition", "Accept-Ranges", "Content-Range"],
        304: ["ETag"],
        308: ["Location"],
      },
      errors: [404, 416],
    },
    async handle(request) {
      const { version } = readParameters<{ version: number }>(request.query, parameters);
      const id = recordIdOf(collection, request);
      // The record as this caller sees it: what is hidden from them, masked or out of their sight is not there.
      const record = version === undefined ? await store.read(collection, id) : await valuesAt(collection, store, id, version);
      if (!record)
        return leadToSurvivor(collection, store, request, (survivor) => filePath(collection.name, survivor, field.name) + below(request));
      const value = valueIn(record[field.name], request);
      if (!value) throw httpErrors.notFound(`This ${collection.noun} has no file there.`);
      const found = await requireContent(content).find(value.hash);
      if (!found) throw httpErrors.notFound("The content of this file is missing where the files are kept.");
      const answer = await answerWith(request, value, found);
      return { ...answer, ...("stream" in answer && { reportTo: (note) => note([{ collection: collection.name, ids: [id] }]) }) };
    },
  };
}

async function answerWith(request: FastifyRequest, { name, type, hash }: FileValue, found: Found): Promise<Sent> {
  const etag = `"${hash}"`;
  const common = { etag, "cache-control": "private, no-cache" };
  const { headers } = request;
  const known = headers["if-none-match"];
  if (known !== undefined && (known.trim() === "*" || known.includes(etag))) {
    await found.close();
    return emptyAnswer(304, common);
  }
  const own = {
    ...common,
    ...SAFE,
    "content-type": sentType(type),
    "content-disposition": attachmentNamed(name),
    "accept-ranges": "bytes",
  };
  const isSame = headers["if-range"] === undefined || headers["if-range"] === etag;
  const range = headers.range !== undefined && isSame ? rangeIn(headers.range, found.size) : undefined;
  if (range === "none") {
    await found.close();
    throw httpErrors.noSuchRange(found.size);
  }
  const { start, end } = range ?? { start: 0, end: found.size - 1 };
  const isPart = range !== undefined;
  const all = {
    ...own,
    "content-length": String(end - start + 1),
    ...(isPart && { "content-range": `bytes ${start}-${end}/${found.size}` }),
  };
  const status = isPart ? 206 : 200;
  if (request.method !== "HEAD") return { status, headers: all, stream: await found.stream({ start, end }) };
  await found.close();
  return { status, headers: all, stream: Readable.from([]) };
}

/** The part that is asked for; "none" where there is no such part, undefined for what is not understood, or several parts: then it is all. */
function rangeIn(header: string, size: number): { start: number; end: number } | "none" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") return Number(to) === 0 ? "none" : { start: Math.max(0, size - Number(to)), end: size - 1 };
  const start = Number(from);
  if (to !== "" && Number(to) < start) return undefined;
  return start >= size ? "none" : { start, end: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}
