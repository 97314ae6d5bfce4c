import { useQuery } from "@tanstack/react-query";
import { allows, type Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { meQuery } from "../api/me.ts";
import { useServices } from "./services.ts";

/** Undefined while unknown. If the service cannot say, everything is offered. */
export function useMay(collection: Collection, right: Right): boolean | undefined {
  const { client } = useServices();
  const { data: me, failureCount } = useQuery(meQuery(client));
  if (me) return allows(me.scope, `${collection.name}:${right}`);
  return me === null || failureCount > 0 ? true : undefined;
}
