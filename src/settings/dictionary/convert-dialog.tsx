// Changes the kind of a stored field: says what would become of its values, converts them, and takes that back.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { ConversionOrder, ConversionPreview } from "../../../core/contract/dictionary.ts";
import { canonical } from "../../../core/dictionary/canonical.ts";
import { kindIn, type PackageField } from "../../../core/dictionary/packages.ts";
import type { FormName } from "../../../core/forms/readings.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useSearch } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { discardDraft, draftQuery, versionQuery } from "../../service/dictionary-drafts.ts";
import { conversionQuery, previewQuery, startConversion } from "../../service/dictionary-runs.ts";
import * as formStyles from "../../ui/form.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Failure, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { useDebounced } from "../../ui/use-debounced.ts";
import { useHeldPress } from "../../ui/use-held-press.ts";
import { labelOfFix } from "../../upload/problems/fix-labels.ts";
import { formatNumber } from "../../values/format.ts";
import { ConversionProgress } from "./conversion-list.tsx";
import * as styles from "./dictionary-editor.module.css";
import { SORTS, sortOf } from "./field-kinds.ts";

interface ConvertDialogProps {
  collection: string;
  field: PackageField;
  /** The title of the field. */
  name: string;
  onClose: () => void;
}

const REST = 300; // ms without a key

export function ConvertDialog({ collection, field, name, onClose }: ConvertDialogProps) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [sort, setSort] = useState("");
  const [forms, setForms] = useState<readonly string[]>([]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const meant = useDebounced(values, REST);
  const order: ConversionOrder = {
    field: `${collection}.${field.name}`,
    to: SORTS[sort]?.words ?? {},
    ...(forms.length > 0 && { forms }),
    ...(Object.keys(meant).length > 0 && { values: meant }),
  };
  const preview = useQuery({ ...previewQuery(client, order), enabled: sort !== "" });
  const { mutate, data: begun, isPending, error } = useMutation({ mutationFn: () => startConversion(client, order) });
  const [isMissing, setMissing] = useState(false);
  const isAsking = sort !== "" && (values !== meant || preview.isFetching);
  const { press, state } = useHeldPress({
    asked: JSON.stringify([sort, forms, values]),
    shown: preview.data && JSON.stringify(preview.data),
    isAsking,
    act() {
      if (sort === "") setMissing(true);
      else if (!preview.error && !isPending) mutate();
    },
  });
  const { data: run } = useQuery({ ...conversionQuery(client, begun?.id ?? ""), enabled: begun !== undefined });
  const title = t("Change the kind of {title}", { title: name });
  const { draft: draftId = "" } = useSearch();
  /** The draft that is open has the field as it was. One in which nothing was changed is no longer needed. */
  const dropUnchanged = async () => {
    const draft = (await queries.fetchQuery(draftQuery(client, draftId))).now;
    const base = await queries.fetchQuery(versionQuery(client, draft.base));
    if (canonical(draft.package) === canonical(base)) await discardDraft(client, draftId);
  };
  const leave = async () => {
    await dropUnchanged().catch((failure: Error) => {
      const isGone = failure instanceof ApiError && failure.status === 404;
      if (!isGone) toasts.show({ message: `${t("The draft is still there.")} ${failure.message}` });
    });
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.at(-1) !== draftId });
    await navigate({ to: "/$collection/dictionary", params: { collection } });
  };
  if (begun)
    return (
      <FormDialog
        title={title}
        submitLabel={t("Close")}
        isBusy={false}
        error={null}
        onSubmit={() => void leave()}
        onClose={() => void leave()}
      >
        <ConversionProgress conversion={run ?? begun} />
      </FormDialog>
    );
  const own = sortOf(field, false);
  return (
    <FormDialog
      title={title}
      submitLabel={preview.data ? tCount(preview.data.converted, "Convert {n} value", "Convert {n} values") : t("Convert")}
      isBusy={preview.isError || isPending}
      error={error}
      onSubmit={press}
      onClose={onClose}
    >
      <div className={formStyles.field}>
        <label htmlFor="convert-kind">{t("New kind")}</label>
        <select
          id="convert-kind"
          // biome-ignore lint/a11y/noAutofocus: it is what the dialog asks for
          autoFocus
          value={sort}
          aria-invalid={isMissing}
          aria-describedby={isMissing ? "convert-kind-missing" : undefined}
          onChange={({ target }) => {
            setSort(target.value);
            setMissing(false);
          }}
        >
          <option value="" disabled />
          {Object.entries(SORTS)
            .filter(
              ([name, { words }]) =>
                (name === "files") === (own === "file") &&
                !["choice", "choices", "reference", "person", own].includes(name) &&
                (words.type !== "string" || name === "text"),
            )
            .filter(([, { words }]) => words.type !== (field.type ?? "string") || kindIn({ ...words, name: "" }) !== kindIn(field))
            .map(([name, one]) => (
              <option key={name} value={name}>
                {t(one.title)}
              </option>
            ))}
        </select>
        {isMissing && (
          <span className={textStyles.error} id="convert-kind-missing" role="alert">
            {t("Choose the new kind first.")}
          </span>
        )}
      </div>
      {preview.error && <Failure error={preview.error} />}
      {sort !== "" && preview.isPending && <Skeleton width="240px" />}
      {sort !== "" && preview.data && !preview.error && (
        <Preview
          {...{ preview: preview.data, collection, name, forms, values }}
          onForms={setForms}
          onMeaning={(text, meaning) =>
            setValues(({ [text]: _, ...others }) => (meaning === undefined ? others : { ...others, [text]: meaning }))
          }
        />
      )}
      <p className={textStyles.hint}>
        {t(
          "The change is made at once, also where this draft is not applied. The old values are kept in a retired field, and it can be undone.",
        )}
      </p>
      <p className={textStyles.note} role="status">
        {state === "waits" && t("Checking what would change…")}
        {state === "shown anew" && !preview.isError && t("Look at what this does, then press again.")}
      </p>
    </FormDialog>
  );
}

interface PreviewProps {
  preview: ConversionPreview;
  collection: string;
  name: string;
  forms: readonly string[];
  values: Readonly<Record<string, string>>;
  onForms: (forms: readonly string[]) => void;
  /** Undefined: it is not said what the text means. */
  onMeaning: (text: string, meaning: string | undefined) => void;
}

function Preview({ preview, collection, name: title, forms, values, onForms, onMeaning }: PreviewProps) {
  const { converted, left, empty, convertedExamples, leftExamples, complete } = preview;
  const offered = [...new Set([...preview.forms.map(({ name }) => name), ...forms])];
  const asked = [...new Set([...Object.keys(values), ...leftExamples.map(({ from }) => String(from))])];
  const [example] = convertedExamples;
  return (
    <>
      <output className={styles.counts}>
        {tCount(converted, "{n} value converts.", "{n} values convert.")} {tCount(left, "{n} does not.", "{n} do not.")}{" "}
        {tCount(empty, "{n} record has none.", "{n} records have none.")}
        {!complete && ` ${t("There are too many different values to count all.")}`}
      </output>
      {example && (
        <p className={textStyles.note}>{t("For example {from} becomes {to}.", { from: String(example.from), to: String(example.to) })}</p>
      )}
      {offered.length > 1 && (
        <fieldset className={formStyles.field}>
          <legend>{t("How it is written")}</legend>
          {offered.map((name) => (
            <label key={name} className={formStyles.choice}>
              <input
                type="checkbox"
                checked={forms.includes(name)}
                onChange={({ target }) => onForms(target.checked ? [...forms, name] : forms.filter((one) => one !== name))}
              />
              <span>
                {labelOfFix(name as FormName)}{" "}
                <span className={textStyles.note}>{formatNumber(preview.forms.find((one) => one.name === name)?.count ?? 0)}</span>
              </span>
            </label>
          ))}
          <span className={textStyles.hint}>
            {t("The first of those that are ticked counts. With none, what can mean one value only is converted.")}
          </span>
        </fieldset>
      )}
      {asked.length > 0 && (
        <fieldset className={formStyles.field}>
          <legend>{t("Values that do not convert")}</legend>
          <ul className={styles.meanings}>
            {asked.map((text, i) => {
              const found = leftExamples.find(({ from }) => String(from) === text);
              return (
                <li key={text}>
                  <label htmlFor={`meaning-${i}`} dir="auto">
                    {text}
                  </label>
                  {found && (
                    <Link to="/$collection/$id" params={{ collection, id: String(found.id) }}>
                      {tCount(found.count, "{n} record", "{n} records")}
                    </Link>
                  )}
                  <input
                    id={`meaning-${i}`}
                    dir="auto"
                    placeholder={t("stays as it is")}
                    value={values[text] ?? ""}
                    onChange={({ target }) => onMeaning(text, target.value === "" ? undefined : target.value)}
                  />
                </li>
              );
            })}
          </ul>
          <span className={textStyles.hint}>
            {t("Type what a value means. What is left stays in the retired field of {title}.", { title })}
          </span>
        </fieldset>
      )}
    </>
  );
}
