// Sends what a record’s form saves, and finds out what was stored when no reply came.

import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { ApiError, NoReply } from "../../../client/errors.ts";
import { mayRepeat } from "../../../core/contract/limits.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { isSame } from "../../../core/dictionary/kinds.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import { newIdempotencyKey } from "../../app/services/idempotency-key.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { invalidateCollection, refetchRecord } from "../../service/cache-updates.ts";
import { useCreateAgain, useCreateRecord, useUpdateRecord } from "../../service/record-writes.ts";
import { idOf } from "../../service/records.ts";
import { fromNeutral, toNeutral } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";
import { type Drafts, draftKey, openDrafts, type Sent, withNamesOfToday } from "../drafts/draft-store.ts";
import type { Views } from "../query/views.ts";
import type { SaveRequest, SaveResult } from "./save-result.ts";
import { offerUndo } from "./saved-edits.tsx";
import type { DraftStorage } from "./use-draft.ts";

type StoredSaveRequest = Exclude<SaveRequest, { kind: "create" }>;

export interface SaveRecord {
  save: (what: SaveRequest) => Promise<SaveResult>;
  drafts: DraftStorage;
}

/** `id` is undefined for a new record. `save` never rejects: errors are results. */
export function useSaveRecord(collection: Collection, id: number | undefined): SaveRecord {
  const { client, toasts, views } = useServices();
  const queries = useQueryClient();
  const create = useCreateRecord(client, collection);
  const update = useUpdateRecord(client, collection);
  const createAgain = useCreateAgain(client, collection);
  const sent = useRef<Sent>(undefined); // a new record that was sent and got no reply

  async function save(what: SaveRequest): Promise<SaveResult> {
    const mayBeThere = sent.current !== undefined; // an earlier attempt may have created the record
    try {
      if (what.kind === "create") return await createOnce(what);
      if (what.kind === "update") return saved(what, await update.mutateAsync(what));
      return await createAgain.mutateAsync(what);
    } catch (error) {
      if (what.kind !== "create") return resultOfError(what, error);
      if (isBusy(error)) return { ...waitFor(error), find: () => save(what) };
      if (isOutcomeUnknown(error)) return { unknown: error.message, find: () => save(what) };
      if (!mayBeThere || isAboutValues(error)) sent.current = undefined; // the next attempt gets a new key
      return toRefused(error);
    }
  }

  /** What is saved can be taken back by the key for Undo. */
  function saved({ kind, base }: StoredSaveRequest, record: WireRecord): SaveResult {
    if (kind === "update") offerUndo({ client, toasts, queries }, collection, base, record);
    rememberSticky(views, collection, record);
    return { saved: record };
  }

  function resultOfError(what: StoredSaveRequest, error: unknown): Promise<SaveResult> | SaveResult {
    if (isBusy(error)) return { ...waitFor(error), find: () => compareWithStored(what, error) };
    if (isOutcomeUnknown(error)) return compareWithStored(what, error);
    if (error instanceof ApiError && error.status === 404) return { gone: true };
    return error instanceof ApiError && error.status === 412 ? compareWithStored(what) : toRefused(error);
  }

  /**
   * After a missing reply sends the same body with the same key again, so that the service creates one record. A key that the service
   * may have forgotten would create a second one.
   */
  async function createOnce({ fields, acknowledge = [] }: SaveRequest): Promise<SaveResult> {
    const isAgain = sent.current !== undefined;
    if (sent.current && !mayRepeat(sent.current.sentAt ?? 0, Date.now())) {
      sent.current = undefined; // whoever saves once more has looked
      return { perhapsSaved: t("It was sent some time ago, and no answer came.") };
    }
    sent.current ??= { fields, acknowledge, sendKey: newIdempotencyKey(), sentAt: Date.now() };
    const first = sent.current.fields;
    const saved = await create.mutateAsync(sent.current);
    sent.current = undefined;
    rememberSticky(views, collection, saved);
    return isAgain ? { saved, earlier: first } : { saved };
  }

  /** Reads the stored record and compares it with what was sent. `noReply`: the error after which it may have been stored. */
  async function compareWithStored(what: StoredSaveRequest, noReply?: Error): Promise<SaveResult> {
    let stored: WireRecord | null;
    try {
      stored = await refetchRecord(queries, client, collection, idOf(collection, what.base));
    } catch (error) {
      if (isBusy(error) || isTooMany(error)) return { ...waitFor(error), find: () => compareWithStored(what, noReply) };
      if (isOutcomeUnknown(error)) return { unknown: (noReply ?? error).message, find: () => compareWithStored(what, noReply) };
      return toRefused(error);
    }
    const unsaved = noReply instanceof ApiError ? noReply.message : t("The service did not receive it.");
    if (!stored) return what.kind === "restore" ? { unsaved } : { gone: true };
    if (noReply && stored.version === what.base.version) return { unsaved };
    if (!noReply || !hasAll(stored, what.fields)) return { conflict: stored };
    await invalidateCollection(queries, collection);
    return saved(what, stored);
  }

  return { save, drafts: useDraftStorage(collection, id, sent) };
}

/** The next new record of this person begins with its sticky values. */
function rememberSticky(views: Views, collection: Collection, record: WireRecord): void {
  const sticky = collection.fields.filter((field) => field.sticky).map((field) => [field.name, fieldValue(record, field)] as const);
  if (sticky.length > 0) views.put(collection, { ...views.of(collection), sticky: Object.fromEntries(sticky) });
}

/**
 * Drafts of this record, this service and the API key that was signed in when the form was opened: the next user of this
 * computer is offered none of them. Once a new record is created, further drafts belong to the created record.
 */
function useDraftStorage(collection: Collection, id: number | undefined, sent: React.RefObject<Sent | undefined>): DraftStorage {
  const { client, session } = useServices();
  const { rights } = useDictionary();
  const [form] = useState(newIdempotencyKey);
  const offered = useRef<string>(undefined); // its key
  return useMemo(() => {
    const drafts: Drafts = openDrafts(() => session.state() !== "signedOut"); // nothing is written after a sign-out
    const whose = { service: client.baseUrl, owner: session.owner(), collection: collection.name };
    const keyOf = (known: number | undefined) => draftKey({ ...whose, id: known }, form);
    const ofPlace = () => drafts.ofPlace(draftKey({ ...whose, id }));
    return {
      async read(isWorthIt = () => true) {
        const read = (await ofPlace()).map(([key, stored]) => {
          const draft = withNamesOfToday(collection, stored);
          return { key, draft: { ...draft, texts: fromNeutral(collection, draft.texts) } };
        });
        const first = read.find(({ key, draft }) => key !== keyOf(id) && isWorthIt(draft));
        offered.current = first?.key;
        return first?.draft;
      },
      async clear(base) {
        await Promise.all([id, base && idOf(collection, base)].map((known) => drafts.clear(keyOf(known))));
      },
      async clearOffered() {
        if (offered.current !== undefined) await drafts.clear(offered.current);
      },
      async clearAll() {
        for (const [key] of await ofPlace()) await drafts.clear(key);
      },
      async write(draft) {
        const key = keyOf(draft.base && idOf(collection, draft.base));
        return drafts.write(key, { ...draft, texts: toNeutral(collection, draft.texts), rights, sent: sent.current });
      },
      restored: (draft) => {
        sent.current = draft.sent;
      },
    };
  }, [client, collection, id, session, rights, sent, form]);
}

/** Says whether the write may have been done: no reply, a 5xx, or "still running". Any other error means it was not. */
export function isOutcomeUnknown(error: unknown): error is Error {
  if (error instanceof NoReply) return true;
  return error instanceof ApiError && (error.status >= 500 || error.code === "IDEMPOTENCY_IN_PROGRESS");
}

/**
 * Says whether an error is about the values. For a record that had been stored before, the service would have given the first answer
 * again, and not this one.
 */
function isAboutValues(error: unknown): boolean {
  return error instanceof ApiError && [400, 409, 413, 422].includes(error.status);
}

/** A 503 may come from a proxy, and the write may have been done all the same. */
function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 503;
}

/** A 429 comes before anything is done. */
function isTooMany(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429;
}

function waitFor(error: ApiError) {
  return { wait: isTooMany(error) ? "tooMany" : "busy", seconds: error.retryAfter } as const;
}

function hasAll(stored: WireRecord, fields: Readonly<Fields>): boolean {
  return Object.entries(fields).every(([name, value]) => isSame(stored[name] ?? null, value));
}

function toRefused(error: unknown): SaveResult {
  if (isTooMany(error)) return waitFor(error);
  if (error instanceof ApiError && error.code === "WARNING")
    return { warned: error.errors.map(({ rule, detail }) => ({ rule, message: detail })) };
  return { refused: (error as Error).message, problems: error instanceof ApiError ? error.problems : [] };
}
