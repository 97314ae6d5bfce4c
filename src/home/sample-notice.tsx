// Says that the store has sample data, and removes it by one press.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { useMayIn } from "../app/services/permissions.ts";
import { useServices } from "../app/services/services.ts";
import { removeSample, SAMPLE_RIGHTS, sampleLeftQuery } from "../service/sample-data.ts";
import { Failure } from "../ui/primitives.tsx";
import { count } from "../values/format.ts";
import { nounsOf } from "../values/record-name.ts";
import * as styles from "./home-page.module.css";

/** Shows nothing to whoever may not remove it. */
export function SampleNotice({ collections }: { collections: readonly Collection[] }) {
  const { client } = useServices();
  const may = useMayIn();
  const able = collections.filter(({ name }) => SAMPLE_RIGHTS.every((right) => may(name, right) === true));
  const { data: left = [] } = useQuery(sampleLeftQuery(client, able));
  const having = able.filter((_, i) => (left[i] ?? 0) > 0);
  const n = left.reduce((sum, each) => sum + each, 0);
  return n > 0 && <Notice collections={having} n={n} />;
}

/** `collections`: those that have some of it. */
function Notice({ collections, n }: { collections: readonly Collection[]; n: number }) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const [first] = collections;
  const removing = useMutation({
    mutationFn: () => removeSample(client, queries, collections),
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
        <span>
          {first && collections.length === 1
            ? count(n, "There is {n} {noun} of the sample data.", "There are {n} {nouns} of the sample data.", nounsOf(first))
            : count(n, "There is {n} record of the sample data.", "There are {n} records of the sample data.")}
        </span>
        <button type="button" aria-disabled={removing.isPending} onClick={() => removing.isPending || removing.mutate()}>
          {t("Remove the sample data")}
        </button>
      </div>
      {removing.error && <Failure error={removing.error} />}
    </>
  );
}
