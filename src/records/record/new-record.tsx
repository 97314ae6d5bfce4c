import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { isIdText } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart, nothing } from "../../app/code/lazy-page.tsx";
import { useLastListUrl } from "../../app/navigation/last-list-urls.ts";
import { useLeaveGuard } from "../../app/navigation/leave-guard.tsx";
import { MayNotWrite } from "../../app/navigation/may-not-write.tsx";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { useUnsavedChanges } from "../../app/navigation/unsaved-changes.ts";
import { Link } from "../../app/router/link.tsx";
import type { Target } from "../../app/router/paths.ts";
import { useNavigate, useParams, useRouter, useSearch } from "../../app/router/router-context.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useCollection, useDictionary, useServices } from "../../app/services/services.ts";
import { useIsMounted } from "../../app/services/use-is-mounted.ts";
import { recordQuery } from "../../service/cache-updates.ts";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { type Texts, textsOf } from "../../values/field-text.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nameOf } from "../../values/record-name.ts";
import { useFormParts } from "../../values/references/lazy-reference-inputs.tsx";
import { givenParents, useRelations } from "../../values/references/relations.ts";
import { RecordForm, type RecordFormProps } from "../form/record-form.tsx";
import type { UseSaveOptions } from "../form/use-save.ts";
import { useSaveRecord } from "../form/use-save-record.ts";

const PossibleDuplicates = lazyPart(() => import("./possible-duplicates.tsx"), "PossibleDuplicates", nothing);

export function NewRecordPage() {
  const { collection: name } = useParams();
  const collection = useCollection(name);
  return collection ? <NewRecordIfAllowed key={collection.name} collection={collection} /> : <NotFound />;
}

function NewRecordIfAllowed({ collection }: { collection: Collection }) {
  const mayCreate = useMay(collection)("create");
  const unsaved = useUnsavedChanges();
  const isReady = useFormParts(collection);
  const { copy = "" } = useSearch();
  if (mayCreate === undefined || !isReady) return <main id="main" />;
  // Typed text stays when someone else signs in. The service then refuses to save it.
  if (!mayCreate && !unsaved.current) return <MayNotWrite collection={collection} title={t("New {noun}", { noun: collection.noun })} />;
  if (isIdText(copy)) return <CopiedRecord collection={collection} id={Number(copy)} />;
  return <NewRecord collection={collection} copied={{}} />;
}

/** Begins with the values of a stored record. */
function CopiedRecord({ collection, id }: { collection: Collection; id: number }) {
  const { client } = useServices();
  const { data, error, refetch } = useQuery(recordQuery(client, collection, id));
  if (data !== undefined) return <NewRecord collection={collection} copied={data ? copiedTexts(collection, data) : {}} />;
  return <main id="main">{error && <Failure error={error} retry={() => refetch()} />}</main>;
}

/** Returns all but files and what two records may not share, and what the caller may not give. */
function copiedTexts(collection: Collection, record: WireRecord): Texts {
  const left = collection.fields
    .filter((field) => field === collection.key || field.unique || field.readOnly || field.file)
    .map(({ name }) => name);
  return Object.fromEntries(Object.entries(textsOf(collection, record)).filter(([name]) => !left.includes(name)));
}

interface NewRecordProps {
  collection: Collection;
  /** The values that another record had. */
  copied: Texts;
}

/** "Save and add another" starts a fresh form on the same page, with the values that are kept. */
function NewRecord({ collection, copied }: NewRecordProps) {
  const given = givenParents(collection, useSearch());
  const [{ round, kept }, setNext] = useState<{ round: number; kept: Texts }>({ round: 0, kept: { ...copied, ...given } });
  const [names, setNames] = useState<ReadonlySet<string>>(new Set(Object.keys(given)));
  // The first field that is still empty, in which typing begins.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each form
  useEffect(() => {
    const inputs = [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>("form [name]:not(details:not([open]) *)")];
    (inputs.find(({ value }) => value === "") ?? inputs[0])?.focus();
  }, [round]);
  const onToggle = (name: string) =>
    setNames((before) => new Set(before.has(name) ? [...before].filter((one) => one !== name) : [...before, name]));
  const onAnother = (texts: Texts) =>
    setNext({
      round: round + 1,
      kept: Object.fromEntries(Object.entries(texts).filter(([name]) => names.has(name) && !collection.byName.get(name)?.readOnly)),
    });
  const onCopy = (saved: WireRecord) => setNext({ round: round + 1, kept: copiedTexts(collection, saved) });
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("New {noun}", { noun: collection.noun })}</PageTitle>
      </div>
      {collection.form.some(({ required, requiredIf }) => required || requiredIf !== undefined) && (
        <p className={textStyles.note}>{t("Fields marked * are required.")}</p>
      )}
      <NewForm key={round} collection={collection} kept={kept} keeping={{ names, onToggle }} onAnother={onAnother} onCopy={onCopy} />
    </main>
  );
}

/** Leads to the parent below which the record is made, if the address names one; otherwise to the list. */
function useWayBack(collection: Collection): Target {
  const search = useSearch();
  const lastUrl = useLastListUrl(collection.name);
  const { collections } = useDictionary();
  const [name, id] = Object.entries(givenParents(collection, search))[0] ?? [];
  const parent = collections.find((one) => one.name === collection.byName.get(name ?? "")?.reference?.collection);
  const relation = useRelations(parent ?? collection).find(({ child, field }) => child.name === collection.name && field.name === name);
  if (!parent || !relation || id === undefined) return { to: "/$collection", params: { collection: collection.name }, search: lastUrl };
  return { to: "/$collection/$id", params: { collection: parent.name, id }, search: { show: relation.name } };
}

interface NewFormProps extends Required<Pick<RecordFormProps, "kept" | "keeping">> {
  collection: Collection;
  /** `texts`: what was saved. */
  onAnother: (texts: Texts) => void;
  onCopy: (saved: WireRecord) => void;
}

function NewForm({ collection, kept, keeping, onAnother, onCopy }: NewFormProps) {
  const { toasts, keys } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = useLeaveGuard();
  const { save, drafts } = useSaveRecord(collection, undefined);
  const list = useWayBack(collection);
  const [texts, setTexts] = useState<Texts>({});
  const isHere = useIsMounted();

  const onSaved: UseSaveOptions["onSaved"] = (saved, then, isDirty, left) => {
    if (saved) toasts.show({ message: <NameInSentence name={nameOf(collection, saved)} text={t("{name} is saved.")} /> });
    if ((isDirty && !left) || !isHere()) return;
    leave.allow();
    // What is not stored goes on to the page of the record, whatever was to follow: nobody enters it twice.
    left?.passOn(queries, collection);
    const stored = left?.record ?? saved;
    const next = left ? "stay" : then;
    if (next === "copy" && stored) return onCopy(stored);
    if (next === "another") return onAnother(stored ? textsOf(collection, stored) : {});
    if (next === "close" || !stored) return void navigate(list);
    const params = { collection: collection.name, id: String(idOf(collection, stored)) };
    void navigate({ to: "/$collection/$id", params, replace: true });
  };

  const router = useRouter();
  const { onDirty: guard } = leave;
  const onDirty = useCallback(
    (isTyped: boolean, isKept: boolean, hasFiles: boolean) => {
      // It is fetched before Save: a line that breaks then must not keep the page of the record from showing what is left.
      if (hasFiles) router.preload({ to: "/$collection/$id" });
      guard(isTyped, isKept, hasFiles);
    },
    [guard, router],
  );

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
        onDirty={onDirty}
        onTexts={setTexts}
        kept={kept}
        keeping={keeping}
        keys={keys}
        cancel={cancel}
      >
        {collection.label.some(({ name }) => texts[name]) && <PossibleDuplicates collection={collection} texts={texts} />}
      </RecordForm>
      {leave.dialog}
    </>
  );
}
