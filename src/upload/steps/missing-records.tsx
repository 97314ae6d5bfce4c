// Finds the stored records that an uploaded file has no row for, and selects them in the list.

import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { select } from "../../records/query/selection.ts";
import { readByIds } from "../../service/bulk.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Failure, Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { countOf, nounsOf } from "../../values/record-name.ts";
import type { MissingFound } from "../worker/missing-work.ts";

export interface MissingRecordsProps {
  collection: Collection;
}

const SHOWN_ALONE = 50; // so many ids fit into the address of a list that shows nothing else

export function MissingRecords({ collection }: MissingRecordsProps) {
  const { client, selections, uploadManager } = useServices();
  const navigate = useNavigate();
  const finding = useMutation({ mutationFn: () => uploadManager.missing() });
  const opening = useMutation({
    mutationFn: async (ids: readonly number[]) => {
      const records = await readByIds(client, collection, ids);
      selections.put(collection, select(collection, new Map(), records), "none");
      const search = ids.length <= SHOWN_ALONE ? { [`${collection.key.name}[in]`]: ids.join() } : {};
      await navigate({ to: "/$collection", params: { collection: collection.name }, search });
    },
  });
  const { isPending } = finding;
  useEffect(() => (isPending ? uploadManager.endMissing : undefined), [isPending, uploadManager]);
  const isRefused = finding.data !== undefined && "refused" in finding.data;
  return (
    <section>
      {(!finding.data || isRefused) && (
        <p>
          <button type="button" aria-disabled={isPending} onClick={() => isPending || finding.mutate()}>
            {t("Find {nouns} that the file lacks", nounsOf(collection))}
          </button>{" "}
          <span role="status" className={textStyles.note}>
            {isPending && t("Comparing all that are stored…")}
          </span>
        </p>
      )}
      {finding.error && <Failure error={finding.error} />}
      {finding.data && <Found found={finding.data} collection={collection} isBusy={opening.isPending} onOpen={opening.mutate} />}
      {opening.error && <Failure error={opening.error} />}
    </section>
  );
}

interface FoundProps {
  found: MissingFound;
  collection: Collection;
  isBusy: boolean;
  onOpen: (ids: readonly number[]) => void;
}

function Found({ found, collection, isBusy, onOpen }: FoundProps) {
  if ("refused" in found) return <Notice tone="doubt">{found.refused}</Notice>;
  const { ids, isMore, unnamed } = found;
  const apart = unnamed > 0 && (
    <>
      {" "}
      {count(
        unnamed,
        "{n} cannot be named by such a file, for want of a value, and is not among them.",
        "{n} cannot be named by such a file, for want of a value, and are not among them.",
      )}
    </>
  );
  if (ids.length === 0)
    return (
      <Notice>
        {t("The file has all stored {nouns}.", nounsOf(collection))}
        {apart}
      </Notice>
    );
  return (
    <Notice>
      <b>
        {isMore
          ? t("The file lacks more than {records}.", { records: countOf(collection, ids.length) })
          : t("The file lacks {records}.", { records: countOf(collection, ids.length) })}
      </b>
      {apart}{" "}
      <button type="button" className={buttonStyles.link} aria-disabled={isBusy} onClick={() => isBusy || onOpen(ids)}>
        {isMore ? t("Select the first {n} in the list", { n: formatNumber(ids.length) }) : t("Select them in the list")}
      </button>
    </Notice>
  );
}
