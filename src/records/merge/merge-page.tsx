// Makes one record of several: which one stays, what it gets, and what that means for what refers to them.

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Combine } from "lucide";
import { useRef, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { MOST_MERGED } from "../../../core/contract/merges.ts";
import type { WireRecord, WireValue } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { MayNotWrite } from "../../app/navigation/may-not-write.tsx";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useParams, useSearch } from "../../app/router/router-context.tsx";
import { newIdempotencyKey } from "../../app/services/idempotency-key.ts";
import { Loading } from "../../app/services/loading.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useCollection, useDictionary, useLocale, useServices } from "../../app/services/services.ts";
import { readByIds } from "../../service/bulk.ts";
import { mergePreviewQuery, sendMerge } from "../../service/merges.ts";
import { idOf, keys } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useKeptFocus } from "../../ui/focus/kept-focus.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Icon, Notice, PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { useHeldPress } from "../../ui/use-held-press.ts";
import { countOf, nameOf, nounsOf } from "../../values/record-name.ts";
import * as styles from "./merge-page.module.css";
import { MergeTable } from "./merge-table.tsx";
import { changedValues, firstSurvivor, idsIn, type Picks, preselect, type Source } from "./merge-values.ts";
import { RecordFinder } from "./record-finder.tsx";
import { SourceSelect } from "./source-select.tsx";
import { useTakeApart } from "./use-take-apart.ts";

export function MergePage() {
  useLocale();
  useKeptFocus();
  const { collection: name } = useParams();
  const { ids, pair }: Record<string, string | undefined> = useSearch();
  const collection = useCollection(name);
  return collection ? <Merging key={collection.name} collection={collection} ids={idsIn(ids)} pair={pair} /> : <NotFound />;
}

/** `pair`: the place among the duplicates from which the person came, and to which they go back. */
function Merging({ collection, ids, pair }: { collection: Collection; ids: readonly number[]; pair: string | undefined }) {
  const { client } = useServices();
  const navigate = useNavigate();
  const may = useMay(collection);
  const query = useQuery({
    queryKey: [...keys.lists(collection), "merging", ids],
    queryFn: () => readByIds(client, collection, ids),
    placeholderData: keepPreviousData,
  });
  const found = query.data ?? [];
  const records = ids.flatMap((id) => found.find((record) => idOf(collection, record) === id) ?? []);
  const missing = query.isPlaceholderData || !query.data ? 0 : ids.length - records.length;
  const params = { collection: collection.name };
  const show = (next: readonly number[]) =>
    void navigate({ to: "/$collection/merge", params, search: { ids: next.join(), ...(pair && { pair }) }, replace: true });
  if (may("update") === false || may("delete") === false)
    return <MayNotWrite title={t("Merge {nouns}", nounsOf(collection))} collection={collection} />;
  const title =
    records.length > 1 ? t("Merge {records}", { records: countOf(collection, records.length) }) : t("Merge {nouns}", nounsOf(collection));
  return (
    <main id="main" className={styles.page}>
      <div className={pageStyles.head}>
        <PageTitle>{title}</PageTitle>
        {pair ? (
          <Link className="button" to="/$collection/duplicates" params={params} search={{ at: pair }}>
            {t("Back")}
          </Link>
        ) : (
          <Link className="button" to="/$collection" params={params}>
            {t("Back to the list")}
          </Link>
        )}
      </div>
      <Loading query={query} />
      {missing > 0 && (
        <Notice tone="doubt">{tCount(missing, "One of them is not there any more.", "{n} of them are not there any more.")}</Notice>
      )}
      {records.length > 1 && (
        <Choices
          key={records.map((record) => idOf(collection, record)).join()}
          collection={collection}
          records={records}
          pair={pair}
          onLeaveOut={records.length > 2 ? (id) => show(ids.filter((one) => one !== id)) : undefined}
          onReload={() => void query.refetch()}
        />
      )}
      {query.data && records.length < MOST_MERGED && (
        <RecordFinder
          collection={collection}
          records={records}
          isFirst={records.length < 2}
          onPick={(id) => show([...records.map((record) => idOf(collection, record)), id])}
        />
      )}
    </main>
  );
}

interface ChoicesProps {
  collection: Collection;
  records: readonly WireRecord[];
  pair: string | undefined;
  onLeaveOut: ((id: number) => void) | undefined;
  onReload: () => void;
}

function Choices({ collection, records, pair, onLeaveOut, onReload }: ChoicesProps) {
  const { client, keys: shortcuts } = useServices();
  const [survivor, setSurvivor] = useState(() => firstSurvivor(collection, records) ?? 0);
  const [source, setSource] = useState<Source>("latest");
  const [chosen, setChosen] = useState<Picks>({});
  const picks = { ...preselect(collection, records, source, survivor), ...chosen };
  const [meant, setMeant] = useState("");
  const values = changedValues(collection, records, survivor, picks) as Record<string, WireValue | null>;
  const others = records.map((record) => idOf(collection, record)).filter((id) => id !== survivor);
  const versions = Object.fromEntries(records.map((record) => [String(idOf(collection, record)), record.version]));
  const body = { survivor, others, values, versions };
  const preview = useQuery({ ...mergePreviewQuery(client, collection, body), placeholderData: keepPreviousData });
  const errors = preview.data?.errors ?? [];
  const isWarned = errors.length > 0 && errors.every(({ code }) => code === "WARNING");
  const warnings = JSON.stringify(errors); // what was confirmed is not another one
  const isMeant = meant === warnings;
  const { merge, isBusy, error } = useMerge(collection, records, pair);
  const isAsking = preview.isPlaceholderData || preview.isPending;
  const isReady = !preview.isError && (errors.length === 0 || (isWarned && isMeant));
  const { press, state } = useHeldPress({
    asked: JSON.stringify(body),
    shown: preview.data && JSON.stringify([preview.data.moved, errors]),
    isAsking,
    act: () => isReady && !isBusy && void merge(body, isWarned),
  });
  useShortcuts(shortcuts, { mergeShown: press });
  const label = t("Merge {records}", { records: countOf(collection, records.length) });
  const stays = records.find((record) => idOf(collection, record) === survivor);
  return (
    <>
      <p className={textStyles.dim}>
        {t("Choose which one stays, and what it gets. The others become part of it: their links, and what refers to them, lead to it.")}
      </p>
      <SourceSelect
        className={styles.source}
        source={source}
        onChoose={(next) => {
          setSource(next);
          setChosen({});
        }}
      />
      <MergeTable
        {...{ collection, records, survivor, picks, errors, onLeaveOut }}
        onSurvivor={setSurvivor}
        onPick={(field, pick) => setChosen({ ...chosen, [field]: pick })}
      />
      <section className={styles.end} aria-label={t("What this does")}>
        <div className={styles.effect} role="status">
          {preview.error && !isStale(preview.error) && <Failure error={preview.error} retry={() => void preview.refetch()} />}
          {preview.error && isStale(preview.error) && (
            <Notice tone="doubt">
              {t("One of them was changed meanwhile.")}{" "}
              <button type="button" className={buttonStyles.link} onClick={onReload}>
                {t("Look at it again")}
              </button>
            </Notice>
          )}
          {preview.data && !preview.error && stays && (
            <Effect
              collection={collection}
              moved={preview.data.moved}
              errors={errors}
              name={nameOf(collection, stays)}
              isWarned={isWarned}
            />
          )}
          {error && <Failure error={error} />}
          {state === "waits" && <p className={textStyles.dim}>{t("Checking what would change…")}</p>}
          {state === "shown anew" && isReady && <p>{t("Look at what this does, then press again.")}</p>}
        </div>
        {isWarned && (
          <label className={styles.meant}>
            <input type="checkbox" checked={isMeant} onChange={({ target }) => setMeant(target.checked ? warnings : "")} />{" "}
            {t("This is meant so")}
          </label>
        )}
        <button
          type="button"
          className={buttonStyles.primary}
          aria-disabled={!isReady || isBusy}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={press}
        >
          <Icon of={Combine} /> {label}
        </button>
      </section>
    </>
  );
}

/** It is not what was looked at any more. */
function isStale(error: Error): boolean {
  return error instanceof ApiError && (error.status === 412 || error.status === 404);
}

interface EffectProps {
  collection: Collection;
  moved: Record<string, number>;
  errors: readonly { pointer?: string; detail: string }[];
  name: string;
  isWarned: boolean;
}

function Effect({ moved, errors, name, isWarned }: EffectProps) {
  const { collections } = useDictionary();
  const parts = Object.entries(moved).flatMap(([child, n]) => {
    const of = collections.find((one) => one.name === child);
    return of ? countOf(of, n) : [];
  });
  return (
    <>
      {parts.length > 0 ? (
        <p>{t("{records} will belong to {name}.", { records: parts.join(", "), name })}</p>
      ) : (
        <p className={textStyles.dim}>{t("Nothing else refers to the others.")}</p>
      )}
      {errors.length > 0 && (
        <Notice tone={isWarned ? "doubt" : "wrong"}>
          <b>{isWarned ? t("Is this meant so?") : t("This cannot be merged so:")}</b>
          <ul>
            {[...new Set(errors.map(({ detail }) => detail))].map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

/** Merges, opens the record that stays or the next pair of duplicates, and offers to take it apart. */
function useMerge(collection: Collection, records: readonly WireRecord[], pair: string | undefined) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const takeApart = useTakeApart(collection);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const sending = useRef<{ text: string; key: string }>(undefined);

  async function merge(body: Parameters<typeof sendMerge>[2], isWarned: boolean): Promise<void> {
    setBusy(true);
    setError(undefined);
    const text = JSON.stringify(body);
    if (sending.current?.text !== text) sending.current = { text, key: newIdempotencyKey() };
    try {
      const options = { sendKey: sending.current.key, ...(isWarned && { acknowledge: "all" as const }) };
      const reply = await sendMerge(client, collection, body, options);
      queries.removeQueries({ queryKey: keys.all(collection) });
      await queries.invalidateQueries();
      const id = String(idOf(collection, reply.record));
      const done = t("{records} are one now.", { records: countOf(collection, records.length) });
      if (pair) await navigate({ to: "/$collection/duplicates", params: { collection: collection.name }, search: { at: pair } });
      else await navigate({ to: "/$collection/$id", params: { collection: collection.name, id } });
      const run = () => void takeApart(reply.id);
      toasts.show({ message: done, action: { label: t("Take apart"), run, isUndo: true, undoes: done } });
    } catch (failure) {
      setError(failure as Error);
      setBusy(false);
    }
  }
  return { merge, isBusy, error };
}
