import { useEffect, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { idOf } from "../../api/records.ts";
import * as buttonStyles from "../../components/button.module.css";
import * as pageStyles from "../../components/page.module.css";
import { PageTitle } from "../../components/primitives.tsx";
import { useServices } from "../../context/services.ts";
import { useIsMounted } from "../../context/use-is-mounted.ts";
import type { Texts } from "../../fields/field-text.ts";
import { nameOf } from "../../fields/record-name.ts";
import { RecordNameText } from "../../fields/record-name-text.tsx";
import { useLastListUrl } from "../../navigation/last-list-urls.ts";
import { useLeaveGuard } from "../../navigation/leave-guard.tsx";
import { Link } from "../../router/link.tsx";
import { useNavigate } from "../../router/router-context.tsx";
import { RecordForm } from "./form/record-form.tsx";
import type { UseSaveOptions } from "./form/use-save.ts";
import { PossibleDuplicates } from "./possible-duplicates.tsx";
import { useSaveRecord } from "./use-save-record.ts";

/** "Save and add another" starts a fresh form on the same page. */
export function NewRecord({ collection }: { collection: Collection }) {
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (round > 0) document.querySelector<HTMLElement>("form :is(input, select)")?.focus();
  }, [round]);
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("New {noun}", { noun: collection.noun })}</PageTitle>
      </div>
      <NewForm key={round} collection={collection} onAnother={() => setRound(round + 1)} />
    </main>
  );
}

function NewForm({ collection, onAnother }: { collection: Collection; onAnother: () => void }) {
  const { toasts, keys } = useServices();
  const navigate = useNavigate();
  const leave = useLeaveGuard();
  const { save, drafts } = useSaveRecord(collection, undefined);
  const list = { to: "/$collection", params: { collection: collection.name }, search: useLastListUrl(collection.name) } as const;
  const [texts, setTexts] = useState<Texts>({});
  const isHere = useIsMounted();

  const onSaved: UseSaveOptions["onSaved"] = (saved, then, isDirty) => {
    if (saved) toasts.show({ message: <RecordNameText name={nameOf(collection, saved)} text={t("{name} is saved.")} /> });
    if (isDirty || !isHere()) return;
    leave.allow();
    if (then === "another") return onAnother();
    if (then === "close" || !saved) return void navigate(list);
    const params = { collection: collection.name, id: String(idOf(collection, saved)) };
    void navigate({ to: "/$collection/$id", params, replace: true });
  };

  const cancel = (
    <Link className={buttonStyles.quiet} {...list}>
      {t("Cancel")}
    </Link>
  );
  return (
    <>
      <RecordForm
        collection={collection}
        save={save}
        drafts={drafts}
        onSaved={onSaved}
        onDirty={leave.onDirty}
        onTexts={setTexts}
        keys={keys}
        cancel={cancel}
      >
        <PossibleDuplicates collection={collection} texts={texts} />
      </RecordForm>
      {leave.dialog}
    </>
  );
}
