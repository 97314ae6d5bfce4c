// Shows what the service knows of an upload or a batch run: who made it, when, what it changed, and who took it back.

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { RunPart, RunSummary } from "../../../core/contract/history.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { runQuery } from "../../service/history.ts";
import * as textStyles from "../../ui/text.module.css";
import { count, formatDatetime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";

export function useRun(run: string): UseQueryResult<RunSummary> {
  const { client } = useServices();
  return useQuery({ ...runQuery(client, run), enabled: run !== "", retry: false, staleTime: 0 });
}

export function RunFacts({ parts, run }: { parts: readonly RunPart[]; run: string }) {
  if (parts.length === 0) return null;
  return (
    <>
      {parts.map((part) => (
        <PartFacts key={`${part.collection} ${part.source.type}`} part={part} />
      ))}
      <p>
        <Link to="/activity" search={{ run } as Record<string, string>}>
          {t("Show what it changed")}
        </Link>
      </p>
    </>
  );
}

function PartFacts({ part: { collection: name, source, by, others, to, size } }: { part: RunPart }) {
  const collection = useDictionary().collections.find((one) => one.name === name);
  const changes = count(size, "{n} change", "{n} changes");
  const text = source.type === "undo" ? t("Taken back by {name}") : t("Made by {name}");
  return (
    <p>
      {by && <NameInSentence name={by.name} text={text} />}{" "}
      <span className={textStyles.note}>
        {formatDatetime(to)} · {changes} · {collection?.title ?? name}
      </span>
      {others.map((other) => (
        <span key={other.id} className={textStyles.note}>
          {" · "}
          <NameInSentence name={other.name} text={t("{name} also wrote in it")} />
        </span>
      ))}
    </p>
  );
}
