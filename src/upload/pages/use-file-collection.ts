// Gives uploads the collection as its files have it.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { allows } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { withFileParents } from "../../../core/dictionary/file-parents.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";

/**
 * Returns the collection as its files have it: with the parents that the caller sees. Until their rights are known everything is offered,
 * as elsewhere.
 */
export function useFileCollection<One extends Collection | undefined>(collection: One): One | Collection {
  const { collections } = useDictionary();
  const { data: me } = useQuery(meQuery(useServices().client));
  return useMemo(
    () => collection && withFileParents(collection, { collections, mayCreate: (name) => !me || allows(me.scope, `${name}:create`) }),
    [collection, collections, me],
  );
}
