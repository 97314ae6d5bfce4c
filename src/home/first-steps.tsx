// Says how to begin while there is no record: sample data, a file of one's own, colleagues.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { newIdempotencyKey } from "../app/services/idempotency-key.ts";
import { useMayIn } from "../app/services/permissions.ts";
import { useServices } from "../app/services/services.ts";
import { meQuery } from "../service/me.ts";
import { removeSample, SAMPLE_RIGHTS } from "../service/sample-data.ts";
import { useFocusFallback } from "../ui/focus/restore-focus.ts";
import { Failure } from "../ui/primitives.tsx";
import { count } from "../values/format.ts";
import { nounsOf } from "../values/record-name.ts";
import { Card } from "./card.tsx";
import * as styles from "./first-steps.module.css";
import { addCustomers, fitsSample, SAMPLE_SIZE } from "./sample-customers.ts";

/** `collections`: those that the reader may read, all of them empty. */
export function FirstSteps({ collections }: { collections: readonly Collection[] }) {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const may = useMayIn();
  useFocusFallback();
  const writable = collections.find(({ name }) => may(name, "create"));
  const sampled = collections.find((one) => SAMPLE_RIGHTS.every((right) => may(one.name, right) === true) && fitsSample(one));
  const isAdmin = me !== undefined && allows(me.scope, "admin");
  if (!writable && !isAdmin) {
    return (
      <Card title={t("Nothing here yet")}>
        <p className={styles.words}>{t("Records appear here as soon as someone enters them.")}</p>
      </Card>
    );
  }
  return (
    <Card title={t("First steps")}>
      <ol className={styles.steps}>
        {sampled && <SampleStep collection={sampled} />}
        {writable && (
          <li>
            <b>{t("Upload your own file")}</b>
            <p>{t("CSV, Excel or OpenDocument. Every row is checked before anything is stored.")}</p>
            <Link className="button" to="/$collection/upload" params={{ collection: writable.name }}>
              {t("Choose a file of {nouns}", nounsOf(writable))}
            </Link>
          </li>
        )}
        {isAdmin && (
          <li>
            <b>{t("Invite your colleagues")}</b>
            <p>{t("Each person has an account of their own, with only the rights that you give.")}</p>
            <Link className="button" to="/settings/$page" params={{ page: "people" }}>
              {t("Invite people")}
            </Link>
          </li>
        )}
      </ol>
    </Card>
  );
}

function SampleStep({ collection }: { collection: Collection }) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const sendKey = useRef(newIdempotencyKey());
  const adding = useMutation({
    mutationFn: () => addCustomers(client, queries, collection, sendKey.current),
    onSuccess: () => {
      const message = t("The sample data is added.");
      const undo = () => void removeSample(client, queries, [collection]).catch(({ message }: Error) => toasts.show({ message }));
      toasts.show({ message, action: { label: t("Undo"), isUndo: true, undoes: message, run: undo } });
    },
  });
  return (
    <li>
      <b>{t("Try it with sample data")}</b>
      <p>{t("Made-up people from many countries. One press removes them again.")}</p>
      <button type="button" aria-disabled={adding.isPending} onClick={() => adding.isPending || adding.mutate()}>
        {count(SAMPLE_SIZE, "Add {n} sample {noun}", "Add {n} sample {nouns}", nounsOf(collection))}
      </button>
      {adding.error && <Failure error={adding.error} />}
    </li>
  );
}
