// A record's page: the form for a new one or a stored one, with saving, deleting and undo joined to the service.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useRef } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { ApiError } from "../api/client.ts";
import { idOf, recordQuery, useCreateRecord, useDeleteRecord, useRestoreRecord, useUpdateRecord } from "../api/records.ts";
import { RecordForm, type SaveAnswer } from "../form/record-form.tsx";
import { formatMoment } from "../ui/format.ts";
import { Failure, PageTitle, Skeleton } from "../ui/pieces.tsx";
import { useCollection, useDeps } from "./deps.ts";
import { NotFound } from "./not-found.tsx";
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
  const sendKey = useRef(randomKey());

  async function save(fields: Parameters<typeof create.mutateAsync>[0]["fields"]): Promise<SaveAnswer> {
    try {
      const record = await create.mutateAsync({ fields, sendKey: sendKey.current });
      toasts.show({ message: `${nameOf(collection, record)} is saved.` });
      await navigate({
        to: "/$collection/$id",
        params: { collection: collection.name, id: String(idOf(collection, record)) },
        replace: true,
      });
      return { saved: record };
    } catch (error) {
      // A refused body is settled: the next attempt is another request. Without an answer the same key goes again,
      // so that the record cannot be made twice.
      if (error instanceof ApiError) sendKey.current = randomKey();
      return refusedBy(error);
    }
  }

  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>{`New ${collection.noun}`}</PageTitle>
      </div>
      <RecordForm collection={collection} save={save}>
        <Link className="button quiet" to="/$collection" params={{ collection: collection.name }}>
          Cancel
        </Link>
      </RecordForm>
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
  const { data: record, error, refetch } = useQuery(recordQuery(client, collection, id));
  if (record === null) return <NotFound what={`There is no ${collection.noun} ${id}`} />;
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
      {record && <EditRecord collection={collection} record={record} />}
    </main>
  );
}

function EditRecord({ collection, record }: { collection: Collection; record: WireRecord }) {
  const { client, toasts } = useDeps();
  const navigate = useNavigate();
  const update = useUpdateRecord(client, collection);
  const remove = useDeleteRecord(client, collection);
  const restore = useRestoreRecord(client, collection);
  const queries = useQueryClient();
  const id = idOf(collection, record);

  const save: React.ComponentProps<typeof RecordForm>["save"] = async (fields, base = record) => {
    try {
      return { saved: await update.mutateAsync({ base, fields }) };
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
        () => toasts.show({ message: `${name} is back.` }),
        (error: Error) => toasts.show({ message: error.message }),
      );
    try {
      await remove.mutateAsync(record);
      toasts.show({ message: `${name} is deleted.`, action: { label: "Undo", run: undo } });
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
    <RecordForm collection={collection} record={record} save={save}>
      <Link className="button quiet" to="/$collection" params={{ collection: collection.name }}>
        Cancel
      </Link>
      <button type="button" className="button quiet danger end" onClick={deleteRecord}>
        Delete
      </button>
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

function refusedBy(error: unknown): SaveAnswer {
  return { refused: (error as Error).message, problems: error instanceof ApiError ? error.problems : [] };
}

/** 128 random bits. crypto.randomUUID is missing where the app is served without TLS on another host than localhost. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
