// Says that the store has sample data, and removes it by one press.

import { useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { useMayIn } from "../app/services/permissions.ts";
import { useServices } from "../app/services/services.ts";
import { Failure } from "../ui/primitives.tsx";
import { count } from "../values/format.ts";
import { nounsOf } from "../values/record-name.ts";
import * as styles from "./home-page.module.css";
import { removeSample, SAMPLE_FIELDS, SAMPLE_RIGHTS, sampleLeftQuery } from "./sample-data.ts";

/** Nothing for whoever may not remove it, or where no collection can have it. */
export function SampleNotice({ collections }: { collections: readonly Collection[] }) {
  const { client } = useServices();
  const may = useMayIn();
  const able = collections.filter(
    ({ name, byName }) => SAMPLE_FIELDS.every((field) => byName.has(field)) && SAMPLE_RIGHTS.every((right) => may(name, right) === true),
  );
  const left = useQueries({ queries: able.map((collection) => sampleLeftQuery(client, collection)) });
  return able.map((collection, i) => {
    const n = left[i]?.data ?? 0;
    return n > 0 && <Notice key={collection.name} collection={collection} n={n} />;
  });
}

function Notice({ collection, n }: { collection: Collection; n: number }) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: () => removeSample(client, queries, collection),
    onSuccess: (kept) =>
      toasts.show({
        message:
          kept === 0
            ? t("The sample data is removed.")
            : count(
                kept,
                "The sample data is removed, but for {n} record that was changed since.",
                "The sample data is removed, but for {n} records that were changed since.",
              ),
      }),
  });
  return (
    <>
      <div className={styles.sample} role="status">
        <span>{count(n, "There is {n} {noun} of the sample data.", "There are {n} {nouns} of the sample data.", nounsOf(collection))}</span>
        <button type="button" aria-disabled={removing.isPending} onClick={() => removing.isPending || removing.mutate()}>
          {t("Remove the sample data")}
        </button>
      </div>
      {removing.error && <Failure error={removing.error} />}
    </>
  );
}
