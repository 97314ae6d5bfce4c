// A record's page: the form for a new one or a stored one, with saving, deleting and undo joined to the service.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useBlocker, useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Fields } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { ApiError } from "../api/client.ts";
import { useCreateRecord, useDeleteRecord, useRestoreRecord, useUpdateRecord } from "../api/record-writes.ts";
import { idOf, recordQuery } from "../api/records.ts";
import { changedFields } from "../form/changes.ts";
import { RecordForm } from "../form/record-form.tsx";
import type { SaveAnswer } from "../form/saving.ts";
import { formatMoment } from "../ui/format.ts";
import { Failure, PageTitle, Skeleton } from "../ui/pieces.tsx";
import { useCollection, useDeps } from "./deps.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { NotFound } from "./not-found.tsx";
import { randomKey } from "./random-key.ts";
import { capital, nameOf } from "./record-name.ts";

export function NewRecordPage() {
  const { collection: name } = useParams({ strict: false });
  const collection = useCollection(name);
  return collection ? <NewRecord key={collection.name} collection={collection} /> : <NotFound />;
}

function NewRecord({ collection }: { collection: Collection }) {
  const { client, toasts } = useDeps();
  const navigate = useNavigate();
  const create = useCreateRecord(client, collection);
  const update = useUpdateRecord(client, collection);
  const leave = useLeaveGuard();
  const isHere = useRef(true);
  // What was sent without an answer, and what the answer made: neither may be made twice.
  const sent = useRef<{ fields: Fields; sendKey: string }>(undefined);
  const made = useRef<WireRecord>(undefined);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  async function save(fields: Fields): Promise<SaveAnswer> {
    try {
      if (!made.current) {
        // After silence the same body goes again under the same key, so that the service makes one record of both.
        sent.current ??= { fields, sendKey: randomKey() };
        made.current = await create.mutateAsync(sent.current);
      }
      const { [collection.key.name]: _, ...typed } = fields; // the key was given with the first body, and stays
      const rest = changedFields(made.current, typed, Object.keys(typed));
      const record = Object.keys(rest).length > 0 ? await update.mutateAsync({ base: made.current, fields: rest }) : made.current;
      const params = { collection: collection.name, id: String(idOf(collection, record)) };
      toasts.show({ message: <Named name={nameOf(collection, record)} is="is saved." /> });
      leave.allow();
      if (isHere.current) await navigate({ to: "/$collection/$id", params, replace: true });
      return { saved: record };
    } catch (error) {
      if (isSettled(error)) sent.current = undefined; // nothing was made: the next attempt is another one
      return refusedBy(error);
    }
  }

  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>{`New ${collection.noun}`}</PageTitle>
      </div>
      <RecordForm collection={collection} save={save} onDirty={leave.onDirty}>
        <Link className="button quiet" to="/$collection" params={{ collection: collection.name }}>
          Cancel
        </Link>
      </RecordForm>
      {leave.dialog}
    </main>
  );
}

export function RecordPage() {
  const { collection: name, id } = useParams({ strict: false });
  const collection = useCollection(name);
  if (!collection || !/^[1-9][0-9]{0,15}$/.test(id ?? "")) return <NotFound />;
  return <StoredRecord key={`${name}/${id}`} collection={collection} id={Number(id)} />;
}

function StoredRecord({ collection, id }: { collection: Collection; id: number }) {
  const { client } = useDeps();
  const { data, error, refetch } = useQuery(recordQuery(client, collection, id));
  // A record that was on the page and is gone stays on it: someone may be typing.
  const [seen, setSeen] = useState<WireRecord>();
  if (data && data !== seen) setSeen(data);
  const record = data ?? seen;
  if (data === null && !seen) return <NotFound what={`There is no ${collection.noun} ${id}`} />;
  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>{record ? nameOf(collection, record) : capital(collection.noun)}</PageTitle>
        {record && (
          <span className="dim small">
            version {record.version} · changed {formatMoment(record.updatedAt)}
          </span>
        )}
      </div>
      {error && !record && <Failure error={error} retry={() => refetch()} />}
      {!record && !error && <FormSkeleton collection={collection} />}
      {record && <EditRecord collection={collection} record={record} isGone={data === null} />}
    </main>
  );
}

function EditRecord({ collection, record, isGone }: { collection: Collection; record: WireRecord; isGone: boolean }) {
  const { client, toasts } = useDeps();
  const navigate = useNavigate();
  const update = useUpdateRecord(client, collection);
  const remove = useDeleteRecord(client, collection);
  const restore = useRestoreRecord(client, collection);
  const queries = useQueryClient();
  const leave = useLeaveGuard();
  const id = idOf(collection, record);

  const save: React.ComponentProps<typeof RecordForm>["save"] = async (fields, base) => {
    try {
      const saved = await (base ? update.mutateAsync({ base, fields }) : restore.mutateAsync({ ...record, ...fields }));
      toasts.show({ message: "Saved." });
      return { saved };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return { gone: true };
      if (!(error instanceof ApiError && error.status === 412)) return refusedBy(error);
      const theirs = await queries.fetchQuery({ ...recordQuery(client, collection, id), staleTime: 0 });
      return theirs ? { conflict: theirs } : { gone: true };
    }
  };

  async function deleteRecord(): Promise<void> {
    const name = nameOf(collection, record);
    // mutateAsync: by the time someone undoes, this page is gone, and with it the callbacks of mutate.
    const undo = () =>
      restore.mutateAsync(record).then(
        () => toasts.show({ message: <Named name={name} is="is back." /> }),
        (error: Error) => toasts.show({ message: error.message }),
      );
    try {
      await remove.mutateAsync(record);
      toasts.show({ message: <Named name={name} is="is deleted." />, action: { label: "Undo", run: undo } });
      leave.allow();
      await navigate({ to: "/$collection", params: { collection: collection.name } });
    } catch (error) {
      const isChanged = error instanceof ApiError && error.status === 412;
      if (isChanged) await queries.invalidateQueries(recordQuery(client, collection, id));
      toasts.show({
        message: isChanged ? `Someone else changed this ${collection.noun}. Look again before deleting it.` : (error as Error).message,
      });
    }
  }

  return (
    <RecordForm collection={collection} record={record} save={save} isGone={isGone} onDirty={leave.onDirty}>
      <Link className="button quiet" to="/$collection" params={{ collection: collection.name }}>
        Cancel
      </Link>
      <button type="button" className="button quiet danger end" onClick={deleteRecord}>
        Delete
      </button>
      {leave.dialog}
    </RecordForm>
  );
}

function FormSkeleton({ collection }: { collection: Collection }) {
  return (
    <div className="form" role="status">
      <span className="hidden">Loading…</span>
      {collection.form.map((field) => (
        <div className="field" key={field.name} style={{ height: 82 }}>
          <Skeleton width="30%" />
          <Skeleton width="100%" />
        </div>
      ))}
    </div>
  );
}

/** The name keeps its own direction within the sentence. */
function Named({ name, is }: { name: string; is: string }) {
  return (
    <>
      <bdi>{name}</bdi> {is}
    </>
  );
}

/** Asks before a form with unsaved text is left, by a link, by going back or by closing the tab; not after `allow`. */
function useLeaveGuard() {
  const isDirty = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty.current,
    enableBeforeUnload: () => isDirty.current,
    withResolver: true,
  });
  const onDirty = useCallback((dirty: boolean) => {
    isDirty.current = dirty;
  }, []);
  const dialog = blocker.status === "blocked" && (
    <LeaveDialog title="Leave without saving?" leave="Leave" onLeave={blocker.proceed} onStay={blocker.reset}>
      What you typed here is not saved yet.
    </LeaveDialog>
  );
  return { onDirty, allow: () => onDirty(false), dialog };
}

/** A refusal before anything was done. After silence, a 5xx or "still running" the record may be there all the same. */
function isSettled(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.code !== "IDEMPOTENCY_IN_PROGRESS";
}

function refusedBy(error: unknown): SaveAnswer {
  return { refused: (error as Error).message, problems: error instanceof ApiError ? error.problems : [] };
}
