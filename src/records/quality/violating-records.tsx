// The records that break one rule, to be corrected one by one or many at once.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Broken, Exception } from "../../../core/contract/violations.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { openedPart } from "../../app/code/lazy-page.tsx";
import { Link } from "../../app/router/link.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { readViolations, violationPageQuery } from "../../service/broken-records.ts";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, PageTitle } from "../../ui/primitives.tsx";
import { StackedTable } from "../../ui/stacked-table.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { fieldValue } from "../../values/field-value.ts";
import { count, formatAge, formatDatetime } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { nameOf, nounsOf } from "../../values/record-name.ts";
import { NameCell, NameHead } from "../deleted/picked-records.tsx";
import { type Selection, select, unselect } from "../query/selection.ts";
import { ExceptionDialog, useSetExceptions } from "./exception-dialog.tsx";
import { describeRule, searchOf } from "./rule-words.ts";

const BulkDialog = openedPart(() => import("../bulk/bulk-dialog.tsx"), "BulkDialog");

const NONE: Selection = new Map();

interface ViolatingRecordsProps {
  collection: Collection;
  rule: Broken;
  /** Shows those that break the rule on purpose, instead of those that are counted. */
  isExcepted: boolean;
  cursor: string | undefined;
}

export function ViolatingRecords({ collection, rule, isExcepted, cursor }: ViolatingRecordsProps) {
  const { client } = useServices();
  const query = useQuery(violationPageQuery(client, collection, rule, isExcepted, cursor));
  const { records = [], next, exceptions = [] } = query.data ?? {};
  const field = collection.byName.get(rule.field) as Field;
  const shown = collection.rules?.find(({ name }) => name === rule.rule)?.fields ?? [];
  const fields = shown.length > 0 ? shown.flatMap((name) => collection.byName.get(name) ?? []) : [field];
  const mayUpdate = useMay(collection)("update") !== false;
  const mayCorrect = mayUpdate && !isExcepted && !field.readOnly && field !== collection.key;
  const mayExcept = mayUpdate && !isExcepted;
  const [picked, setPicked] = useState(NONE);
  const all = useAll(collection, rule, setPicked);
  const params = { collection: collection.name };
  const search: Record<string, string> = { ...searchOf(rule), ...(isExcepted && { exceptions: "all" }) };
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle tab={describeRule(collection, rule)}>{describeRule(collection, rule)}</PageTitle>
        <Link
          className="button"
          to="/$collection/dictionary"
          params={params}
          search={{ ...searchOf(rule), ...(!isExcepted && { exceptions: "all" }) }}
        >
          {isExcepted ? t("Those that count") : t("Left on purpose")}
        </Link>
        <Link className="button" to="/$collection/dictionary" params={params} search={{ quality: "all" }}>
          {t("All broken rules")}
        </Link>
      </div>
      {isExcepted && <p>{t("These are left as they are on purpose. That ends when a field changes that the rule reads.")}</p>}
      <Loading query={query} />
      {all.error && <Failure error={all.error} />}
      {query.data && records.length === 0 && !next && (
        <p className={textStyles.dim}>{isExcepted ? t("Nothing is left on purpose.") : t("Nothing breaks this rule any more.")}</p>
      )}
      {records.length > 0 && (
        <RecordTable
          collection={collection}
          fields={fields}
          records={records}
          picked={picked}
          onPick={mayCorrect || mayExcept ? setPicked : undefined}
          exceptions={isExcepted ? { all: exceptions, rule, mayEnd: mayUpdate } : undefined}
        />
      )}
      {(next || cursor) && (
        <div className={pageStyles.tools}>
          {cursor && (
            <Link className="button" to="/$collection/dictionary" params={params} search={search}>
              {t("First page")}
            </Link>
          )}
          {next && (
            <Link className="button" to="/$collection/dictionary" params={params} search={{ ...search, cursor: next }}>
              {t("Next page")}
            </Link>
          )}
        </div>
      )}
      {(mayCorrect || mayExcept) && records.length > 0 && (
        <Actions
          collection={collection}
          field={mayCorrect ? field : undefined}
          rule={mayExcept ? rule : undefined}
          picked={picked}
          onPick={setPicked}
          hasMore={Boolean(next || cursor)}
          all={all}
        />
      )}
    </main>
  );
}

interface ReadingAll {
  read: () => void;
  isReading: boolean;
  error: Error | undefined;
}

/** Picks all records of all pages. */
function useAll(collection: Collection, rule: Broken, onPick: (picked: Selection) => void): ReadingAll {
  const { client } = useServices();
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<Error>();
  async function read(): Promise<void> {
    setReading(true);
    setError(undefined);
    try {
      onPick(select(collection, NONE, await readViolations(client, collection, rule)));
    } catch (failure) {
      setError(failure as Error);
    }
    setReading(false);
  }
  return { read: () => void read(), isReading, error };
}

interface ActionsProps {
  collection: Collection;
  /** Undefined: the reader may mend nothing here. */
  field: Field | undefined;
  /** Is undefined where nothing can be left on purpose. */
  rule: Broken | undefined;
  picked: Selection;
  onPick: (picked: Selection) => void;
  hasMore: boolean;
  all: ReadingAll;
}

function Actions({ collection, field, rule, picked, onPick, hasMore, all }: ActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const [isExcepting, setExcepting] = useState(false);
  if (picked.size === 0 && !hasMore) return null;
  return (
    <div className={formStyles.longSavebar}>
      {picked.size > 0 && field && (
        <button
          type="button"
          className={buttonStyles.primary}
          onPointerEnter={BulkDialog.preload}
          onFocus={BulkDialog.preload}
          onClick={() => setOpen(true)}
        >
          {count(picked.size, "Correct {n} {noun}…", "Correct {n} {nouns}…", nounsOf(collection))}
        </button>
      )}
      {picked.size > 0 && rule !== undefined && (
        <button type="button" onClick={() => setExcepting(true)}>
          {t("Leave as it is…")}
        </button>
      )}
      {hasMore && (
        <button type="button" aria-disabled={all.isReading} onClick={() => all.isReading || all.read()}>
          {all.isReading ? t("Reading…") : t("Select all of them")}
        </button>
      )}
      {isExcepting && rule !== undefined && (
        <ExceptionDialog
          collection={collection}
          rule={rule}
          ids={[...picked.keys()]}
          onDone={() => {
            setExcepting(false);
            onPick(NONE);
          }}
          onClose={() => setExcepting(false)}
        />
      )}
      {isOpen && field && (
        <BulkDialog
          collection={collection}
          verb="change"
          field={field}
          selection={picked}
          onSelect={onPick}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

interface RecordTableProps {
  collection: Collection;
  /** Lists what breaks the rule, or may do so together. */
  fields: readonly Field[];
  records: readonly WireRecord[];
  picked: Selection;
  /** Undefined: the reader may mend nothing here. */
  onPick: ((picked: Selection) => void) | undefined;
  /** Says why they break the rule, where they do so on purpose. */
  exceptions: { all: readonly Exception[]; rule: Broken; mayEnd: boolean } | undefined;
}

function RecordTable({ collection, fields, records, picked, onPick, exceptions }: RecordTableProps) {
  const ids = records.map((record) => idOf(collection, record));
  const pick =
    onPick &&
    ((some: readonly number[], isPicked: boolean) => {
      const chosen = records.filter((record) => some.includes(idOf(collection, record)));
      onPick(isPicked ? select(collection, picked, chosen) : unselect(picked, some));
    });
  const last = exceptions ? t("Left on purpose") : t("Changed");
  return (
    <StackedTable
      area={t("All {nouns} that break the rule", nounsOf(collection))}
      label={collection.title}
      heads={[<NameHead key="name" {...{ ids, picked }} onPick={pick} />, ...fields.map(({ title }) => title), last]}
    >
      {records.map((record) => (
        <tr key={idOf(collection, record)}>
          <NameCell {...{ collection, record, picked }} onPick={pick} />
          {fields.map((field) => (
            <td key={field.name} className={tableStyles.wrap} data-title={field.title}>
              <bdi>{formatValue(field, fieldValue(record, field)) || t("empty")}</bdi>
            </td>
          ))}
          {exceptions ? (
            <td className={tableStyles.wrap} data-title={last}>
              <Why collection={collection} exceptions={exceptions} id={idOf(collection, record)} name={nameOf(collection, record)} />
            </td>
          ) : (
            <td data-title={last}>
              <time dateTime={record.updatedAt} title={formatDatetime(record.updatedAt)}>
                {formatAge(record.updatedAt)}
              </time>
            </td>
          )}
        </tr>
      ))}
    </StackedTable>
  );
}

interface WhyProps {
  collection: Collection;
  exceptions: NonNullable<RecordTableProps["exceptions"]>;
  id: number;
  name: string;
}

/** Says the reason, who and when, and ends it. */
function Why({ collection, exceptions: { all, rule, mayEnd }, id, name }: WhyProps) {
  const end = useSetExceptions(collection, rule);
  const one = all.find((exception) => exception.id === id);
  if (!one) return null;
  return (
    <>
      <div>
        <bdi>{one.reason || t("Confirmed when it was saved")}</bdi>
      </div>
      <div className={textStyles.hint}>
        <bdi>{one.by.name}</bdi>, <time dateTime={one.at}>{formatDatetime(one.at)}</time>
      </div>
      {mayEnd && (
        <button
          type="button"
          className={buttonStyles.link}
          aria-label={t("Count again: {name}", { name })}
          aria-disabled={end.isPending}
          onClick={() => end.isPending || end.mutate({ ids: [id] })}
        >
          {t("Count again")}
        </button>
      )}
      {end.error && <Failure error={end.error} />}
    </>
  );
}
