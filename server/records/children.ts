// The addresses below a parent: `/v1/customers/7/orders` has the orders of one customer, and makes new ones there.

import type { FastifyRequest } from "fastify";
import { API_ROOT, childrenPath } from "../../core/contract/paths.ts";

import { childrenOf, type Parent } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Filter, Store } from "../engine/store.ts";
import type { RouteHandler } from "../http/route.ts";
import { recordIdOf, recordNotFound } from "./record-id.ts";

/** Returns the collections that have an address below this one. One that refers to it by several fields is there by the first. */
export function childCollections(
  parent: Collection,
  collections: readonly Collection[],
): { child: Collection; under: Parent; url: string }[] {
  const all = childrenOf(collections, parent);
  const first = all.filter(({ child }, i) => all.findIndex((other) => other.child === child) === i);
  return first.map(({ child, field }) => ({
    child,
    under: { field, parent },
    url: API_ROOT + childrenPath(parent.name, ":id", child.name),
  }));
}

/** Returns the id in the path. Throws 404 where there is no such parent. */
export async function requireParent({ parent }: Parent, store: Store, request: FastifyRequest): Promise<number> {
  const id = recordIdOf(parent, request);
  if (!(await store.read(parent, id))) throw recordNotFound(parent);
  return id;
}

export function childFilter({ field, parent }: Parent, request: FastifyRequest): Filter {
  return { name: field.name, operator: "eq", values: [recordIdOf(parent, request)] };
}

/** Returns what the document says of an operation below a parent. */
export function childDoc(verb: string, child: Collection, { parent }: Parent): Pick<RouteHandler["doc"], "id" | "errors"> {
  return { id: `${verb}_${parent.singular}_${child.name}`, errors: [404] };
}
