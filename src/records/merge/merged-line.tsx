// Says on a record that others became part of it, and takes that apart.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiError } from "../../../client/errors.ts";
import type { Merge } from "../../../core/contract/merges.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { openedPart } from "../../app/code/lazy-page.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { asksOwners, mergesQuery } from "../../service/merges.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { formatDatetime } from "../../values/format.ts";
import type { ApartDialogProps } from "./apart-dialog.tsx";
import * as styles from "./merged-line.module.css";
import { useTakeApart } from "./use-take-apart.ts";

const ApartDialog = openedPart<"ApartDialog", ApartDialogProps>(
  () => import("./apart-dialog.tsx"),
  "ApartDialog",
  () => null,
);

export interface MergedLineProps {
  collection: Collection;
  id: number;
  version: number;
}

export function MergedLine({ collection, id, version }: MergedLineProps) {
  const { client } = useServices();
  const { data: merges = [] } = useQuery(mergesQuery(client, collection, id, version));
  return merges.map((merge) => <Line key={merge.id} collection={collection} merge={merge} />);
}

function Line({ collection, merge }: { collection: Collection; merge: Merge }) {
  const { toasts } = useServices();
  const may = useMay(collection);
  const takeApart = useTakeApart(collection);
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<ApiError>();
  const { others, at, by, survivor } = merge;
  async function run(owners?: Readonly<Record<string, string>>): Promise<void> {
    setBusy(true);
    setAsked(undefined);
    await takeApart(merge.id, owners, (error) => (asksOwners(error) ? setAsked(error) : toasts.show({ message: error.message })));
    setBusy(false);
  }
  return (
    <p className={styles.line}>
      <span title={by ? `${formatDatetime(at)}, ${by.name}` : formatDatetime(at)}>
        {tCount(others.length, "One record was merged into this one", "{n} records were merged into this one")}
      </span>
      {may("update") && may("delete") && (
        <>
          {" · "}
          <button type="button" className={buttonStyles.link} aria-disabled={isBusy} onClick={() => isBusy || void run()}>
            {t("Take apart")}
          </button>
        </>
      )}
      {asked && (
        <ApartDialog
          {...{ collection, survivor }}
          fields={asked.fields}
          onClose={() => setAsked(undefined)}
          onChosen={(owners) => void run(owners)}
        />
      )}
    </p>
  );
}
