// The content of a field with a file: PUT, GET and DELETE at an address of its own.

import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, filePath } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type FileValue, readFileValue } from "../../core/dictionary/files.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Store, WriteOp } from "../engine/store.ts";
import { valuesAt } from "../history/record-history.ts";
import { httpErrors } from "../http/errors.ts";
import { writtenSchema } from "../http/json-schemas.ts";
import { ifMatch } from "../http/preconditions.ts";
import { acknowledge, countUpTo, readParameters } from "../http/query-parameters.ts";
import { emptyAnswer } from "../http/responses.ts";
import { ANY_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Sent } from "../http/send-answer.ts";
import { leadToSurvivor } from "../records/merged-address.ts";
import { recordIdOf } from "../records/record-id.ts";
import { createWriteOne } from "../records/write-one.ts";
import type { Content, Found } from "./content.ts";
import {
  type FileParts,
  fileFieldsOf,
  type Incoming,
  NAME_PARAMETER,
  receiveFile,
  requireContent,
  requireWritable,
  writeFile,
} from "./file-field.ts";
import { attachmentNamed } from "./file-name.ts";
import { sentType } from "./media-type.ts";
import { fileUploadRoutes, type UploadParts } from "./upload-routes.ts";

/** Lists the routes of each field with a file. `content`: undefined where the service keeps no files. */
export function contentRoutes(
  collection: Collection,
  store: Store,
  content: Content | undefined,
  { limits, watchRights }: Pick<UploadParts, "limits" | "watchRights">,
): Route[] {
  return fileFieldsOf(collection, false).flatMap((field) => {
    const url = API_ROOT + filePath(collection.name, ":id", field.name);
    const parts = { collection, field, store, content, watchRights };
    const [end, { name, title }] = [`${collection.singular}_${field.name}`, field];
    const put = { id: `put_${end}`, summary: `Stores the body as the file of ${title}, or in the place of the one that is there` };
    const remove = { id: `remove_${end}`, summary: `Takes the file of ${title} out of the record. Earlier versions of it keep theirs` };
    const takeOut = removeHandler(parts, remove, () => ({ given: { [name]: null } }));
    return [
      { url, pattern: PATTERN, GET: readHandler(parts), PUT: sendHandler(parts, put), DELETE: takeOut },
      ...fileUploadRoutes({ ...parts, limits }),
    ];
  });
}

/** The same as that of the records below a parent. */
export const PATTERN = `${API_ROOT}/:collection/:id/:child`;

interface Named {
  /** Names the operation. */
  id: string;
  summary: string;
}

/** Stores the body as the file, or as one of several. `isRepeatable`: as createWriteOne has it. */
export function sendHandler(parts: FileParts, named: Named, isRepeatable = false): RouteHandler {
  const { collection, store } = parts;
  const write = createWriteOne(collection, store, isRepeatable);
  const parameters = { name: NAME_PARAMETER, acknowledge };
  return {
    scope: `${collection.name}:update`,
    acceptedTypes: [ANY_TYPE],
    doc: { ...named, parameters, ...changed(collection), body: { type: "string" } },
    receive(request, session, response): Promise<Incoming> {
      const { name = "" } = readParameters<{ name: string }>(request.query, parameters as never);
      return receiveFile(parts, name, { request, session, response });
    },
    handle: (request, session) => writeFile(parts, write, request.body as Incoming, { request, session }),
  };
}

/** Takes the file, or one of several, out of the record. `change`: says which one; throws where the record has no such file. */
export function removeHandler(
  parts: Omit<FileParts, "content" | "watchRights">,
  named: Named,
  change: (record: WireRecord, request: FastifyRequest) => Pick<WriteOp & { verb: "patch" }, "given" | "files">,
): RouteHandler {
  const { collection, store } = parts;
  const write = createWriteOne(collection, store);
  const parameters = { acknowledge };
  return {
    scope: `${collection.name}:update`,
    doc: { ...named, parameters, ...changed(collection) },
    async handle(request, session) {
      const given = readParameters(request.query, parameters);
      const id = recordIdOf(collection, request);
      const record = await requireWritable(parts, request);
      const op = { verb: "patch", id, ...change(record, request), ...ifMatch(request, id), ...given } as const;
      return write(request, session, () => ({ op, pointer: "" }));
    },
  };
}

const changed = (collection: Collection) => ({
  headers: ["If-Match", SOURCE_HEADER],
  responses: { 200: writtenSchema(collection) },
  sentHeaders: { 200: ["ETag"] },
  errors: [404, 409, 412, 422],
});

/** Nothing of it runs in a page of the service: it is saved and not shown, has no other type than it says, and no rights. */
const SAFE = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
};

/** `valueIn`: finds the file that a request asks for in what the record has. `below`: the parts of the address after the field. */
export function readHandler(
  { collection, field, store, content }: FileParts,
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
      // It is the record as this caller sees it: what is hidden from them, masked or out of their sight is not there.
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

/** Returns the part that is asked for; "none" where there is no such part, undefined for what is not understood, or several parts: then it is all. */
function rangeIn(header: string, size: number): { start: number; end: number } | "none" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") return Number(to) === 0 ? "none" : { start: Math.max(0, size - Number(to)), end: size - 1 };
  const start = Number(from);
  if (to !== "" && Number(to) < start) return undefined;
  return start >= size ? "none" : { start, end: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}
