// The content of a field with several files: each is added, read and taken out at an address of its own.

import type { FastifyRequest } from "fastify";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, filePath, oneFilePath } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type FileValue, readFileValues } from "../../core/dictionary/files.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { writtenSchema } from "../http/json-schemas.ts";
import { ifMatch } from "../http/preconditions.ts";
import { acknowledge, readParameters } from "../http/query-parameters.ts";
import { ANY_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import { recordIdOf } from "../records/record-id.ts";
import { createWriteOne } from "../records/write-one.ts";
import type { Content } from "./content.ts";
import { type FileParts, fileFieldsOf, type Incoming, NAME_PARAMETER, receiveFile, requireWritable, writeFile } from "./file-field.ts";
import { readHandler } from "./routes.ts";
import { fileUploadRoutes, type UploadParts } from "./upload-routes.ts";

/** The routes of each field with several files. `content`: undefined where the service keeps no files. */
export function severalContentRoutes(
  collection: Collection,
  store: Store,
  content: Content | undefined,
  { limits, watchRights }: Pick<UploadParts, "limits" | "watchRights">,
): Route[] {
  return fileFieldsOf(collection, true).flatMap((field) => {
    const parts = { collection, field, store, content, watchRights };
    const below = (request: FastifyRequest) => `/${encodeURIComponent(hashIn(request))}`;
    return [
      { url: API_ROOT + filePath(collection.name, ":id", field.name), pattern: PATTERN, POST: addHandler(parts) },
      {
        url: API_ROOT + oneFilePath(collection.name, ":id", field.name, ":hash"),
        pattern: `${PATTERN}/:hash`,
        GET: readHandler(parts, fileIn, below),
        DELETE: takeOutHandler(parts),
      },
      ...fileUploadRoutes({ ...parts, limits }),
    ];
  });
}

const PATTERN = `${API_ROOT}/:collection/:id/:child`;

function hashIn(request: FastifyRequest): string {
  return (request.params as { hash: string }).hash;
}

/** Content stands once in a field. */
function fileIn(value: unknown, request: FastifyRequest): FileValue | undefined {
  return readFileValues(value).find(({ hash }) => hash === hashIn(request));
}

function addHandler(parts: FileParts): RouteHandler {
  const { collection, field, store } = parts;
  // The same content again changes nothing, so a request without an answer is sent again as it is.
  const write = createWriteOne(collection, store, true);
  const parameters = { name: NAME_PARAMETER, acknowledge };
  return {
    scope: `${collection.name}:update`,
    acceptedTypes: [ANY_TYPE],
    doc: {
      id: `add_${collection.singular}_${field.name}`,
      summary: `Adds the body to the files of ${field.title}. Content that is there already gets the name, and stays in its place`,
      parameters,
      headers: ["If-Match", SOURCE_HEADER],
      body: { type: "string" },
      responses: { 200: writtenSchema(collection) },
      sentHeaders: { 200: ["ETag"] },
      errors: [404, 409, 412, 422],
    },
    receive(request, session, response): Promise<Incoming> {
      const { name = "" } = readParameters<{ name: string }>(request.query, parameters as never);
      return receiveFile(parts, name, { request, session, response });
    },
    handle: (request, session) => writeFile(parts, write, request.body as Incoming, { request, session }),
  };
}

function takeOutHandler({ collection, field, store }: FileParts): RouteHandler {
  const write = createWriteOne(collection, store);
  const parameters = { acknowledge };
  return {
    scope: `${collection.name}:update`,
    doc: {
      id: `take_out_${collection.singular}_${field.name}`,
      summary: `Takes one file of ${field.title} out of the record. Earlier versions of it keep theirs`,
      parameters,
      headers: ["If-Match", SOURCE_HEADER],
      responses: { 200: writtenSchema(collection) },
      sentHeaders: { 200: ["ETag"] },
      errors: [404, 409, 412, 422],
    },
    async handle(request, session) {
      const given = readParameters(request.query, parameters);
      const id = recordIdOf(collection, request);
      const record = await requireWritable({ collection, field, store }, request);
      if (!fileIn(record[field.name], request)) throw httpErrors.notFound(`This ${collection.noun} has no such file there.`);
      const files = { field: field.name, takeOut: hashIn(request) };
      const op = { verb: "patch", id, given: {}, files, ...ifMatch(request, id), ...given } as const;
      return write(request, session, () => ({ op, pointer: "" }));
    },
  };
}
