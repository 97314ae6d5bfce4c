// Finds a request for each answer that the OpenAPI document promises about merges.

import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { PlannedRequest, Promised } from "./response-coverage.ts";
import type { TestService } from "./service.ts";

/** Stores a record of a collection, which may refer to others, and answers its key. */
type Store = (collection: Collection, fields?: Record<string, unknown>) => Promise<number>;

/** Returns undefined for an answer that is about something else. */
export async function requestOfMerge(
  service: TestService,
  collection: Collection,
  { template, method, status }: Promised,
  valid: PlannedRequest,
  store: Store,
): Promise<PlannedRequest | undefined> {
  const own = `/v1/${collection.name}`;
  if (template === `${own}/{id}` && status === 308) return { ...valid, path: `${own}/${(await merged(service, collection, store)).gone}` };
  if (template === `${own}/merges/{id}`) {
    const { id, kept } = await merged(service, collection, store);
    if (status === 404) return { ...valid, path: `${own}/merges/none` };
    if (status === 409) await service.call("DELETE", `${own}/${kept}`);
    return { ...valid, path: `${own}/merges/${id}` };
  }
  if (template !== `${own}/merges` || method !== "POST") return undefined;
  const body = await bodyOf(service, collection, store);
  const send = (given: object, query = "") => ({ ...valid, path: valid.path + query, body: JSON.stringify(given) });
  switch (status) {
    case 200:
      return send(body, "?dryRun=true");
    case 404:
      return send({ ...body, others: [987_654_321], versions: { ...body.versions, 987654321: 1 } });
    case 409:
      return requestOfUnseenChild(service, collection, send(body), store, body.others[0] as number);
    case 412:
      return send({ ...body, versions: { ...body.versions, [body.survivor]: 99 } });
    case 422:
      return send({});
    default:
      return send(body);
  }
}

async function bodyOf(service: TestService, collection: Collection, store: Store) {
  const ids = [await store(collection), await store(collection)];
  const pairs: [string, number][] = [];
  for (const id of ids) pairs.push([String(id), (await service.call("GET", `/v1/${collection.name}/${id}`)).json.version]);
  return { survivor: ids[0] as number, others: ids.slice(1), versions: Object.fromEntries(pairs) as Record<string, number> };
}

async function merged(service: TestService, collection: Collection, store: Store) {
  const body = await bodyOf(service, collection, store);
  const { status, json, text } = await service.call("POST", `/v1/${collection.name}/merges`, body);
  if (status !== 201) throw new Error(`the merge answered ${status}: ${text}`);
  return { id: json.id as string, kept: body.survivor, gone: body.others[0] as number };
}

/** Comes from somebody who does not see a record that would move. */
async function requestOfUnseenChild(
  service: TestService,
  collection: Collection,
  request: PlannedRequest,
  store: Store,
  parent: number,
): Promise<PlannedRequest> {
  const [first] = childrenOf(service.collections, collection);
  if (!first) throw new Error("nothing refers to the collection");
  const { child, field } = first;
  const { json: stored } = await service.call("GET", `/v1/${collection.name}/${parent}`);
  const agreeing = (field.reference.where ?? []).map((pair) => [pair.own, stored[pair.parent]]);
  await store(child, { ...Object.fromEntries(agreeing), [field.name]: parent });
  const names = new Set([collection, ...childrenOf(service.collections, collection).map((one) => one.child)].map(({ name }) => name));
  const scope = [...names].flatMap((name) => ["read", "update", "delete"].map((right) => `${name}:${right}`)).join(" ");
  const conditions = { [child.name]: { read: { where: "createdBy={me}" } } };
  const { json } = await service.call("POST", "/v1/roles", { name: `Merges ${collection.name}`, scope, conditions });
  const { token } = await service.newPerson(json.id);
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
