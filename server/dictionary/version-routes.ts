// The versions of the dictionary, and the schema of its data package.

import type { DictionaryVersion } from "../../core/contract/dictionary.ts";
import { API_ROOT, DICTIONARY_PATH, VERSIONS_PATH } from "../../core/contract/paths.ts";
import { SHAPE } from "../../core/contract/scopes.ts";
import { changesOf } from "../../core/dictionary/changes.ts";
import dictionarySchema from "../../core/dictionary/dictionary.schema.json" with { type: "json" };
import type { Store } from "../engine/store.ts";
import { LAST_VERSION, type ListedVersion } from "../engine/versions.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { clampedCount, countUpTo, readParameters } from "../http/query-parameters.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";

const MOST = 100; // versions of one answer

export function versionRoutes({ versions }: Store): Route[] {
  const parameters = {
    before: { ...countUpTo(LAST_VERSION), meaning: "Only versions below this one." },
    limit: { ...clampedCount(MOST), meaning: "At most so many." },
  };
  const since = { since: { ...countUpTo(LAST_VERSION), meaning: "Only what is another one than in this version." } };
  return [
    {
      url: API_ROOT + VERSIONS_PATH,
      GET: {
        scope: SHAPE,
        doc: {
          id: "list_dictionary_versions",
          summary: "The versions of the dictionary, the latest first",
          parameters,
          responses: { 200: object({ versions: listOf(named("IntakeDictionaryVersion")) }) },
        },
        async handle(request) {
          const { before = LAST_VERSION, limit = MOST } = readParameters<{ before: number; limit: number }>(request.query, parameters);
          return jsonAnswer(200, { versions: (await versions.listVersions(before, limit)).map(toWireVersion) }, NO_STORE);
        },
      },
    },
    {
      url: `${API_ROOT}${VERSIONS_PATH}/:id`,
      GET: {
        scope: SHAPE,
        doc: {
          id: "read_dictionary_version",
          summary: "The data package of a version, with what is retired. With `since` what it changed since then instead, as `changes`",
          parameters: since,
          responses: { 200: { type: "object" } },
          errors: [404],
        },
        async handle(request) {
          const { id } = request.params as { id: string };
          const asked = readParameters<{ since: number }>(request.query, since);
          const read = async (number: number): Promise<unknown> => {
            const found = await versions.readVersion(number);
            if (!found) throw httpErrors.notFound("There is no such version of the dictionary.");
            return JSON.parse(found.text);
          };
          const dataPackage = await read(/^[1-9][0-9]{0,8}$/.test(id) ? Number(id) : 0);
          if (asked.since === undefined) return jsonAnswer(200, dataPackage, NO_STORE);
          return jsonAnswer(200, { changes: changesOf(await read(asked.since), dataPackage) }, NO_STORE);
        },
      },
    },
    {
      url: `${API_ROOT}${DICTIONARY_PATH}/schema`,
      GET: {
        scope: "signed-in",
        doc: { id: "dictionary_schema", summary: "The JSON Schema of a dictionary", responses: { 200: { type: "object" } } },
        handle: () => jsonAnswer(200, dictionarySchema),
      },
    },
  ];
}

export function toWireVersion({ at, ...version }: ListedVersion): DictionaryVersion {
  return { ...version, at: new Date(at).toISOString() };
}
