// The content of a field with several files: each is added, read and taken out at an address of its own.

import type { FastifyRequest } from "fastify";
import { API_ROOT, filePath, oneFilePath } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type FileValue, readFileValues } from "../../core/dictionary/files.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import type { Route } from "../http/route.ts";
import type { Content } from "./content.ts";
import { fileFieldsOf } from "./file-field.ts";
import { PATTERN, readHandler, removeHandler, sendHandler } from "./routes.ts";
import { fileUploadRoutes, type UploadParts } from "./upload-routes.ts";

/** Lists the routes of each field with several files. `content`: undefined where the service keeps no files. */
export function severalContentRoutes(
  collection: Collection,
  store: Store,
  content: Content | undefined,
  { limits, watchRights }: Pick<UploadParts, "limits" | "watchRights">,
): Route[] {
  return fileFieldsOf(collection, true).flatMap((field) => {
    const parts = { collection, field, store, content, watchRights };
    const below = (request: FastifyRequest) => `/${encodeURIComponent(hashIn(request))}`;
    const [end, { name, title }] = [`${collection.singular}_${field.name}`, field];
    const add = {
      id: `add_${end}`,
      summary: `Adds the body to the files of ${title}. Content that is there already gets the name, and stays in its place`,
    };
    const takeOut = { id: `take_out_${end}`, summary: `Takes one file of ${title} out of the record. Earlier versions of it keep theirs` };
    const without = (record: WireRecord, request: FastifyRequest) => {
      if (!fileIn(record[name], request)) throw httpErrors.notFound(`This ${collection.noun} has no such file there.`);
      return { given: {}, files: { field: name, takeOut: hashIn(request) } };
    };
    // The same content again changes nothing, so a request without an answer is sent again as it is.
    const send = sendHandler(parts, add, true);
    return [
      { url: API_ROOT + filePath(collection.name, ":id", field.name), pattern: PATTERN, POST: send },
      {
        url: API_ROOT + oneFilePath(collection.name, ":id", field.name, ":hash"),
        pattern: `${PATTERN}/:hash`,
        GET: readHandler(parts, fileIn, below),
        DELETE: removeHandler(parts, takeOut, without),
      },
      ...fileUploadRoutes({ ...parts, limits }),
    ];
  });
}

function hashIn(request: FastifyRequest): string {
  return (request.params as { hash: string }).hash;
}

/** Content stands once in a field. */
function fileIn(value: unknown, request: FastifyRequest): FileValue | undefined {
  return readFileValues(value).find(({ hash }) => hash === hashIn(request));
}
