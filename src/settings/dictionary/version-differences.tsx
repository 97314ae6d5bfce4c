// Shows what a dictionary's version changes of another.

import { useQuery } from "@tanstack/react-query";
import { changesOf } from "../../../core/dictionary/changes.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { versionQuery } from "../../service/dictionary-drafts.ts";
import { Failure, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { changeSentence } from "./change-sentence.ts";
import * as styles from "./dictionary-editor.module.css";

export function Differences({ from, to }: { from: number; to: number }) {
  const { client } = useServices();
  const old = useQuery(versionQuery(client, from));
  const now = useQuery(versionQuery(client, to));
  const error = old.error ?? now.error;
  if (error) return <Failure error={error} />;
  if (!old.data || !now.data) return <Skeleton width="240px" />;
  const sentences = changesOf(old.data, now.data).map((change) => changeSentence(change, now.data));
  if (sentences.length === 0) return <p className={textStyles.note}>{t("Nothing that people or programs notice.")}</p>;
  return (
    <ul className={styles.changes}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
