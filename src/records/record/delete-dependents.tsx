// Shows, before a record is deleted, what refers to it, and what becomes of that or why it is in the way.

import { useQueries } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Reference } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { Link } from "../../app/router/link.tsx";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { countQuery, idOf } from "../../service/records.ts";
import * as formStyles from "../../ui/form.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { count } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { countOf, nameOf, nounsOf } from "../../values/record-name.ts";
import { wordsForGrandchildren } from "../../values/references/deletion-words.ts";
import type { Relation } from "../../values/references/relations.ts";

export interface DeleteDependentsProps {
  collection: Collection;
  record: WireRecord;
  relations: readonly Relation[];
  /** Holds what the service said when it refused the deletion. */
  refused?: string | undefined;
  onDelete: () => void;
  onCancel: () => void;
}

interface Dependents {
  relation: Relation;
  n: number;
}

/** Deletes at once where nothing depends on the record. The service decides again, whatever is counted here. */
export function DeleteDependents({ collection, record, relations, refused, onDelete, onCancel }: DeleteDependentsProps) {
  const { client } = useServices();
  const { collections } = useDictionary();
  const id = String(idOf(collection, record));
  const counts = useQueries({
    queries: relations.map(({ child, field }) => ({ ...countQuery(client, child, { [field.name]: id }, "exact"), staleTime: 0 })),
  });
  const isKnown = counts.every(({ isFetching }) => !isFetching);
  const dependents = relations.flatMap((relation, i) => {
    const n = counts[i]?.data?.total ?? 0; // none of those that the caller may not read
    return n > 0 ? { relation, n } : [];
  });
  const inTheWay = dependents.filter(({ relation }) => relation.field.reference.onDelete === "restrict");
  const isFree = isKnown && dependents.length === 0 && refused === undefined;
  const latest = useRef(onDelete);
  latest.current = onDelete;
  useEffect(() => {
    if (isFree) latest.current();
  }, [isFree]);
  if (!isKnown || isFree) return null;
  if (refused !== undefined || inTheWay.length > 0)
    return <InUse collection={collection} record={record} refused={refused} dependents={refused === undefined ? inTheWay : dependents} />;
  const alongWithIt = dependents.flatMap(({ relation: { child, field } }) => (field.reference.onDelete === "cascade" ? child : []));
  const effects = [
    ...dependents.map(({ relation, n }) => whatBecomes(relation, n)),
    ...wordsForGrandchildren(collections, alongWithIt),
    t("Undo brings back the {noun} alone.", { noun: collection.noun }),
  ];
  return (
    <ConfirmDialog
      title={<NameInSentence name={nameOf(collection, record)} text={t("Delete {name}?")} />}
      confirmLabel={t("Delete")}
      onConfirm={onDelete}
      onCancel={onCancel}
    >
      {effects.join(" ")}
    </ConfirmDialog>
  );
}

/** Says what a deletion of the parent does to so many records. */
const BECOMES: Record<Exclude<Reference["onDelete"], "restrict">, (relation: Relation, n: number) => string> = {
  cascade: ({ child }, n) => count(n, "{n} {noun} is deleted with it.", "{n} {nouns} are deleted with it.", nounsOf(child)),
  clear: ({ child, field }, n) =>
    count(n, "{n} {noun} stays without “{field}”.", "{n} {nouns} stay without “{field}”.", { ...nounsOf(child), field: field.title }),
};

function whatBecomes(relation: Relation, n: number): string {
  const { onDelete } = relation.field.reference;
  return onDelete === "restrict" ? "" : BECOMES[onDelete](relation, n);
}

function InUse({
  collection,
  record,
  refused,
  dependents,
}: Pick<DeleteDependentsProps, "collection" | "record" | "refused"> & { dependents: Dependents[] }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const id = String(idOf(collection, record));
  return (
    <div className={formStyles.form}>
      <div className={noticeStyles.notice} data-tone="wrong" role="alert" tabIndex={-1} ref={notice}>
        <b>
          <NameInSentence name={nameOf(collection, record)} text={t("{name} cannot be deleted: other records refer to it.")} />
        </b>{" "}
        {refused}
        <ul>
          {dependents.map(({ relation: { name, child, field }, n }) => (
            <li key={name}>
              <Link to="/$collection" params={{ collection: child.name }} search={{ [field.name]: id }}>
                {countOf(child, n)}
              </Link>
            </li>
          ))}
        </ul>
        {t("Delete them first, or choose another {noun} in them.", { noun: collection.noun })}
      </div>
    </div>
  );
}
