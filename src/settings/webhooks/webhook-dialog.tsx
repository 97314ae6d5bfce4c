// Making or changing a webhook: its address, and which changes it sends.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import {
  type NewWebhook,
  WEBHOOK_EVENTS,
  WEBHOOK_INCLUDES,
  type Webhook,
  type WebhookEvent,
  type WebhookInclude,
} from "../../../core/contract/webhooks.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { useWhileMounted } from "../../app/services/use-is-mounted.ts";
import { useEdits } from "../../people/use-edits.ts";
import { ConditionList } from "../../people/where-editor.tsx";
import { writeCurrent } from "../../service/current.ts";
import { changeWebhook, createWebhook, readWebhook, WEBHOOK_KEYS, type WebhookOrder, webhooksQuery } from "../../service/webhooks.ts";
import * as formStyles from "../../ui/form.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { EVENT_WORDS, INCLUDE_WORDS } from "./webhook-words.ts";

interface WebhookDialogProps {
  /** Holds the webhook as the list had it, or undefined for a new one. */
  listed: Webhook | undefined;
  onMade: (made: NewWebhook) => void;
  onClose: () => void;
}

type Wrong = Partial<Record<"url" | "collections" | "operations" | "fields", string>>;

export function WebhookDialog({ listed, onMade, onClose: close }: WebhookDialogProps) {
  const onClose = useWhileMounted(close);
  const { client } = useServices();
  const dictionary = useDictionary();
  const queries = useQueryClient();
  const { data: webhooks = [] } = useQuery({ ...webhooksQuery(client), refetchOnMount: "always" });
  const webhook = webhooks.find(({ id }) => id === listed?.id) ?? listed;
  const { values, edit, changes, rejectConflicts } = useEdits(toValues(webhook));
  const { url, collections, operations, where, fields, include } = values;
  const only =
    collections === "all" || collections.length !== 1 ? undefined : dictionary.collections.find(({ name }) => name === collections[0]);
  function chooseCollections(next: Values["collections"]): void {
    edit("collections", next);
    if (where !== "") edit("where", ""); // they were about another collection
    if (fields !== "all") edit("fields", "all");
  }
  const [wrong, setWrong] = useState<Wrong>({});
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      if (!webhook) return onMade(await createWebhook(client, toOrder({ ...values, url: url.trim() })));
      await writeCurrent(
        () => readWebhook(client, queries, webhook.id),
        ({ now, etag }) => {
          rejectConflicts(toValues(now));
          return changeWebhook(client, webhook.id, toOrder(changes), etag);
        },
      );
    },
    onSuccess() {
      if (webhook) onClose();
      return queries.invalidateQueries({ queryKey: WEBHOOK_KEYS });
    },
    onError(failure) {
      const isUrl = failure instanceof ApiError && failure.problems.some(({ field }) => field === "url");
      if (isUrl)
        setWrong({
          url: t(
            "The service does not send to this address: it must have no user name and no #, and be https and public unless WEBHOOK_PRIVATE is set.",
          ),
        });
    },
  });

  function submit(): void {
    const found: Wrong = {
      ...(!/^https?:\/\/./i.test(url.trim()) && { url: t("Enter an address such as https://example.org/intake.") }),
      ...(collections.length === 0 && { collections: t("Choose at least one.") }),
      ...(operations.length === 0 && { operations: t("Choose at least one.") }),
      ...(only && fields.length === 0 && { fields: t("Choose at least one.") }),
    };
    setWrong(found);
    if (found.url) document.getElementById("webhook-url")?.focus();
    if (Object.keys(found).length > 0) return;
    if (webhook && Object.keys(changes).length === 0) onClose();
    else mutate();
  }

  return (
    <FormDialog
      title={webhook ? t("Change webhook") : t("New webhook")}
      submitLabel={webhook ? t("Save") : t("Create webhook")}
      isBusy={isPending}
      error={wrong.url ? null : error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        id="webhook-url"
        label={t("Address")}
        type="url"
        dir="ltr"
        autoComplete="off"
        autoFocus
        maxLength={2_000}
        value={url}
        onChange={(next) => edit("url", next)}
        hint={t("Where the other system receives messages, such as https://example.org/intake")}
        error={wrong.url}
      />
      <Choice
        id="webhook-collections"
        legend={t("Records")}
        all={t("All records")}
        options={dictionary.collections.map(({ name, title }) => [name, title])}
        chosen={collections}
        onChange={chooseCollections}
        error={wrong.collections}
      />
      <Choice
        id="webhook-operations"
        legend={t("Changes")}
        all={t("Every change")}
        options={WEBHOOK_EVENTS.map((event) => [event, t(EVENT_WORDS[event])])}
        chosen={operations}
        onChange={(next) => edit("operations", next)}
        error={wrong.operations}
      />
      {only && (
        <>
          <fieldset>
            <legend>{t("Only {collection} where", { collection: only.title })}</legend>
            <ConditionList collection={only} where={where} attributes="none" onChange={(next) => edit("where", next)} />
          </fieldset>
          <Choice
            id="webhook-fields"
            legend={t("Fields")}
            all={t("Changes of any field")}
            options={only.form.filter((field) => field !== only.key).map(({ name, title }) => [name, title])}
            chosen={fields}
            onChange={(next) => edit("fields", next)}
            error={wrong.fields}
          />
        </>
      )}
      <fieldset>
        <legend>{t("With each change")}</legend>
        {WEBHOOK_INCLUDES.map((one) => (
          <label key={one} className={formStyles.choice}>
            <input
              type="checkbox"
              checked={include.includes(one)}
              onChange={({ target }) => edit("include", [...include.filter((other) => other !== one), ...(target.checked ? [one] : [])])}
            />
            <span>{t(INCLUDE_WORDS[one])}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

interface Values {
  url: string;
  collections: readonly string[] | "all";
  operations: readonly WebhookEvent[] | "all";
  /** Empty: all records. */
  where: string;
  fields: readonly string[] | "all";
  include: readonly WebhookInclude[];
}

function toValues(webhook: Webhook | undefined): Values {
  return {
    url: webhook?.url ?? "",
    collections: orAll(webhook?.collections),
    operations: orAll(webhook?.operations),
    where: webhook?.where ?? "",
    fields: orAll(webhook?.fields),
    include: webhook?.include ?? [],
  };
}

function toOrder(values: Values): WebhookOrder;
function toOrder(values: Partial<Values>): Partial<WebhookOrder>;
function toOrder({ url, collections, operations, where, fields, include }: Partial<Values>): Partial<WebhookOrder> {
  return {
    ...(url !== undefined && { url }),
    ...(collections && { collections: listOf(collections) }),
    ...(operations && { operations: listOf(operations) }),
    ...(where !== undefined && { where: where || null }),
    ...(fields && { fields: listOf(fields) }),
    ...(include && { include: [...include] }),
  };
}

const orAll = <T,>(list: readonly T[] | undefined) => (list === undefined || list.length === 0 ? ("all" as const) : list);
const listOf = <T,>(chosen: readonly T[] | "all"): T[] => (chosen === "all" ? [] : [...chosen]);

interface ChoiceProps<T extends string> {
  id: string;
  legend: string;
  /** The label of all of them together, which includes those that are yet to come. */
  all: string;
  options: readonly (readonly [value: T, label: string])[];
  chosen: readonly T[] | "all";
  onChange: (chosen: readonly T[] | "all") => void;
  error: string | undefined;
}

/** Asks for everything, or some of the options. */
function Choice<T extends string>({ id, legend, all, options, chosen, onChange, error }: ChoiceProps<T>) {
  const isAll = chosen === "all";
  const toggle = (value: T, isChosen: boolean) => {
    const others = isAll ? [] : chosen.filter((one) => one !== value);
    onChange(isChosen ? [...others, value] : others);
  };
  return (
    <fieldset aria-describedby={error && `${id}-error`}>
      <legend>{legend}</legend>
      <label className={formStyles.choice}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ target }) => onChange(target.checked ? "all" : options.map(([value]) => value))}
        />
        <span>{all}</span>
      </label>
      {!isAll &&
        options.map(([value, label]) => (
          <label key={value} className={formStyles.choice} style={{ marginInlineStart: 24 }}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={({ target }) => toggle(value, target.checked)} />
            <span>{label}</span>
          </label>
        ))}
      {error && (
        <span className={textStyles.error} id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}
