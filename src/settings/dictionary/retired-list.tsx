// Lists what is retired, with its values: it is brought back, or emptied for good.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RetiredPart } from "../../../core/contract/dictionary.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { useNavigate, useParams } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { changeDraft, createDraft } from "../../service/dictionary-drafts.ts";
import { emptyRetired, retiredQuery } from "../../service/dictionary-runs.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as pageStyles from "../../ui/page.module.css";
import { Failure } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { nameOfPrincipal } from "../../values/change-words.ts";
import { formatDatetime } from "../../values/format.ts";
import * as styles from "./dictionary-editor.module.css";
import { broughtBack } from "./package-edits.ts";

export function RetiredList() {
  const { client } = useServices();
  const { data = [], error } = useQuery(retiredQuery(client));
  if (error) return <Failure error={error} />;
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="retired">
      <h2 id="retired">{t("Retired")}</h2>
      <p className={textStyles.note}>{t("Nobody sees them. Their values are kept.")}</p>
      <ul className={styles.versions}>
        {data.map((part) => (
          <Part key={part.id} part={part} />
        ))}
      </ul>
    </section>
  );
}

function Part({ part }: { part: RetiredPart }) {
  const { client } = useServices();
  const navigate = useNavigate();
  const { collection = "" } = useParams();
  const [isAsking, setAsking] = useState(false);
  const { id, kind, path, title, count, at, by, isEmptying } = part;
  const back = useMutation({
    async mutationFn() {
      const draft = await createDraft(client, { title: t("Bring back {title}", { title }) });
      const { now } = await changeDraft(client, draft.id, { package: broughtBack(draft.package, id) }, null);
      await navigate({ to: "/$collection/dictionary", params: { collection }, search: { draft: now.id, part: "review" } });
    },
  });
  return (
    <li>
      <b>
        {title} <code>{path}</code>
      </b>
      <span className={textStyles.note}>
        {kind === "field"
          ? tCount(count, "{n} record has a value there.", "{n} records have a value there.")
          : tCount(count, "{n} record", "{n} records")}
        {at && by && ` ${t("{who}, {when}", { who: nameOfPrincipal(by), when: formatDatetime(at) })}`}
      </span>
      {back.error && <Failure error={back.error} />}
      {isEmptying ? (
        <output>{t("It is being emptied for good.")}</output>
      ) : (
        <div className={pageStyles.tools}>
          <button
            type="button"
            aria-disabled={back.isPending}
            aria-label={t("Bring back {title}", { title })}
            onClick={() => back.isPending || back.mutate()}
          >
            {t("Bring back")}
          </button>
          <button
            type="button"
            className={buttonStyles.danger}
            aria-label={`${t("Empty for good…")} ${title}`}
            onClick={() => setAsking(true)}
          >
            {t("Empty for good…")}
          </button>
        </div>
      )}
      {isAsking && <EmptyDialog part={part} onClose={() => setAsking(false)} />}
    </li>
  );
}

function EmptyDialog({ part: { id, path, title, count }, onClose }: { part: RetiredPart; onClose: () => void }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const name = path.split(".").at(-1) ?? "";
  const [typed, setTyped] = useState("");
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => emptyRetired(client, id, typed.trim()),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: retiredQuery(client).queryKey });
      onClose();
    },
  });
  const problem = typed.trim() === name ? undefined : t("Type the name {name}.", { name });
  return (
    <FormDialog
      title={t("Empty {title} for good?", { title })}
      submitLabel={t("Empty for good")}
      isDangerous
      isBusy={isPending}
      error={error}
      onSubmit={() => {
        setTried(true);
        if (!problem) mutate();
      }}
      onClose={onClose}
    >
      <p>
        {tCount(
          count,
          "The values of {n} record are lost, also in its history.",
          "The values of {n} records are lost, also in their history.",
        )}{" "}
        {t("Nobody can bring them back.")}
      </p>
      <TextField
        id="empty-name"
        label={t("Type {name} to confirm", { name })}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        {...(isTried && problem && { error: problem })}
      />
    </FormDialog>
  );
}
