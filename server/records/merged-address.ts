// The address of a record that has become part of another one leads to that.

import type { FastifyRequest } from "fastify";
import { API_ROOT } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Answer, Store } from "../engine/store.ts";
import { NO_STORE } from "../http/responses.ts";
import { recordIdOf, recordNotFound } from "./record-id.ts";

/**
 * Answers with a 308 with the parameters of the request. `pathOf`: of the survivor. Throws 404 where the record that is asked for is no
 * part of one that the caller sees.
 */
export async function leadToSurvivor(
  collection: Collection,
  store: Pick<Store, "merges">,
  request: FastifyRequest,
  pathOf: (survivor: number) => string,
): Promise<Answer> {
  const id = recordIdOf(collection, request);
  const survivor = (await store.merges.findSurvivors(collection.name, [id])).get(id);
  if (survivor === undefined) throw recordNotFound(collection);
  const [, sent] = request.url.split("?", 2);
  const location = `${API_ROOT}${pathOf(survivor)}${sent === undefined ? "" : `?${sent}`}`;
  return { status: 308, headers: { location, ...NO_STORE }, body: "" };
}
