// The head of a record's page: what it is called, its status, who changed it last, who else is here, and the ways on.

import type { ReactNode } from "react";
import type { Principal } from "../../../core/contract/principals.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { WayBack } from "../../app/navigation/way-back.tsx";
import { Link } from "../../app/router/link.tsx";
import { useMay } from "../../app/services/permissions.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Monogram } from "../../ui/monogram.tsx";
import { PanelButton } from "../../ui/panel.tsx";
import { PageTitle } from "../../ui/primitives.tsx";
import { fieldValue } from "../../values/field-value.ts";
import { formatDatetime, formatRelativeTime } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { hasPill, Pill } from "../../values/pill.tsx";
import { capitalize } from "../../values/record-detail.ts";
import { nameOf } from "../../values/record-name.ts";
import type { NamedTitleProps } from "../../values/references/named-title.tsx";
import type { ParentChainProps } from "./parent-chain.tsx";
import { PreviousNextLinks } from "./previous-next-links.tsx";
import * as styles from "./record-head.module.css";

const NamedTitle = lazyPart<"NamedTitle", NamedTitleProps>(
  () => import("../../values/references/named-title.tsx"),
  "NamedTitle",
  (_, { collection, record }) => <PageTitle>{nameOf(collection, record)}</PageTitle>,
);

const ParentChain = lazyPart<"ParentChain", ParentChainProps>(
  () => import("./parent-chain.tsx"),
  "ParentChain",
  () => null,
);

interface RecordHeadProps {
  collection: Collection;
  id: number;
  /** Is undefined while it is being read. */
  record: WireRecord | undefined;
  /** Says who else has it open. */
  live: ReactNode;
}

export function RecordHead({ collection, id, record, live }: RecordHeadProps) {
  const tree = collection.references.find(({ reference }) => reference.acyclic);
  return (
    <div className={styles.head}>
      <WayBack collection={collection} />
      {tree && record && fieldValue(record, tree) !== null && <ParentChain collection={collection} field={tree} record={record} />}
      <div className={styles.name}>
        {record ? <Title collection={collection} record={record} /> : <PageTitle>{capitalize(collection.noun)}</PageTitle>}
        {record && <Status collection={collection} record={record} />}
      </div>
      <div className={styles.meta}>
        {record && <Facts collection={collection} record={record} />}
        {live}
        <PreviousNextLinks collection={collection} id={id} />
      </div>
    </div>
  );
}

function Title({ collection, record }: NamedTitleProps) {
  const name = nameOf(collection, record);
  return (
    <>
      <bdi>
        <Monogram name={name} />
      </bdi>
      {collection.label.some(({ reference }) => reference) ? (
        <NamedTitle collection={collection} record={record} />
      ) : (
        <PageTitle>{name}</PageTitle>
      )}
    </>
  );
}

/** Shows the first short closed list among the fields of the list, such as open or delivered: what people ask of a record first. */
function Status({ collection, record }: NamedTitleProps) {
  const field = collection.list.find(hasPill);
  const value = field ? fieldValue(record, field) : null;
  if (!field || value === null) return null;
  return (
    <span className={styles.status} title={field.title}>
      <Pill field={field} value={value} text={formatValue(field, value)} />
    </span>
  );
}

/** Shows one quiet line; a press on it opens the rest. */
function Facts({ collection, record }: { collection: Collection; record: WireRecord }) {
  const { updatedAt, updatedBy, createdAt, createdBy, version } = record;
  const may = useMay(collection);
  const facts = [
    [t("Changed"), momentOf(updatedAt, updatedBy)],
    [t("Created"), momentOf(createdAt, createdBy)],
    [t("Version"), String(version)],
    [collection.key.title, String(record[collection.key.name])],
  ] as const;
  const when = formatRelativeTime(updatedAt);
  return (
    <PanelButton
      className={`${buttonStyles.bare} ${styles.facts}`}
      title={t("About this {noun}", { noun: collection.noun })}
      align="end"
      label={
        <span title={formatDatetime(updatedAt)}>
          <NameInSentence name={updatedBy?.name ?? ""} text={t(CHANGED[updatedBy ? 1 : 0], { when })} />
        </span>
      }
    >
      {() => (
        <>
          <dl className={styles.all}>
            {facts.map(([term, value]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
          {may("update") && may("delete") && (
            <Link to="/$collection/merge" params={{ collection: collection.name }} search={{ ids: String(record[collection.key.name]) }}>
              {t("Merge with…")}
            </Link>
          )}
        </>
      )}
    </PanelButton>
  );
}

function momentOf(at: string, by: Principal | null): string {
  return by ? `${formatDatetime(at)}, ${by.name}` : formatDatetime(at);
}

/** Says it without and with who did it. */
const CHANGED = [message("Changed {when}"), message("Changed {when} by {name}")] as const;
