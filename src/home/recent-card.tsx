import { useQueryClient } from "@tanstack/react-query";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { recentRecords } from "../service/recent-records.ts";
import { idOf } from "../service/records.ts";
import { Monogram } from "../ui/monogram.tsx";
import { nameOf } from "../values/record-name.ts";
import { Card } from "./card.tsx";
import * as styles from "./home-page.module.css";

/** Shows the records that were opened in this tab, as the palette has them. Only those of the collections that are given. */
export function RecentCard({ collections }: { collections: readonly Collection[] }) {
  const records = recentRecords(useQueryClient()).filter(({ collection }) => collections.some(({ name }) => name === collection.name));
  if (records.length === 0) return null;
  return (
    <Card title={t("Recently opened")}>
      <ul className={styles.recent}>
        {records.map(({ collection, record }) => {
          const name = nameOf(collection, record);
          const id = String(idOf(collection, record));
          return (
            <li key={`${collection.name} ${id}`}>
              <Monogram name={name} />
              <Link to="/$collection/$id" params={{ collection: collection.name, id }}>
                <bdi>{name}</bdi>
              </Link>
              <span className={styles.note}>{collection.noun}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
