// Conversions of fields: how far they are, and the way back.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Conversion } from "../../../core/contract/dictionary.ts";
import { KIND_TRAITS, type Kind } from "../../../core/dictionary/kinds.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { cancelConversion, conversionQuery, conversionsQuery, undoConversion } from "../../service/dictionary-runs.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Failure } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { nameOfPrincipal } from "../../values/change-words.ts";
import { formatDatetime, formatNumber } from "../../values/format.ts";
import * as styles from "./dictionary-editor.module.css";

export function ConversionList() {
  const { client } = useServices();
  const { data = [] } = useQuery(conversionsQuery(client));
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="conversions">
      <h2 id="conversions">{t("Conversions")}</h2>
      <ul className={styles.versions}>
        {data.map((conversion) => (
          <li key={conversion.id}>
            <b>
              {t("{field}: {from} → {to}", {
                field: conversion.field,
                from: t(KIND_TRAITS[conversion.fromKind as Kind]?.title ?? ""),
                to: t(KIND_TRAITS[conversion.toKind as Kind]?.title ?? ""),
              })}
            </b>
            <span className={textStyles.note}>
              {t("{who}, {when}", { who: nameOfPrincipal(conversion.by), when: formatDatetime(conversion.at) })}
            </span>
            <ConversionProgress conversion={conversion} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says what has become of a conversion, and offers what can be done about it. */
export function ConversionProgress({ conversion }: { conversion: Conversion }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries();
  const cancel = useMutation({ mutationFn: () => cancelConversion(client, conversion.id), onSettled: refresh });
  const undo = useMutation({ mutationFn: () => undoConversion(client, conversion.id), onSettled: refresh });
  const { data: back } = useQuery({ ...conversionQuery(client, undo.data?.id ?? ""), enabled: undo.data !== undefined });
  const shown = back ?? undo.data ?? conversion;
  const error = cancel.error ?? undo.error;
  const { state, seen, total, canUndo } = shown;
  return (
    <>
      {error && <Failure error={error} />}
      <output>{sentenceOf(shown)}</output>
      {state === "running" && <progress aria-label={t("Values are converted")} max={Math.max(total, 1)} value={seen} />}
      {(state === "running" || canUndo) && (
        <div className={pageStyles.tools}>
          {state === "running" && (
            <button type="button" aria-disabled={cancel.isPending} onClick={() => cancel.isPending || cancel.mutate()}>
              {t("Stop")}
            </button>
          )}
          {canUndo && (
            <button type="button" aria-disabled={undo.isPending} onClick={() => undo.isPending || undo.mutate()}>
              {t("Undo")}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function sentenceOf({ state, seen, total, converted, left, undoes, detail }: Conversion): string {
  switch (state) {
    case "running":
      return t("{seen} of {total} records", { seen: formatNumber(seen), total: formatNumber(total) });
    case "cancelled":
      return t("Stopped: the field has its old kind and its old values.");
    case "failed":
      return t("It was not possible: {why}", { why: detail });
    case "done":
      if (undoes !== null) return t("The field has its old kind and its old values again.");
      return left === 0
        ? tCount(converted, "{n} value is converted.", "{n} values are converted.")
        : `${tCount(converted, "{n} value is converted.", "{n} values are converted.")} ${tCount(left, "{n} is left in the retired field.", "{n} are left in the retired field.")}`;
  }
}
