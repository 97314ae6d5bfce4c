// The parts of a record's page: its own fields, and the records that refer to it, with how many they are.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { allows } from "../../../../core/contract/scopes.ts";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import { t } from "../../../../core/i18n/translate.ts";
import { Link } from "../../../app/router/link.tsx";
import { useServices } from "../../../app/services/services.ts";
import { meQuery } from "../../../service/me.ts";
import { countQuery } from "../../../service/records.ts";
import * as tabStyles from "../../../ui/tabs.module.css";
import { formatNumber } from "../../../values/format.ts";
import type { Relation } from "../../../values/references/relations.ts";
import { ChildList } from "./child-list.tsx";
import * as styles from "./child-tabs.module.css";

export interface ChildTabsProps {
  collection: Collection;
  id: number;
  relations: readonly Relation[];
  /** Undefined: the first tab. */
  shown: Relation | undefined;
  /** The name of the first tab. */
  own: string;
  /** Is shown below the first tab, unless that stands elsewhere. */
  children?: ReactNode;
}

export function ChildTabs({ collection, id, relations, shown, own, children }: ChildTabsProps) {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const readable = relations.filter(({ child }) => !me || allows(me.scope, `${child.name}:read`));
  const params = { collection: collection.name, id: String(id) };
  if (readable.length === 0)
    return (
      children && (
        <>
          <h2>{own}</h2>
          {children}
        </>
      )
    );
  return (
    <>
      <nav className={`${tabStyles.tabs} ${styles.tabs}`} aria-label={t("Parts of the {noun}", { noun: collection.noun })}>
        <Link to="/$collection/$id" params={params} current="search">
          {own}
        </Link>
        {readable.map((relation) => (
          <Link key={relation.name} to="/$collection/$id" params={params} search={{ show: relation.name }} current="search">
            {relation.title} <Count {...relation} id={id} />
          </Link>
        ))}
      </nav>
      {!shown && children}
      {shown && <ChildList key={`${shown.name} ${id}`} parent={collection} id={id} relation={shown} />}
    </>
  );
}

function Count({ child, field, id }: Relation & { id: number }) {
  const { client } = useServices();
  const { data } = useQuery(countQuery(client, child, { [field.name]: String(id) }));
  return data === undefined ? null : <span className={styles.count}>{`${formatNumber(data.total)}${data.totalIsAtLeast ? "+" : ""}`}</span>;
}
