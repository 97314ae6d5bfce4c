// The records above one, from the first on, where a collection is a tree.

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Client } from "../../../client/http-client.ts";
import { recordPath } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useServices } from "../../app/services/services.ts";
import { idOf, keys } from "../../service/records.ts";
import { fieldValue } from "../../values/field-value.ts";
import { nameOf } from "../../values/record-name.ts";
import * as styles from "./parent-chain.module.css";

export interface ParentChainProps {
  collection: Collection;
  /** It refers to the record above. */
  field: Field;
  record: WireRecord;
}

const MOST = 30; // records; nobody reads more in a line

/** Stands in a line of its own above the name. What the reader may not see ends the line. */
export function ParentChain({ collection, field, record }: ParentChainProps) {
  const { client } = useServices();
  const { data } = useQuery(chainQuery(client, { collection, field, record }));
  return (
    <nav className={styles.chain} aria-label={t("Above this {noun}", { noun: collection.noun })}>
      <ol>
        {data?.map((above) => (
          <li key={idOf(collection, above)}>
            <Link to="/$collection/$id" params={{ collection: collection.name, id: String(idOf(collection, above)) }}>
              <bdi>{nameOf(collection, above)}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function chainQuery(client: Client, { collection, field, record }: ParentChainProps) {
  const first = fieldValue(record, field);
  return queryOptions({
    queryKey: [...keys.lists(collection), "above", field.name, first],
    retry: false,
    async queryFn({ signal }) {
      const chain: WireRecord[] = [];
      for (let id = first; typeof id === "number" && chain.length < MOST; ) {
        const reply = await client.request("GET", recordPath(collection.name, id), { signal }).catch(() => undefined);
        if (!reply) break;
        const above = reply.json as WireRecord;
        chain.unshift(above);
        id = fieldValue(above, field);
      }
      return chain;
    },
  });
}
